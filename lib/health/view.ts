import type { ServerState } from '@/lib/pool';
import type { TransportKind } from '@/lib/servers';
import type { CallShare } from './call-share';
import type { LatencyColumn } from './latency';
import type { LastFailure } from './verdict';

/** What the kernel says of a child and of what it started. */
export interface ProcessUsage {
  readonly processId: number;
  readonly residentBytes: number;
  /** The child and its descendants. */
  readonly processes: number;
  readonly startedAt: number;
}

/** A server as the health page shows it. */
export interface HealthRow {
  readonly key: string;
  readonly label: string;
  readonly tags: readonly string[];
  readonly enabled: boolean;
  /** Named by a file that this console only reads. */
  readonly fromFile: boolean;
  readonly transport: TransportKind;
  readonly state: ServerState;
  /** null while nothing is known of it. */
  readonly since: number | null;
  readonly lastFailure: LastFailure | null;
  /** The last time that it was asked something, by a check or a test, and how long the answer took. */
  readonly lastAskedAt: number | null;
  readonly latencyMs: number | null;
  readonly latency: readonly LatencyColumn[];
  readonly calls: CallShare;
  /** Rests that began within the last day. */
  readonly rests: number;
  readonly load: { readonly inFlight: number; readonly queued: number };
  readonly connections: number;
  /** null for a server elsewhere, one that has no process, and where the system does not tell. */
  readonly process: ProcessUsage | null;
}

/** How the last posts of changes went. */
export interface DeliveryView {
  readonly id: number;
  readonly at: number;
  readonly ok: boolean;
  readonly attempts: number;
  /** What happened, in a sentence; never the address. */
  readonly message: string;
  readonly isTest: boolean;
}

/** A change of state as the inbox lists it for one person. */
export interface InboxItem {
  readonly id: number;
  readonly serverKey: string;
  readonly at: number;
  readonly from: string | null;
  readonly to: string;
  readonly message: string | null;
  readonly remediation: string | null;
  readonly isRead: boolean;
}

import type { HealthRow } from '@/lib/health';
import type { Finding, ListedPrompt, ListedResource, ListedResourceTemplate, SetAsideTool, ToolView, UnavailableTool } from '@/lib/manifests';
import type { ConnectedFacts, ServerState } from '@/lib/pool';
import type { ServerEntry, TransportKind } from '@/lib/servers';
import type { ConnectionTestResult } from '@/lib/testing-connections';

/** How many tools a server offers, how many of them work on its host, and how many are offered on. */
export interface ToolCounts {
  readonly offered: number;
  readonly available: number;
  readonly exposed: number;
}

/** A failure as a card says it: without its evidence, which its page has. */
export interface FailureView {
  readonly message: string;
  readonly remedy: string;
  readonly isCancelled: boolean;
  /** Where a redirect leads that was not followed. */
  readonly redirectAddress: string | null;
}

/** Something odd about a server that works, and the page of it that shows more. */
export interface ServerWarning {
  readonly text: string;
  readonly page: 'log' | 'tools' | 'settings' | null;
}

/** A server as its card shows it; nothing secret. */
export interface ServerCardView {
  readonly key: string;
  readonly label: string;
  readonly tags: readonly string[];
  readonly transport: TransportKind;
  readonly enabled: boolean;
  readonly bundled: boolean;
  /** Named by a `--config` file: read, not changed. */
  readonly fromFile: boolean;
  readonly reviewed: boolean;
  readonly tlsInsecure: boolean;
  readonly state: ServerState;
  readonly facts: Pick<ConnectedFacts, 'transport' | 'era' | 'protocolVersion'> | null;
  /** null while nothing was read of it. */
  readonly counts: ToolCounts | null;
  readonly unavailable: readonly UnavailableTool[];
  readonly manifestProblem: string | null;
  readonly warnings: readonly ServerWarning[];
  readonly lastTest: { readonly at: number; readonly ok: boolean; readonly latencyMs: number | null; readonly failure: FailureView | null } | null;
  readonly load: { readonly inFlight: number; readonly queued: number };
  /** How it was over the last day. */
  readonly health: Pick<HealthRow, 'latency' | 'calls'>;
}

/** A server as its own page shows it. */
export interface ServerDetailView {
  readonly card: ServerCardView;
  /** Secret values taken out. */
  readonly entry: ServerEntry;
  readonly revision: number;
  readonly savedAt: number;
  readonly reviewedAt: number | null;
  readonly facts: ConnectedFacts | null;
  readonly readAt: number | null;
  readonly lastTest: ConnectionTestResult | null;
  readonly manifestTools: number | null;
  readonly environmentReadAt: number;
}

/** What a page may do here, decided on the server: components show or hide, the actions check again. */
export interface ServerRights {
  readonly manage: boolean;
  readonly call: boolean;
}

/** A tool as the list shows it. */
export interface ToolRowView {
  readonly tool: Omit<ToolView, 'listed'>;
  readonly title: string | null;
  readonly description: string | null;
  readonly findings: number;
  /** Accepted by a person, and the same as then. */
  readonly pin: 'same' | 'changed' | 'new';
  /** The fingerprint of the tool as it is listed; null where it was set aside. */
  readonly hash: string | null;
}

/** A tool with all that a person needs to call it or to accept it. */
export interface ToolDetailView extends ToolRowView {
  readonly inputSchema: unknown;
  readonly outputSchema: unknown;
  /** The tool as the server sent it. */
  readonly raw: unknown;
  readonly allFindings: readonly Finding[];
}

export interface OfferedView {
  readonly resources: readonly ListedResource[];
  readonly resourceTemplates: readonly ListedResourceTemplate[];
  readonly prompts: readonly ListedPrompt[];
  readonly setAside: readonly SetAsideTool[];
}

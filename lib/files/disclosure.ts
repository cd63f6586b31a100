import type { Indicators } from './indicators';
import type { FileKind, FileOrigin } from './file-kind';
import type { HandingWay } from './hand-over';

/** Where a server is, as the block tells it. */
export interface Destination {
  readonly serverKey: string;
  readonly label: string;
  /** `scanner.example:443`. */
  readonly host: string;
  /** The address is of this machine; that does not make the server local. */
  readonly thisMachine: boolean;
  readonly external: boolean;
}

/** A file that would be handed over, and how. */
export interface PlannedFile {
  readonly reference: string;
  readonly sha256: string;
  readonly sizeBytes: number;
  readonly name: string;
  readonly kind: FileKind;
  readonly origin: FileOrigin | null;
  readonly way: HandingWay;
  /** It is on the server already for this run: nothing would go again. */
  readonly isThere: boolean;
}

/** What a call would hand to its server, before anything of it goes. */
export interface DisclosurePlan {
  readonly destination: Destination;
  readonly files: readonly PlannedFile[];
  /** Of the arguments, where the server is marked external; null where it is not. */
  readonly lookup: { readonly bytes: number; readonly indicators: Indicators } | null;
  /** What someone confirms: of exactly this plan. Null where nothing would leave, so that there is nothing to confirm. */
  readonly token: string | null;
  /** What a person should know beside it, in sentences. */
  readonly notes: readonly string[];
}

export const UPLOAD_OUTCOMES = ['sending', 'ok', 'failed', 'unknown'] as const;
export type UploadOutcome = (typeof UPLOAD_OUTCOMES)[number];

/** A file that was handed to a server, wholly or in part: a row of the disclosure. */
export interface DisclosedFile {
  readonly id: string;
  readonly runId: string;
  readonly name: string;
  readonly kind: FileKind;
  readonly origin: FileOrigin | null;
  readonly sizeBytes: number;
  /** Bytes of the file that went out, repeated ones counted each time. */
  readonly bytesSent: number;
  readonly sha256: string;
  readonly serverKey: string;
  readonly host: string;
  readonly thisMachine: boolean;
  readonly at: number;
  readonly outcome: UploadOutcome;
  /** What went wrong, in a sentence. */
  readonly words: string | null;
  readonly confirmedBy: string;
  readonly entries: readonly DisclosedEntry[];
}

export interface DisclosedEntry {
  readonly sequence: number;
  readonly entryId: string;
}

/** A call to a server marked external: what its arguments told. */
export interface DisclosedLookup {
  readonly sequence: number;
  readonly entryId: string;
  readonly runId: string;
  readonly tool: string;
  readonly serverKey: string;
  readonly host: string;
  readonly thisMachine: boolean;
  readonly at: number;
  /** Of the arguments as they went, in JSON. */
  readonly bytes: number;
  readonly indicators: Indicators;
  /** How the call ended; null where its entry was deleted since. */
  readonly outcome: string | null;
}

/** What was handed to other servers. */
export interface Disclosure {
  readonly files: readonly DisclosedFile[];
  readonly lookups: readonly DisclosedLookup[];
}

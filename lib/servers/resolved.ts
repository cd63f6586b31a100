import type { EraChoice, Limits } from './entry';
import type { ServerKey } from './key';

/** How to reach a server, with every placeholder resolved. Holds secrets: never leaves the server process. */
export type ResolvedTransport =
  | {
      readonly kind: 'stdio';
      readonly command: string;
      readonly args: readonly string[];
      /** The child's whole environment. */
      readonly env: Readonly<Record<string, string>>;
      readonly cwd: string | null;
    }
  | {
      readonly kind: 'http' | 'sse' | 'websocket';
      readonly url: URL;
      readonly headers: Readonly<Record<string, string>>;
      readonly tls: { readonly ca?: string; readonly cert?: string; readonly key?: string; readonly insecure: boolean };
      readonly proxy: string | null;
    };

export interface ResolvedServer {
  readonly key: ServerKey;
  /** SHA-256 of all that the connection depends on; entries that share it share a connection and a guard. */
  readonly fingerprint: string;
  readonly transport: ResolvedTransport;
  readonly era: EraChoice;
  readonly limits: Limits;
  /** Where the server sees the job directory, where it is told (`sample_mount`); it is then elsewhere. */
  readonly sampleMount?: string;
  /** Secret values that went into it, for the redactor. */
  readonly secretValues: readonly string[];
}

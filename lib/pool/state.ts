import type { Era, TransportKind } from '@/lib/servers';
import type { ConnectFailure } from './failure';

export const SERVER_STATES = [
  'disabled', 'untested', 'starting', 'connected', 'idle', 'failing', 'resting', 'sign_in_needed',
] as const;
export type ServerStateName = (typeof SERVER_STATES)[number];

/** What a connection told about itself when it was set up. */
export interface ConnectedFacts {
  readonly transport: TransportKind;
  /** What came of the transport that the entry names, where an older one had to be fallen back to. */
  readonly fellBackFrom?: string;
  readonly era: Era;
  readonly protocolVersion: string;
  readonly serverInfo: { readonly name: string; readonly version: string; readonly title?: string } | null;
  readonly instructions: string | null;
  readonly processId: number | null;
  readonly connectedAt: number;
}

/** A server's state, in the words of product section 2; each member has only what is true in it. */
export type ServerState =
  | { readonly name: 'disabled' }
  | { readonly name: 'untested' }
  | {
      readonly name: 'starting';
      readonly since: number;
      readonly attempt: number;
      /** The last line that a package runner printed while it installs. */
      readonly progress: string | null;
      /** Why the attempt before failed, as long as this one has not ended; absent on a first one. */
      readonly lastFailure?: ConnectFailure;
    }
  | { readonly name: 'connected'; readonly facts: ConnectedFacts }
  /** Was connected and was closed because nobody used it; the next call opens it. */
  | { readonly name: 'idle'; readonly since: number; readonly facts: ConnectedFacts }
  | {
      readonly name: 'failing';
      readonly failure: ConnectFailure;
      readonly since: number;
      readonly attempt: number;
      /** null when nothing tries again until someone asks. */
      readonly nextTryAt: number | null;
    }
  /** `untilAt` is null while one call tries it: the others are refused until that one has ended. */
  | { readonly name: 'resting'; readonly reason: string; readonly untilAt: number | null }
  | { readonly name: 'sign_in_needed'; readonly failure: ConnectFailure };

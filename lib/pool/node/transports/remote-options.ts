import type { DialOptions, DialPhase } from './dialer';

/** How far the first connection came; `answered` is an answer of the protocol, or a refusal. */
export type RemotePhase = DialPhase | { readonly phase: 'answered'; readonly status: number };

/** What every transport to a remote server is made with. */
export interface RemoteOptions extends Omit<DialOptions, 'onPhase'> {
  readonly server: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly limitBytes: number;
  /** Takes secrets out of what becomes evidence. */
  readonly scrub: (text: string) => string;
  /** What the server gave that is as good as a password while the session lasts. */
  readonly onSession: (ids: readonly string[]) => void;
  readonly onPhase: (phase: RemotePhase) => void;
}

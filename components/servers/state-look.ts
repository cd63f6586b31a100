import type { ServerState, ServerStateName } from '@/lib/pool';
import type { TransportKind } from '@/lib/servers';
import type { Meaning } from '../ui/meaning';

interface StateLook {
  readonly meaning: Meaning;
  readonly word: string;
}

const LOOKS: Readonly<Record<ServerStateName, StateLook>> = {
  disabled: { meaning: 'disabled', word: 'disabled' },
  untested: { meaning: 'unknown', word: 'untested' },
  starting: { meaning: 'working', word: 'starting' },
  connected: { meaning: 'good', word: 'connected' },
  idle: { meaning: 'good', word: 'idle' },
  failing: { meaning: 'bad', word: 'failing' },
  resting: { meaning: 'resting', word: 'resting' },
  sign_in_needed: { meaning: 'attention', word: 'sign-in needed' },
};

/** A server's state as its mark and its word, the same on every page. */
export const toStateLook = ({ name }: Pick<ServerState, 'name'>): StateLook => LOOKS[name];

const TRANSPORT_WORDS: Record<TransportKind, string> = { stdio: 'stdio', http: 'http', sse: 'sse', websocket: 'websocket' };

/** `stdio · modern 2026-07-28`; of a connected server the transport that it turned out to speak. */
export const describeTransport = (transport: TransportKind, facts: { transport: TransportKind; era: string; protocolVersion: string } | null): string =>
  [TRANSPORT_WORDS[facts?.transport ?? transport], facts === null ? null : `${facts.era} ${facts.protocolVersion}`].filter((part) => part !== null).join(' · ');

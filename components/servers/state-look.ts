import { assertNever } from '@/lib/core';
import type { ServerState } from '@/lib/pool';
import type { TransportKind } from '@/lib/servers';
import type { Meaning } from '../ui/meaning';

interface StateLook {
  readonly meaning: Meaning;
  readonly word: string;
}

/** A server's state as its mark and its word, the same on every page. */
export function toStateLook(state: ServerState): StateLook {
  switch (state.name) {
    case 'disabled':
      return { meaning: 'disabled', word: 'disabled' };
    case 'untested':
      return { meaning: 'unknown', word: 'untested' };
    case 'starting':
      return { meaning: 'working', word: 'starting' };
    case 'connected':
      return { meaning: 'good', word: 'connected' };
    case 'idle':
      return { meaning: 'good', word: 'idle' };
    case 'failing':
      return { meaning: 'bad', word: 'failing' };
    case 'resting':
      return { meaning: 'resting', word: 'resting' };
    case 'sign_in_needed':
      return { meaning: 'attention', word: 'sign-in needed' };
    default:
      return assertNever(state);
  }
}

const TRANSPORT_WORDS: Record<TransportKind, string> = { stdio: 'stdio', http: 'http', sse: 'sse', websocket: 'websocket' };

/** `stdio · modern 2026-07-28`; of a connected server the transport that it turned out to speak. */
export const describeTransport = (transport: TransportKind, facts: { transport: TransportKind; era: string; protocolVersion: string } | null): string =>
  [TRANSPORT_WORDS[facts?.transport ?? transport], facts === null ? null : `${facts.era} ${facts.protocolVersion}`].filter((part) => part !== null).join(' · ');

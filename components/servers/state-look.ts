import { assertNever } from '@/lib/core';
import type { ServerState } from '@/lib/pool';
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

const TRANSPORT_WORDS = { stdio: 'stdio', http: 'http', sse: 'sse', websocket: 'websocket' } as const;

/** `stdio · modern 2026-07-28` */
export const describeTransport = (transport: keyof typeof TRANSPORT_WORDS, facts: { era: string; protocolVersion: string } | null): string =>
  [TRANSPORT_WORDS[transport], facts === null ? null : `${facts.era} ${facts.protocolVersion}`].filter((part) => part !== null).join(' · ');

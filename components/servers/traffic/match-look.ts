import { assertNever, formatDuration } from '@/lib/core';
import type { MessageKind, WireMatch, WireRow } from '@/lib/pool';
import type { Meaning } from '../../ui/meaning';

interface Look {
  /** null where nothing has to be marked. */
  readonly meaning: Meaning | null;
  readonly word: string;
  /** The same for a narrow list. */
  readonly short?: string;
}

/** How a message stands to its partner, in a few words. */
export function toMatchLook(match: WireMatch): Look {
  switch (match.kind) {
    case 'alone':
      return { meaning: null, word: '' };
    case 'waiting':
      return { meaning: 'working', word: 'no answer yet' };
    case 'never_answered':
      return { meaning: 'unknown', word: 'never answered' };
    case 'cancelled':
      return { meaning: 'unknown', word: 'cancelled' };
    case 'answered':
      return match.late
        ? { meaning: 'attention', word: `answered late, in ${formatDuration(match.ms)}`, short: `late, ${formatDuration(match.ms)}` }
        : { meaning: null, word: `answered in ${formatDuration(match.ms)}`, short: formatDuration(match.ms) };
    case 'answers':
      return match.late
        ? { meaning: 'attention', word: `late, after ${formatDuration(match.ms)}`, short: `late, ${formatDuration(match.ms)}` }
        : { meaning: null, word: `after ${formatDuration(match.ms)}` };
    case 'second_answer':
      return { meaning: 'attention', word: 'second answer' };
    case 'unasked':
      return { meaning: 'attention', word: 'nothing asked for it', short: 'not asked for' };
    case 'request_gone':
      return { meaning: null, word: 'its request is no longer kept', short: 'no request kept' };
    case 'about':
      return { meaning: null, word: '' };
    default:
      return assertNever(match);
  }
}

const KIND_WORDS: Record<MessageKind, string> = { request: 'request', notification: 'notification', result: 'result', error: 'error', other: 'other' };

/** What a message is, of an error with its code. */
export function toKindLook({ kind, code, parts }: Pick<WireRow, 'kind' | 'code' | 'parts'>): Look {
  if (kind === 'error') return { meaning: 'bad', word: code === null ? 'error' : code >= 100 && code < 600 ? `HTTP ${code}` : `error ${code}` };
  return { meaning: null, word: parts.length > 0 ? `batch of ${parts.length}` : KIND_WORDS[kind] };
}

/** What the partner is to the message. */
export function toPartnerWord(match: WireMatch): string {
  switch (match.kind) {
    case 'answered':
      return 'Its answer';
    case 'cancelled':
      return 'Its cancellation';
    default:
      return 'Its request';
  }
}

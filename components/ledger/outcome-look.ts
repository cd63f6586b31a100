import { mayHaveHappened, type Outcome } from '@/lib/calls';
import { assertNever } from '@/lib/core';
import type { Meaning } from '../ui/meaning';

export interface OutcomeLook {
  readonly meaning: Meaning;
  readonly word: string;
}

/** An outcome as its mark and word: what may have happened is neither good nor bad. */
export function toOutcomeLook(outcome: Outcome, sentAt: number | null): OutcomeLook {
  const uncertain = mayHaveHappened(outcome, sentAt);
  switch (outcome) {
    case 'requested':
      return { meaning: 'working', word: 'requested' };
    case 'awaiting_approval':
      return { meaning: 'attention', word: 'awaiting approval' };
    case 'queued':
      return { meaning: 'working', word: 'queued' };
    case 'sent':
      return { meaning: 'working', word: 'sent' };
    case 'ok':
      return { meaning: 'good', word: 'ok' };
    case 'tool_error':
      return { meaning: 'bad', word: 'tool error' };
    case 'protocol_error':
      return { meaning: 'bad', word: 'protocol error' };
    case 'timeout':
      return { meaning: uncertain ? 'unknown' : 'attention', word: 'timeout' };
    case 'cancelled':
      return { meaning: uncertain ? 'unknown' : 'disabled', word: uncertain ? 'cancelled' : 'cancelled, not sent' };
    case 'unknown':
      return { meaning: 'unknown', word: 'not known' };
    case 'interrupted':
      return { meaning: uncertain ? 'unknown' : 'attention', word: uncertain ? 'interrupted' : 'interrupted, not sent' };
    case 'not_sent':
      return { meaning: 'attention', word: 'not sent' };
    default:
      return assertNever(outcome);
  }
}

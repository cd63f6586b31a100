import { assertNever } from '@/lib/core';
import type { RunStanding } from '@/lib/runs';
import type { Meaning } from '../ui/meaning';

/** How a run stands as its mark and its word. */
export function toStandingLook(standing: RunStanding): { readonly meaning: Meaning; readonly word: string } {
  switch (standing) {
    case 'running':
      return { meaning: 'working', word: 'calls under way' };
    case 'not_known':
      return { meaning: 'unknown', word: 'some calls may have happened' };
    case 'failures':
      return { meaning: 'bad', word: 'some calls failed' };
    case 'well':
      return { meaning: 'good', word: 'all calls answered' };
    case 'empty':
      return { meaning: 'unknown', word: 'no calls' };
    default:
      return assertNever(standing);
  }
}

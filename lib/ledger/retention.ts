import { toIso } from '@/lib/core';

/** How much of the ledger is kept; null sets no limit. What is beyond either is deleted. */
export interface Retention {
  readonly days: number | null;
  readonly entries: number | null;
}

export const KEEP_EVERYTHING: Retention = { days: null, entries: null };

/** What was deleted of a run, by whom and when. */
export interface Tombstone {
  readonly runId: string;
  readonly entryCount: number;
  readonly deletedAt: number;
  readonly actorName: string;
  readonly reason: string;
}

/** That an entry was deleted: by whom, when and with what, in sentences. Of several tombstones one is its own. */
export function toDeletedSentence(sequence: number, [first, ...others]: readonly [Tombstone, ...Tombstone[]]): string {
  const calls = `${first.entryCount.toLocaleString('en')} ${first.entryCount === 1 ? 'call' : 'calls'} of run ${first.runId}`;
  const which = others.length === 0 ? `with ${calls}` : `with calls of ${others.length + 1} runs that went on at the same time`;
  return `Entry ${sequence} was deleted by ${first.actorName} on ${toIso(first.deletedAt)}, ${which}. ${first.reason}`;
}

/** The setting in a sentence. */
export function toRetentionSentence({ days, entries }: Retention): string {
  if (days === null && entries === null) return 'Everything is kept.';
  const parts = [
    ...(days === null ? [] : [`for ${days} ${days === 1 ? 'day' : 'days'}`]),
    ...(entries === null ? [] : [`the newest ${entries.toLocaleString('en')} ${entries === 1 ? 'entry' : 'entries'} at most`]),
  ];
  return `Calls are kept ${parts.join(', and ')}.`;
}

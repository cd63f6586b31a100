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

/** The setting in a sentence. */
export function toRetentionSentence({ days, entries }: Retention): string {
  if (days === null && entries === null) return 'Everything is kept.';
  const parts = [
    ...(days === null ? [] : [`for ${days} ${days === 1 ? 'day' : 'days'}`]),
    ...(entries === null ? [] : [`the newest ${entries.toLocaleString('en')} ${entries === 1 ? 'entry' : 'entries'} at most`]),
  ];
  return `Calls are kept ${parts.join(', and ')}.`;
}

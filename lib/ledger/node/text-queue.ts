import type { LedgerEntry } from '..';
import { TextIndex, type TextIndexOptions } from './text-index';

/** How long the words of a call may wait for those of others, in ms: a search is that much behind. */
const GATHER_MS = 200;
/** How many entries wait at most; more are indexed at once. */
const MAX_WAITING = 200;

/**
 * Brings entries into the text index a moment after they are written, many in one transaction: to index a call costs
 * more than all else that is written of it, and nobody waits for it. What a crash leaves out is brought in by the next
 * start (`indexMissingEntries`).
 */
export class TextQueue {
  private readonly waiting = new Map<number, LedgerEntry>();
  private readonly putAll: (entries: Iterable<LedgerEntry>) => void;
  private timer: NodeJS.Timeout | null = null;

  constructor({ database, blobs }: TextIndexOptions) {
    const index = new TextIndex({ database, blobs });
    this.putAll = database.sqlite.transaction((entries: Iterable<LedgerEntry>) => {
      for (const entry of entries) index.put(entry);
    });
  }

  /** Notes that the entry has other words than before. */
  note(entry: LedgerEntry): void {
    this.waiting.set(entry.sequence, entry);
    if (this.waiting.size >= MAX_WAITING) this.flush();
    else {
      this.timer ??= setTimeout(() => {
        this.flush();
      }, GATHER_MS);
    }
  }

  /** Brings in what waits, at once. */
  flush(): void {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
    if (this.waiting.size === 0) return;
    this.putAll(this.waiting.values());
    this.waiting.clear();
  }
}

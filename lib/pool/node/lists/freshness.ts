import type { WireAnswer } from '../connection';

/** A server that calls its lists stale after less than this is asked so often at most. */
const SHORTEST_MS = 1_000;

/**
 * How long a list may be taken as it was read, as its server says by `ttlMs` (modern era): the shortest of its pages.
 * A list without such a hint, or with 0, stays until its server says that it changed.
 */
export class Freshness {
  private endsAt: number | null = null;

  /** A page came. @param now monotonic, ms */
  note(answer: WireAnswer, now: number): void {
    const ttlMs = answer.kind === 'result' ? answer.result.ttlMs : undefined;
    if (typeof ttlMs !== 'number' || !(ttlMs > 0)) return;
    this.endsAt = Math.min(this.endsAt ?? Infinity, now + Math.max(ttlMs, SHORTEST_MS));
  }

  isOver(now: number): boolean {
    return this.endsAt !== null && now >= this.endsAt;
  }
}

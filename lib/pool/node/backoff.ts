/** The waits between tries that nobody asked for, ms. */
export interface Backoff {
  readonly firstMs: number;
  readonly longestMs: number;
}

export const DEFAULT_BACKOFF: Backoff = { firstMs: 1_000, longestMs: 300_000 };

/** A server that asks to be left alone for longer is looked at all the same. */
export const LONGEST_ASKED_MS = 3_600_000;

/**
 * How long to wait before the next try: doubles with each failed one up to the longest, then 50 to 100 % of that, so
 * that servers that failed together do not come back together. Never sooner than the server asked for, within an hour.
 * @param failures how many tries in a row failed, from 1
 * @param random from 0 to 1
 * @param askedMs how long the server asks to be left alone
 */
export function decideWaitMs(failures: number, backoff: Backoff, random: number, askedMs = 0): number {
  const full = Math.min(backoff.firstMs * 2 ** Math.min(failures - 1, 30), backoff.longestMs);
  const asked = Math.min(askedMs, LONGEST_ASKED_MS);
  return Math.round(Math.max(full * (0.5 + random / 2), asked * (1 + random / 10)));
}

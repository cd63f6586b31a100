/** The waits between tries that nobody asked for, ms. */
export interface Backoff {
  readonly firstMs: number;
  readonly longestMs: number;
}

export const DEFAULT_BACKOFF: Backoff = { firstMs: 1_000, longestMs: 300_000 };

/**
 * How long to wait before the next try: doubles with each failed one up to the longest, then 50 to 100 % of that, so
 * that servers that failed together do not come back together.
 * @param failures how many tries in a row failed, from 1
 * @param random from 0 to 1
 */
export function decideWaitMs(failures: number, backoff: Backoff, random: number): number {
  const full = Math.min(backoff.firstMs * 2 ** Math.min(failures - 1, 30), backoff.longestMs);
  return Math.round(full * (0.5 + random / 2));
}

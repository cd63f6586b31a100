/** No server means longer: what is above is a mistake, and would not fit a date. */
const LONGEST_MS = 365 * 24 * 60 * 60 * 1000;

/** `Retry-After`, in seconds or as a date; null where it is absent or unreadable, 0 where it lies in the past. */
export function findRetryAfterMs(headers: Headers, now: number): number | null {
  const value = headers.get('retry-after')?.trim();
  if (!value) return null;
  const ms = /^[+-]?\d+(?:\.\d+)?$/.test(value) ? Number(value) * 1000 : Date.parse(value) - now;
  return Number.isNaN(ms) ? null : Math.min(Math.max(0, ms), LONGEST_MS);
}

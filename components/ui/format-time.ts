const two = (value: number): string => String(value).padStart(2, '0');

/** `2026-01-05 14:02:11` in the reader's time zone: the one date format of the console. */
export function formatDateTime(at: number): string {
  const date = new Date(at);
  return `${formatDay(date)} ${formatClock(date)}`;
}

/** The same in UTC, for pages before the browser has told its zone. */
export const formatUtc = (at: number): string => `${new Date(at).toISOString().slice(0, 19).replace('T', ' ')} UTC`;

/** `14:02:11` for a moment of today, else the whole date. */
export function formatMoment(at: number, now: number): string {
  const date = new Date(at);
  return formatDay(date) === formatDay(new Date(now)) ? formatClock(date) : formatDateTime(at);
}

/** `just now`, `12 s ago`, `2 min ago`, `in 40 s`; the date where it is further than a week. */
export function formatRelative(at: number, now: number): string {
  const seconds = Math.round(Math.abs(now - at) / 1000);
  if (seconds >= 7 * 86_400) return formatDateTime(at);
  if (seconds < 5) return at > now ? 'in a moment' : 'just now';
  const amount =
    seconds < 60 ? `${seconds} s`
    : seconds < 3600 ? `${Math.floor(seconds / 60)} min`
    : seconds < 86_400 ? `${Math.floor(seconds / 3600)} h`
    : `${Math.floor(seconds / 86_400)} d`;
  return at > now ? `in ${amount}` : `${amount} ago`;
}

const formatDay = (date: Date): string => `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
const formatClock = (date: Date): string => `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;

const two = (value: number): string => String(value).padStart(2, '0');

/** An ISO time as a `datetime-local` field wants it, in the reader's zone; empty where there is none. */
export function toLocalInput(iso: string | undefined): string {
  const date = new Date(iso ?? '');
  if (Number.isNaN(date.getTime())) return '';
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day}T${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
}

/** What a `datetime-local` field holds as ISO in UTC; undefined while it is empty or half written. */
export function fromLocalInput(local: string): string | undefined {
  const date = new Date(local);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}

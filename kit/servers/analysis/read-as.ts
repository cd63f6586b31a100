const QUOTES = ['"', "'", '`'];

/**
 * A search text as it is read (product section 16): without one enclosing pair of quotes or backticks
 * whose character does not recur inside. Models quote what they look for; the quotes are not meant.
 */
export function readAs(written: string): string {
  const quote = written[0];
  if (quote === undefined || written.length < 2 || !QUOTES.includes(quote) || !written.endsWith(quote)) return written;
  const inside = written.slice(1, -1);
  return inside.includes(quote) ? written : inside;
}

/** The `read_as` with which an answer begins; nothing where every argument was read as written. */
export function describeReadAs(written: Readonly<Record<string, string | undefined>>): { read_as?: Record<string, string> } {
  const changed = Object.entries(written).flatMap(([name, text]) =>
    text !== undefined && readAs(text) !== text ? [[name, readAs(text)] as const] : [],
  );
  return changed.length === 0 ? {} : { read_as: Object.fromEntries(changed) };
}

import type { WireConnection, WireRow } from '@/lib/pool';

/** A line of the list. */
export type TrafficItem =
  | { readonly kind: 'message'; readonly key: string; readonly row: WireRow }
  /** What follows passed over another connection than what stands before it. */
  | { readonly kind: 'connection'; readonly key: string; readonly connection: WireConnection; readonly goesOn: boolean }
  /** So many messages that passed here are no longer kept. */
  | { readonly kind: 'gap'; readonly key: string; readonly count: number };

/**
 * The lines of a list: the messages that are shown, with a line wherever the connection changes and wherever messages
 * are missing that nobody filtered out.
 */
export function toTrafficItems(rows: readonly WireRow[], shown: ReadonlySet<number>, connections: readonly WireConnection[]): readonly TrafficItem[] {
  const byNumber = new Map(connections.map((connection) => [connection.number, connection]));
  const seen = new Set<number>();
  const items: TrafficItem[] = [];
  let last = 0;
  let missing = 0;
  let current: number | null = null;
  for (const row of rows) {
    missing += row.number - last - 1;
    last = row.number;
    if (!shown.has(row.number)) continue;
    if (missing > 0) items.push({ kind: 'gap', key: `gap ${row.number}`, count: missing });
    missing = 0;
    const connection = byNumber.get(row.connection);
    if (row.connection !== current && connection !== undefined) {
      items.push({ kind: 'connection', key: `connection ${row.number}`, connection, goesOn: seen.has(row.connection) });
    }
    current = row.connection;
    seen.add(row.connection);
    items.push({ kind: 'message', key: String(row.number), row });
  }
  return items;
}

import type { Traffic } from '@/lib/pool';

/** More than the console keeps of a server: what a reader looks at does not leave under their eyes. */
export const MOST_ROWS = 2_000;

/** What is shown with what came since, each once and in order; another console's life begins anew. */
export function addTraffic(before: Traffic, read: Traffic): Traffic {
  if (before.since !== read.since) return read;
  const newest = before.rows.at(-1)?.number ?? 0;
  const fresh = read.rows.filter(({ number }) => number > newest);
  const rows = fresh.length === 0 ? before.rows : [...before.rows, ...fresh].slice(-MOST_ROWS);
  // Of a connection whose messages are only shown here, the console no longer tells.
  const told = new Set(read.connections.map(({ number }) => number));
  const shown = new Set(rows.map(({ connection }) => connection));
  const kept = before.connections
    .filter(({ number }) => !told.has(number) && shown.has(number))
    .map((connection) => ({ ...connection, endedAt: connection.endedAt ?? rows.findLast((row) => row.connection === connection.number)?.at ?? connection.openedAt }));
  return { ...read, rows, connections: [...kept, ...read.connections] };
}

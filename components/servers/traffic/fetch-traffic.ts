import { isFlag, isListOf, isNumber, isOwn, isShape, requireShape } from '@/lib/core';
import type { Traffic, WireConnection, WireMessage, WireRow } from '@/lib/pool';
import { fetchJson } from '../fetch-servers';

// The console's own answers: their shape is that of the types, checked where they are made.
const frame = { since: isNumber, connections: isListOf(isOwn<WireConnection>), more: isFlag };
type TrafficOf<Row> = Omit<Traffic, 'rows'> & { readonly rows: readonly Row[] };
const isRows = isShape<TrafficOf<WireRow>>({ ...frame, rows: isListOf(isOwn<WireRow>) });
const isMessages = isShape<TrafficOf<WireMessage>>({ ...frame, rows: isListOf(isOwn<WireMessage>) });

const addressOf = (key: string, query: Readonly<Record<string, string | number>>): string => {
  const search = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]));
  return `/api/servers/${encodeURIComponent(key)}/traffic?${search.toString()}`;
};

/** Messages after a number without their texts; the newest for null. */
export const fetchRows = async (key: string, after: number | null, signal?: AbortSignal): Promise<Traffic> =>
  requireShape(await fetchJson(addressOf(key, after === null ? {} : { after }), signal), isRows);

/** One message with its text; null where it is no longer kept. */
export async function fetchMessage(key: string, number: number, signal?: AbortSignal): Promise<WireMessage | null> {
  const { rows } = requireShape(await fetchJson(addressOf(key, { after: number - 1, limit: 1, texts: 1 }), signal), isMessages);
  return rows.find((row) => row.number === number) ?? null;
}

/** All messages that are kept, with their texts, read in the parts that the console gives. */
export async function fetchMessages(key: string, signal?: AbortSignal): Promise<readonly WireMessage[]> {
  const messages: WireMessage[] = [];
  for (;;) {
    const part = requireShape(await fetchJson(addressOf(key, { after: messages.at(-1)?.number ?? 0, texts: 1 }), signal), isMessages);
    messages.push(...part.rows);
    if (!part.more || part.rows.length === 0) return messages;
  }
}

export const toMessageMap = (messages: readonly WireMessage[]): ReadonlyMap<number, WireMessage> =>
  new Map(messages.map((message) => [message.number, message]));

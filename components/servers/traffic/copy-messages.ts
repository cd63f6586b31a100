import { toIso } from '@/lib/core';
import { methodOf, partnerOf, type WireMatch, type WireMessage, type WireRow } from '@/lib/pool';

/** Messages as one JSON document, each with what is known of it; those whose text is no longer kept say so. */
export const toCopiedJson = (messages: readonly (WireMessage | WireRow)[], matches: ReadonlyMap<number, WireMatch>): string =>
  JSON.stringify(messages.map((message) => toCopied(message, matches.get(message.number))), null, 2);

/** One message alone. */
export const toCopiedMessage = (message: WireMessage, match: WireMatch | undefined): string => JSON.stringify(toCopied(message, match), null, 2);

function toCopied(message: WireMessage | WireRow, match: WireMatch | undefined) {
  const { number, connection, direction, at, kind, id, sizeBytes, isCut } = message;
  const partner = match === undefined ? null : partnerOf(match);
  return {
    number, connection, direction, at: toIso(at), kind, method: methodOf(message, match), id, size_bytes: sizeBytes,
    ...(match !== undefined && match.kind !== 'alone' ? { standing: match.kind, partner } : {}),
    ...(match !== undefined && 'ms' in match ? { ms: match.ms } : {}),
    ...(isCut ? { cut: true } : {}),
    ...('text' in message ? toContent(message.text) : { kept: false }),
  };
}

/** The message as JSON, and as its very text where a reading would not give that back. */
function toContent(text: string): { readonly message?: unknown; readonly text?: string } {
  try {
    const message: unknown = JSON.parse(text);
    return JSON.stringify(message) === text ? { message } : { message, text };
  } catch {
    return { text };
  }
}

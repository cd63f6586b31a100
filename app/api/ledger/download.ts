import { Readable } from 'node:stream';
import type { RouteContext } from '@/app/define-route';
import { AppError } from '@/lib/core';
import type { LedgerEntry, StoredPayload } from '@/lib/ledger';

/**
 * A payload of an entry as a file, whole and in constant memory. Always JSON to be saved: what a server answered
 * never chooses its own type.
 */
export function toDownload(entry: LedgerEntry, name: 'result' | 'arguments', payload: StoredPayload | null, context: RouteContext): Response {
  if (payload === null) throw new AppError({ code: 'not_found', message: `The entry has no ${name}.` });
  const body = Readable.toWeb(context.runtime.ledger.reader.streamPayload(payload)) as ReadableStream;
  return new Response(body, {
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'content-length': String(payload.sizeBytes),
      'content-disposition': `attachment; filename="${entry.serverKey}-${entry.sequence}-${name}.json"`,
      'content-security-policy': "default-src 'none'; sandbox",
    },
  });
}

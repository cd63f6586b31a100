import { Readable } from 'node:stream';
import { defineRoute } from '@/app/define-route';
import { may } from '@/lib/auth';
import { AppError, toIso } from '@/lib/core';
import { EXPORT_FORMATS } from '@/lib/ledger';
import { exportEntries } from '@/lib/ledger/node';
import { requireFilter } from '../require-filter';

const TYPES = { jsonl: 'application/x-ndjson; charset=utf-8', csv: 'text/csv; charset=utf-8; header=present' } as const;

/**
 * What is filtered as a file, newest first: `?format=jsonl|csv&<filter>`. It is read as it is taken, and ends when
 * the reader leaves or may no longer read it.
 */
export const GET = defineRoute({
  permission: 'ledger.see',
  run: async (request, { principal, runtime }) => {
    const search = new URL(request.url).searchParams;
    const format = EXPORT_FORMATS.find((name) => name === search.get('format'));
    if (format === undefined) {
      const message = `Say which format is wanted: "format" is one of ${EXPORT_FORMATS.join(', ')}.`;
      throw new AppError({ code: 'bad_input', message, fields: [{ field: 'format', message }] });
    }
    const filter = requireFilter(search, principal);
    const lines = exportEntries(
      {
        reader: runtime.ledger.reader,
        redactor: runtime.redactor,
        format,
        seesContents: may(principal.role, 'ledger.see_contents'),
        requireAllowed: async () => {
          const now = await runtime.accounts.principalFor(request.headers);
          if (now?.actor.name !== principal.actor.name || now.role !== principal.role) throw new AppError({ code: 'not_allowed', message: 'The sign-in that the export was begun with has ended.' });
        },
      },
      filter,
      request.signal,
    );
    const body = Readable.toWeb(Readable.from(toBytes(lines), { highWaterMark: 4 })) as ReadableStream;
    return new Response(body, {
      headers: {
        'content-type': TYPES[format],
        'content-disposition': `attachment; filename="ledger-${toIso(runtime.clock.now()).slice(0, 19).replaceAll(':', '')}.${format}"`,
        'content-security-policy': "default-src 'none'; sandbox",
      },
    });
  },
});

async function* toBytes(lines: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  for await (const line of lines) yield Buffer.from(line, 'utf8');
}

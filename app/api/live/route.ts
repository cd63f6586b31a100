import { defineRoute } from '@/app/define-route';
import { may } from '@/lib/auth';
import { openLiveStream } from '@/lib/live/node';

/**
 * The one live stream. It resumes after `Last-Event-ID`, else after `?after=`, else begins with what comes next.
 * It ends with the sign-in or a change of role; the browser comes back with the rights it has then.
 */
export const GET = defineRoute({
  permission: 'ledger.see',
  run: async (request, { principal, runtime }) => {
    const stream = openLiveStream({
      bus: runtime.bus,
      reader: runtime.ledger.reader,
      after: readCursor(request.headers.get('last-event-id')) ?? readCursor(new URL(request.url).searchParams.get('after')),
      seesContents: may(principal.role, 'ledger.see_contents'),
      signal: request.signal,
      isStillAllowed: async () => {
        const now = await runtime.accounts.principalFor(request.headers);
        return now !== null && now.actor.name === principal.actor.name && now.role === principal.role;
      },
    });
    return new Response(stream, {
      headers: {
        'content-type': 'text/event-stream; charset=utf-8',
        'cache-control': 'no-store, no-transform',
        // Proxies that gather answers would hold events back.
        'x-accel-buffering': 'no',
      },
    });
  },
});

const readCursor = (text: string | null): number | null => (text !== null && /^\d{1,15}$/.test(text) ? Number(text) : null);

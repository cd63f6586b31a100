import { createHash, timingSafeEqual } from 'node:crypto';
import { definePublicRoute } from '@/app/define-route';
import { AppError } from '@/lib/core';

/** What Prometheus reads, for whoever bears the token of SIGNALBOX_METRICS_TOKEN; without one there is nothing here. */
export const GET = definePublicRoute({
  run: async (request, { runtime }) => {
    const { metricsToken } = runtime.env;
    const metrics = await runtime.health.metrics();
    if (metricsToken === null || metrics === null) {
      throw new AppError({
        code: 'not_found',
        message: 'This console tells no metrics.',
        remedy: 'Start it with a token in SIGNALBOX_METRICS_TOKEN, and give the reader the same one.',
      });
    }
    if (!bears(request.headers.get('authorization'), metricsToken)) {
      return Response.json(
        { code: 'not_signed_in', message: 'The metrics are for whoever bears the token of SIGNALBOX_METRICS_TOKEN.' },
        { status: 401, headers: { 'www-authenticate': 'Bearer realm="signalbox metrics"' } },
      );
    }
    return new Response(await metrics.render(), { headers: { 'content-type': metrics.contentType } });
  },
});

/** Digests are of one length, and their comparison takes the same time whatever was sent. */
function bears(header: string | null, token: string): boolean {
  const given = /^Bearer +(\S+)$/i.exec(header ?? '')?.[1] ?? '';
  return timingSafeEqual(digest(given), digest(token));
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

import { afterEach, describe, expect, it } from 'vitest';
import { openTestDatabase } from '@/db/testing';
import type { EraChoice } from '@/lib/servers';
import { startLegacySse } from '../../../e2e/servers/legacy-sse.mjs';
import { startRawHttp } from '../../../e2e/servers/raw-http.mjs';
import { startRawSse } from '../../../e2e/servers/raw-sse.mjs';
import { openConnection, StoredEraVerdicts } from '.';
import { MemoryVerdicts, never, resolvedHttp, textWith, until, watch, watchedCall } from './testing';

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function serve(options: Parameters<typeof startRawSse>[0]) {
  const server = await startRawSse(options);
  cleanups.push(() => server.close());
  return server;
}

async function connect(url: string, { era = 'auto', eraVerdicts = new MemoryVerdicts(), connectMs = 10_000 }: { era?: EraChoice; eraVerdicts?: MemoryVerdicts; connectMs?: number } = {}) {
  const resolved = resolvedHttp(url, { era });
  const watched = watch(resolved, { eraVerdicts, connectMs });
  const opened = await openConnection(watched.options, never);
  if (opened.ok) cleanups.push(() => opened.value.close());
  return { opened, watched, eraVerdicts, fingerprint: resolved.fingerprint };
}

const gets = (requests: readonly { method: string }[]) => requests.filter(({ method }) => method === 'GET').length;

describe('an http url of a server that speaks the older transport', () => {
  it.each([400, 404, 405, 'endpoint'] as const)('is connected over it where the first POST gets %s, with a warning that says what to do', async (post) => {
    const server = await serve({ post });
    const { opened, watched } = await connect(server.url);
    if (!opened.ok) throw new Error(opened.error.message);
    expect(opened.value.facts).toMatchObject({ transport: 'sse', era: 'legacy', fellBackFrom: textWith(post === 'endpoint' ? /older HTTP\+SSE/ : `HTTP ${post}`) });
    expect(await opened.value.callTool(watchedCall('echo', { text: 'x' }), never)).toMatchObject({ kind: 'result' });
    expect(watched.ended()).toEqual([
      'config passed', 'resolve passed', 'connect passed', 'http passed', 'auth passed', 'negotiate warned', 'list passed',
    ]);
    expect(watched.stages).toContainEqual(expect.objectContaining({ stage: 'negotiate', outcome: 'warned', detail: textWith('set transport to sse') }));
    await opened.value.close();
    await until(() => server.streams.size === 0, 'no stream is left');
  });

  it('is connected over it where the entry names the legacy era, and to a server of the official SDK', async () => {
    expect((await connect((await serve({})).url, { era: 'legacy' })).opened).toMatchObject({ ok: true, value: { facts: { transport: 'sse' } } });
    const sdk = await startLegacySse();
    cleanups.push(() => sdk.close());
    expect((await connect(sdk.url)).opened).toMatchObject({ ok: true, value: { facts: { transport: 'sse', serverInfo: { name: 'legacy' } } } });
  });

  it('is connected over it at once the next time, and looked at anew when that fails', async () => {
    const server = await serve({});
    const { eraVerdicts, fingerprint } = await connect(server.url);
    expect(eraVerdicts.find(fingerprint)).toMatchObject({ era: 'legacy', transport: 'sse' });
    const before = server.requests.length;
    const { opened } = await connect(server.url, { eraVerdicts });
    expect(opened).toMatchObject({ ok: true, value: { facts: { fellBackFrom: textWith('HTTP') } } });
    expect(opened).toMatchObject({ ok: true, value: { facts: { transport: 'sse' } } });
    expect(server.requests[before]?.method).toBe('GET');
    // The server was brought up to date: it answers POST and has no stream to GET.
    await server.close();
    const newer = await startRawHttp({ port: server.port });
    cleanups.push(() => newer.close());
    const again = await connect(server.url, { eraVerdicts });
    expect(again.opened).toMatchObject({ ok: true, value: { facts: { transport: 'http' } } });
    expect(eraVerdicts.find(fingerprint)?.transport).toBeUndefined();
    await newer.close();
    expect((await connect(server.url, { eraVerdicts })).opened).toMatchObject({ ok: false, error: { code: 'refused' } });
    expect(eraVerdicts.find(fingerprint)).toBeUndefined();
  });

  it('is refused where the entry names the modern era, with a failure of its own', async () => {
    const server = await serve({});
    expect((await connect(server.url, { era: 'modern' })).opened).toMatchObject({ ok: false, error: { code: 'legacy_transport', remediation: textWith('sse') } });
  });
});

describe('an http url that fails', () => {
  it.each([
    [401, 'unauthorized'],
    [403, 'forbidden'],
    [406, 'not_acceptable'],
    [429, 'too_many_requests'],
    [500, 'server_error'],
    [503, 'server_error'],
    ['reset', 'connection_reset'],
    ['silent', 'timed_out'],
  ] as const)('with %s is not tried over the older transport', async (post, code) => {
    const server = await serve({ post });
    const { opened } = await connect(server.url, { connectMs: post === 'silent' ? 2_000 : 10_000 });
    expect(opened).toMatchObject({ ok: false, error: { code } });
    // Who gives tokens is looked up elsewhere.
    expect(gets(server.requests.filter(({ path }) => !path.startsWith('/.well-known/')))).toBe(0);
  });

  it.each([
    [404, 405, 'HTTP 405'],
    [405, 404, 'HTTP 404'],
    [405, 401, 'HTTP 401'],
    [405, 503, 'HTTP 503'],
  ])('over both transports (%s, then %s) shows both, the first as what it is', async (post, get, said) => {
    const server = await serve({ post, get });
    const { opened, watched } = await connect(server.url);
    expect(opened).toMatchObject({
      ok: false,
      error: { code: 'not_an_mcp_endpoint', stage: 'http', message: textWith(new RegExp(`HTTP ${post}.*older HTTP\\+SSE transport was tried as well.*${said}`)), evidence: { httpStatus: post } },
    });
    expect(watched.ended().at(-1)).toBe('http failed');
    expect(gets(server.requests.filter(({ path }) => path === '/sse'))).toBe(1);
  });

  it('within its clock, when the older transport hangs', async () => {
    const server = await serve({ mode: 'endpointNever' });
    const { opened } = await connect(server.url, { connectMs: 2_000 });
    expect(opened).toMatchObject({ ok: false, error: { code: 'not_an_mcp_endpoint', message: textWith('did not answer within 2 s') } });
    await until(() => server.streams.size === 0, 'no stream is left');
  });
});

describe('the kept verdicts', () => {
  it('hold the transport beside the era, and lose it when another verdict comes', () => {
    const database = openTestDatabase();
    const verdicts = new StoredEraVerdicts(database);
    const older = { era: 'legacy', transport: 'sse', refusal: 'It answered HTTP 405.', decidedAt: 1 } as const;
    verdicts.save('f', older);
    expect(verdicts.find('f')).toEqual(older);
    verdicts.save('f', { era: 'modern', decidedAt: 2 });
    expect(verdicts.find('f')).toEqual({ era: 'modern', decidedAt: 2 });
    verdicts.forget('f');
    expect(verdicts.find('f')).toBeUndefined();
    database.close();
  });
});

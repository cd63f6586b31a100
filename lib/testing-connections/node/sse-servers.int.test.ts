import { describe, expect, it } from 'vitest';
import { startLegacySse } from '../../../e2e/servers/legacy-sse.mjs';
import { createCertificate } from '../../../e2e/servers/raw/certificate.mjs';
import { startRawSse } from '../../../e2e/servers/raw-sse.mjs';
import type { ConnectionTestResult } from '../test-result';
import { closedPort, expectFailure, FAILING_SERVERS, type FailingServer, standBench, startProxy } from './remote-testing';

const SHORT = { limits: { connect_s: 4 } };
const HOUR_MS = 3_600_000;

const { bench, kept } = standBench();

const sse = (url: string, fields: object = {}) => bench.entry({ url, transport: 'sse', ...fields });

async function testMode(mode: string, fields: object = {}): Promise<ConnectionTestResult> {
  const { url } = kept(await startRawSse({ mode }));
  return bench.test(sse(url, fields));
}

const FAILING: readonly FailingServer[] = [
  ...FAILING_SERVERS,
  { mode: 'postUnauthorized', code: 'unauthorized', stage: ['auth'], names: ['401'], httpStatus: 401 },
  { mode: 'endpointEnds', code: 'not_an_mcp_endpoint', stage: ['http'], names: ['before it named an endpoint'] },
  { mode: 'endpointNever', code: 'timed_out', stage: ['http'], names: ['127.0.0.1'] },
  { mode: 'silent', code: 'timed_out', stage: ['http'], names: ['127.0.0.1'] },
  { mode: 'answersNothing', code: 'timed_out', stage: ['negotiate'], names: ['127.0.0.1'] },
  { mode: 'resets', code: 'connection_reset', stage: ['http'], names: ['127.0.0.1'] },
];

describe('the test of a server of HTTP+SSE that fails', () => {
  it.each(FAILING)('tells $mode as $code', async ({ mode, code, stage, names, httpStatus }) => {
    const result = await testMode(mode, SHORT);
    expectFailure(result, code, stage, names);
    if (httpStatus !== undefined) expect(result.failure?.evidence.httpStatus).toBe(httpStatus);
  });

  it('tells a host that is not known, and a refused connection', async () => {
    expectFailure(await bench.test(sse('http://no-such-host-of-ours.invalid/sse')), 'host_unknown', ['resolve'], ['no-such-host-of-ours.invalid']);
    const port = await closedPort();
    expectFailure(await bench.test(sse(`http://127.0.0.1:${port}/sse`)), 'refused', ['connect'], [`127.0.0.1:${port}`]);
  });

  it('tells a revision that nobody shares, and a server that hangs on tools/list', async () => {
    expectFailure(await testMode('badVersion'), 'no_shared_revision', ['negotiate'], ['1999-01-01']);
    expectFailure(await testMode('hangsOnList', SHORT), 'list_hangs', ['list'], ['tools/list']);
  });

  it('tells an endpoint of another origin', async () => {
    const server = kept(await startRawSse({ hooks: { onOpen: (stream) => stream.write('event: endpoint\ndata: http://0.0.0.0:8000/messages\n\n') } }));
    expectFailure(await bench.test(sse(server.url)), 'endpoint_elsewhere', ['http'], ['http://0.0.0.0:8000', server.origin, 'proxy']);
  });
});

describe('the test of a server of HTTP+SSE behind TLS or a proxy', () => {
  const testTls = async (certificate: { key: string; cert: string }, tls: object) => bench.test(sse(kept(await startRawSse({ tls: certificate })).url, { tls }));

  it('tells a certificate that nobody vouches for, has expired, or is for another name', async () => {
    expectFailure(await testTls(createCertificate(), {}), 'tls_untrusted', ['connect'], ['tls.ca']);
    const expired = createCertificate({ notBeforeAt: Date.now() - 48 * HOUR_MS, notAfterAt: Date.now() - HOUR_MS });
    expectFailure(await testTls(expired, { ca: expired.cert }), 'tls_expired', ['connect'], ['expired']);
    const other = createCertificate({ host: 'other.example' });
    expectFailure(await testTls(other, { ca: other.cert }), 'tls_wrong_name', ['connect'], ['name']);
  });

  it('passes where the authority is given, and through a proxy', async () => {
    const certificate = createCertificate();
    const proxy = kept(await startProxy());
    const server = kept(await startRawSse({ tls: certificate }));
    const result = await bench.test(sse(server.url, { tls: { ca: certificate.cert }, proxy: proxy.url }));
    expect(result).toMatchObject({ failure: null, warnings: [], facts: { transport: 'sse' } });
    expect(new Set(proxy.asked)).toEqual(new Set([`CONNECT 127.0.0.1:${server.port}`]));
    const refusing = kept(await startProxy({ refuses: '403 Forbidden' }));
    expectFailure(await bench.test(sse(server.url, { tls: { ca: certificate.cert }, proxy: refusing.url })), 'proxy_in_the_way', ['connect'], ['HTTP 403']);
  });
});

describe('the test of a server of HTTP+SSE that works', () => {
  it('passes every stage in order and leaves no stream', async () => {
    const server = kept(await startRawSse({ mode: 'manifest' }));
    const result = await bench.test(sse(server.url));
    expect(result).toMatchObject({ failure: null, warnings: [] });
    expect(result.stages.map(({ stage, outcome }) => `${stage} ${outcome}`)).toEqual([
      'config passed', 'resolve passed', 'connect passed', 'http passed', 'auth passed', 'negotiate passed', 'list passed', 'capabilities passed',
    ]);
    expect(result.snapshot?.manifest?.tools.length).toBeGreaterThan(0);
    await expect.poll(() => server.streams.size).toBe(0);
  });

  it('warns of an empty tool list, and of a transport that is not the one of the address', async () => {
    expect((await testMode('emptyTools')).warnings).toContainEqual(expect.stringContaining('tool list is empty'));
    const sdk = kept(await startLegacySse());
    for (const fields of [{}, { transport: 'http' }]) {
      const result = await bench.test(bench.entry({ url: sdk.url, ...fields }));
      expect(result).toMatchObject({ ok: true, facts: { transport: 'sse', protocolVersion: '2025-11-25' } });
      expect(result.warnings).toEqual([expect.stringMatching(/older HTTP\+SSE transport.*Set its transport to "sse"/)]);
    }
    expect((await bench.test(sse(sdk.url))).warnings).toEqual([]);
  });
});

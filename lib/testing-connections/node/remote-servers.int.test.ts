import { createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import { startLegacyHttp } from '../../../e2e/servers/legacy-http.mjs';
import { startModernHttp } from '../../../e2e/servers/modern-http.mjs';
import { createCertificate } from '../../../e2e/servers/raw/certificate.mjs';
import { redirectTo } from '../../../e2e/servers/raw/http-modes.mjs';
import { startRawHttp } from '../../../e2e/servers/raw-http.mjs';
import type { ConnectionTestResult } from '../test-result';
import { closedPort, expectFailure, FAILING_SERVERS, type FailingServer, standBench } from './remote-testing';

const SHORT = { limits: { connect_s: 4 } };
const HOUR_MS = 3_600_000;

const { bench, kept } = standBench();

async function testMode(mode: string, fields: object = {}): Promise<ConnectionTestResult> {
  const { url } = kept(await startRawHttp({ mode }));
  return bench.test(bench.entry({ url, ...fields }));
}

describe('the test of a server that cannot be reached', () => {
  it('tells a host that is not known', async () => {
    const result = await bench.test(bench.entry({ url: 'http://no-such-host-of-ours.invalid/mcp' }));
    expectFailure(result, 'host_unknown', ['resolve'], ['no-such-host-of-ours.invalid']);
  });

  it('tells a refused connection', async () => {
    const port = await closedPort();
    const result = await bench.test(bench.entry({ url: `http://127.0.0.1:${port}/mcp` }));
    expectFailure(result, 'refused', ['connect'], [`127.0.0.1:${port}`]);
  });

  it('tells a server that takes the connection and never answers', async () => {
    expectFailure(await testMode('silent', SHORT), 'timed_out', ['http', 'negotiate'], ['127.0.0.1']);
  });

  it('tells a connection that is cut', async () => {
    expectFailure(await testMode('resets', SHORT), 'connection_reset', ['http', 'negotiate'], ['127.0.0.1']);
  });
});

describe('the test of a server behind TLS', () => {
  const testTls = async (certificate: { key: string; cert: string }, tls: object, url = (served: string) => served) => {
    const server = kept(await startRawHttp({ tls: certificate }));
    return bench.test(bench.entry({ url: url(server.url), tls }));
  };

  it('tells a certificate that nobody vouches for, with its facts', async () => {
    const result = await testTls(createCertificate(), {});
    expectFailure(result, 'tls_untrusted', ['connect'], ['tls.ca']);
    expect(result.failure?.evidence.certificate?.subject).toContain('127.0.0.1');
    expect(result.failure?.evidence.certificate?.validTo).toBeTruthy();
  });

  it('tells a certificate that has expired', async () => {
    const certificate = createCertificate({ notBeforeAt: Date.now() - 48 * HOUR_MS, notAfterAt: Date.now() - HOUR_MS });
    expectFailure(await testTls(certificate, { ca: certificate.cert }), 'tls_expired', ['connect'], ['expired']);
  });

  it('tells a certificate that is not valid yet, and from when it is', async () => {
    const from = new Date(Date.now() + 48 * HOUR_MS);
    const certificate = createCertificate({ notBeforeAt: from.getTime(), notAfterAt: Date.now() + 96 * HOUR_MS });
    const result = await testTls(certificate, { ca: certificate.cert });
    const moment = from.toISOString().slice(0, 16).replace('T', ' ');
    expectFailure(result, 'tls_not_yet_valid', ['connect'], ['not valid yet', `valid from ${moment} UTC`, `wait until ${moment} UTC`]);
    expect(result.failure?.evidence.certificate?.validFrom).toBeTruthy();
  });

  it.each(['ca', 'cert'])('tells tls.%s without a certificate in it, or with one that cannot be read, before anything is connected', async (field) => {
    const certificate = createCertificate();
    for (const [text, words] of [
      [certificate.key, 'has no certificate in it'],
      ['-----BEGIN CERTIFICATE-----\nbm9uc2Vuc2U=\n-----END CERTIFICATE-----\n', 'cannot be read'],
    ]) {
      const result = await testTls(certificate, { [field]: text });
      expectFailure(result, 'config_invalid', ['config'], [`tls.${field}`, words ?? '']);
      expect(result.stages).toHaveLength(1);
      expect(JSON.stringify(result)).not.toContain('PRIVATE KEY');
    }
  });

  it('tells a certificate for another name', async () => {
    const certificate = createCertificate({ host: 'other.example' });
    expectFailure(await testTls(certificate, { ca: certificate.cert }), 'tls_wrong_name', ['connect'], ['name']);
  });

  it('tells a server that hangs up on the TLS handshake', async () => {
    const server = createServer((socket) => socket.destroy());
    await new Promise((listening) => server.listen(0, '127.0.0.1', () => listening(undefined)));
    kept({ close: () => new Promise<void>((closed) => server.close(() => closed())) });
    const address = server.address();
    const port = address !== null && typeof address === 'object' ? address.port : 0;
    expectFailure(await bench.test(bench.entry({ url: `https://127.0.0.1:${port}/mcp` })), 'tls_failed', ['connect'], ['http://']);
  });

  it('tells a server that speaks no TLS', async () => {
    const { port } = kept(await startRawHttp());
    expectFailure(await bench.test(bench.entry({ url: `https://127.0.0.1:${port}/mcp` })), 'tls_failed', ['connect'], ['http://']);
  });

  it('passes where the authority is given', async () => {
    const certificate = createCertificate();
    const result = await testTls(certificate, { ca: certificate.cert });
    expect(result.failure).toBeNull();
    expect(result.warnings).toEqual([]);
  });

  it('passes with a warning where nothing is verified', async () => {
    const result = await testTls(createCertificate({ host: 'other.example' }), { insecure: true });
    expect(result.failure).toBeNull();
    expect(result.warnings).toContainEqual(expect.stringContaining('TLS not verified'));
  });
});

const REFUSING: readonly FailingServer[] = [
  ...FAILING_SERVERS,
  { mode: 'html404', code: 'not_an_mcp_endpoint', stage: ['http'], names: ['404'], httpStatus: 404 },
  { mode: 'json200', code: 'not_an_mcp_endpoint', stage: ['http', 'negotiate'], names: ['/mcp'] },
  { mode: 'empty200', code: 'not_an_mcp_endpoint', stage: ['http', 'negotiate'], names: ['/mcp'] },
  // In the other eras the older transport is fallen back to.
  { mode: 'legacySse', fields: { era: 'modern' }, code: 'legacy_transport', stage: ['http', 'negotiate'], names: ['sse'] },
  { mode: 'badVersion', code: 'no_shared_revision', stage: ['negotiate'], names: ['1999-01-01'] },
];

describe('the test of a server that refuses', () => {
  it.each(REFUSING)('tells $mode as $code', async ({ mode, code, stage, names, httpStatus, fields }) => {
    const result = await testMode(mode, { ...SHORT, ...fields });
    expectFailure(result, code, stage, names);
    if (httpStatus !== undefined) expect(result.failure?.evidence.httpStatus).toBe(httpStatus);
  });

  it('tells a server that hangs on tools/list', async () => {
    expectFailure(await testMode('hangsOnList', SHORT), 'list_hangs', ['list'], ['tools/list']);
  });

  it('gives another remedy where an authorization server can be discovered', async () => {
    const plain = await testMode('unauthorized');
    const discoverable = await testMode('unauthorizedDiscoverable');
    expect(discoverable.failure?.remediation).not.toBe(plain.failure?.remediation);
    expect(`${discoverable.failure?.message} ${discoverable.failure?.remediation}`).toContain('/as');
  });

  it('sends nothing of the credentials to another origin', async () => {
    const sink = kept(await startRawHttp());
    const server = kept(await startRawHttp({ hook: redirectTo(sink.url) }));
    const result = await bench.test(bench.entry({ url: server.url, headers: { Authorization: 'Bearer hunter2-hunter2', 'X-Api-Key': 'hunter2-also' } }));
    expectFailure(result, 'redirected', ['http'], [sink.origin]);
    expect(sink.requests).toEqual([]);
    expect(JSON.stringify(result)).not.toContain('hunter2');
  });
});

describe('the test of a server that works', () => {
  it('passes every stage in order', async () => {
    const { url, sessions } = kept(await startRawHttp({ mode: 'manifest' }));
    const result = await bench.test(bench.entry({ url }));
    expect(result.failure).toBeNull();
    expect(result.stages.map(({ stage, outcome }) => `${stage} ${outcome}`)).toEqual([
      'config passed', 'resolve passed', 'connect passed', 'http passed', 'auth passed', 'negotiate passed', 'list passed', 'capabilities passed',
    ]);
    expect(result.snapshot?.manifest?.tools.length).toBeGreaterThan(0);
    expect(sessions.size, 'sessions that were left open').toBe(0);
  });

  it.each([['labelsMissing', 'without a content type'], ['labelsPlain', 'text/plain']])('warns once of messages with a wrong label (%s)', async (mode, label) => {
    const result = await testMode(mode);
    expect(result.ok).toBe(true);
    expect(result.warnings).toEqual([expect.stringMatching(/^It sends JSON-RPC messages /)]);
    expect(result.warnings[0]).toContain(label);
  });

  it('warns of an empty tool list', async () => {
    const result = await testMode('emptyTools');
    expect(result.ok).toBe(true);
    expect(result.warnings).toContainEqual(expect.stringContaining('tool list is empty'));
  });

  it.each([
    'refusesGet400', 'refusesGet401', 'refusesGet404', 'refusesGet500', 'sseLf', 'sseCrlf', 'sseCr', 'sseBom', 'sseComments', 'sseManyLines', 'sseForeign',
    'sseSplit', 'acknowledges204', 'acknowledges200', 'acknowledgesNull', 'acknowledgesBody', 'labelsOddCase', 'labelsGzip', 'redirectSame', 'slowAnswer',
  ])('bears with %s', async (mode) => {
    const result = await testMode(mode);
    expect(result.failure).toBeNull();
    expect(result.snapshot?.toolList.tools.map(({ name }) => name)).toEqual(['echo']);
  });

  it('speaks with servers of both SDK lines, each in its era', async () => {
    const modern = kept(await startModernHttp());
    const legacy = kept(await startLegacyHttp());
    expect((await bench.test(bench.entry({ url: modern.url }))).facts).toMatchObject({ era: 'modern', protocolVersion: '2026-07-28' });
    expect((await bench.test(bench.entry({ url: legacy.url }))).facts).toMatchObject({ era: 'legacy', protocolVersion: '2025-11-25' });
    expect(legacy.sessions.size, 'sessions that were left open').toBe(0);
  });
});

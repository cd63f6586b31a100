import { describe, expect, it } from 'vitest';
import { startLegacyWebSocket } from '../../../e2e/servers/legacy-websocket.mjs';
import { createCertificate } from '../../../e2e/servers/raw/certificate.mjs';
import { redirectTo } from '../../../e2e/servers/raw/http-modes.mjs';
import { startRawHttp } from '../../../e2e/servers/raw-http.mjs';
import { closesOn } from '../../../e2e/servers/raw/ws-modes.mjs';
import { startRawWs } from '../../../e2e/servers/raw-ws.mjs';
import type { ConnectionTestResult } from '../test-result';
import { closedPort, expectFailure, FAILING_SERVERS, type FailingServer, standBench, startProxy } from './remote-testing';

const SHORT = { limits: { connect_s: 4 } };
const HOUR_MS = 3_600_000;

const { bench, kept } = standBench();

async function testMode(mode: string, fields: object = {}): Promise<ConnectionTestResult> {
  const { url } = kept(await startRawWs({ mode }));
  return bench.test(bench.entry({ url, ...fields }));
}

const FAILING: readonly FailingServer[] = [
  ...FAILING_SERVERS,
  { mode: 'html200', code: 'not_an_mcp_endpoint', stage: ['http'], names: ['web page', 'WebSocket'], httpStatus: 200 },
  { mode: 'upgradeRequired', code: 'not_an_mcp_endpoint', stage: ['http'], names: ['426', 'https://'], httpStatus: 426 },
  { mode: 'noSubprotocol', code: 'subprotocol_refused', stage: ['http'], names: ['subprotocol mcp'] },
  { mode: 'closesForSignIn', code: 'unauthorized', stage: ['auth', 'negotiate'], names: ['4401', 'token expired'] },
  { mode: 'handshakeNever', code: 'timed_out', stage: ['http'], names: ['127.0.0.1'] },
  { mode: 'mute', code: 'timed_out', stage: ['negotiate'], names: ['127.0.0.1'] },
  { mode: 'cutsHandshake', code: 'connection_reset', stage: ['http'], names: ['127.0.0.1'] },
];

describe('the test of a WebSocket server that fails', () => {
  it.each(FAILING)('tells $mode as $code', async ({ mode, code, stage, names, httpStatus }) => {
    const result = await testMode(mode, SHORT);
    expectFailure(result, code, stage, names);
    if (httpStatus !== undefined) expect(result.failure?.evidence.httpStatus).toBe(httpStatus);
  });

  it('tells a host that is not known, and a refused connection', async () => {
    expectFailure(await bench.test(bench.entry({ url: 'ws://no-such-host-of-ours.invalid/mcp' })), 'host_unknown', ['resolve'], ['no-such-host-of-ours.invalid']);
    const port = await closedPort();
    expectFailure(await bench.test(bench.entry({ url: `ws://127.0.0.1:${port}/mcp` })), 'refused', ['connect'], [`127.0.0.1:${port}`]);
  });

  it('tells a revision that nobody shares, and a server that hangs on tools/list', async () => {
    expectFailure(await testMode('badVersion'), 'no_shared_revision', ['negotiate'], ['1999-01-01']);
    expectFailure(await testMode('hangsOnList', SHORT), 'list_hangs', ['list'], ['tools/list']);
  });

  it('tells a close during the handshake with code and reason, and what to do', async () => {
    const server = kept(await startRawWs({ hooks: closesOn('initialize', 1008, 'origin not allowed') }));
    const result = await bench.test(bench.entry({ url: server.url, ...SHORT }));
    expectFailure(result, 'closed_for_policy', ['negotiate', 'auth'], ['1008', 'origin not allowed', 'not tried again']);
    expect(result.failure?.evidence).toMatchObject({ closeCode: 1008, closeReason: 'origin not allowed' });
  });

  it('gives another remedy where an authorization server can be discovered', async () => {
    const discoverable = await testMode('unauthorizedDiscoverable');
    expectFailure(discoverable, 'unauthorized', ['auth'], ['/as']);
  });

  it('sends nothing of the credentials to another origin', async () => {
    const sink = kept(await startRawHttp());
    const server = kept(await startRawHttp({ hook: redirectTo(sink.url) }));
    const result = await bench.test(bench.entry({ url: server.url.replace('http', 'ws'), headers: { Authorization: 'Bearer hunter2-hunter2' } }));
    expectFailure(result, 'redirected', ['http'], [sink.origin]);
    expect(sink.requests).toEqual([]);
    expect(JSON.stringify(result)).not.toContain('hunter2');
  });
});

describe('the test of a WebSocket server behind TLS', () => {
  const testTls = async (certificate: { key: string; cert: string }, tls: object) => {
    const server = kept(await startRawWs({ tls: certificate }));
    return bench.test(bench.entry({ url: server.url, tls }));
  };

  it('tells a certificate that nobody vouches for, has expired, or is for another name', async () => {
    const untrusted = await testTls(createCertificate(), {});
    expectFailure(untrusted, 'tls_untrusted', ['connect'], ['tls.ca']);
    expect(untrusted.failure?.evidence.certificate?.validTo).toBeTruthy();
    const expired = createCertificate({ notBeforeAt: Date.now() - 48 * HOUR_MS, notAfterAt: Date.now() - HOUR_MS });
    expectFailure(await testTls(expired, { ca: expired.cert }), 'tls_expired', ['connect'], ['expired']);
    const other = createCertificate({ host: 'other.example' });
    expectFailure(await testTls(other, { ca: other.cert }), 'tls_wrong_name', ['connect'], ['name']);
  });

  it('tells a server that speaks no TLS', async () => {
    const { port } = kept(await startRawWs());
    expectFailure(await bench.test(bench.entry({ url: `wss://127.0.0.1:${port}/mcp` })), 'tls_failed', ['connect'], ['ws://']);
  });

  it('passes where the authority is given, and with a warning where nothing is verified', async () => {
    const certificate = createCertificate();
    const trusted = await testTls(certificate, { ca: certificate.cert });
    expect(trusted).toMatchObject({ failure: null, warnings: [] });
    expect(trusted.stages.find(({ stage }) => stage === 'connect')?.evidence.certificate?.subject).toBe('127.0.0.1');
    const insecure = await testTls(createCertificate({ host: 'other.example' }), { insecure: true });
    expect(insecure.failure).toBeNull();
    expect(insecure.warnings).toContainEqual(expect.stringContaining('TLS not verified'));
  });
});

describe('the test of a WebSocket server behind a proxy', () => {
  it('goes through a tunnel with the credentials of the proxy, with and without TLS', async () => {
    const proxy = kept(await startProxy());
    const certificate = createCertificate();
    const [plain, secure] = [kept(await startRawWs()), kept(await startRawWs({ tls: certificate }))];
    const address = proxy.url.replace('http://', 'http://user:pass@');
    for (const { url } of [plain, secure]) {
      const result = await bench.test(bench.entry({ url, proxy: address, tls: { ca: certificate.cert } }));
      expect(result.failure).toBeNull();
      expect(JSON.stringify(result)).not.toContain('user:pass');
    }
    const credentials = `Basic ${Buffer.from('user:pass').toString('base64')}`;
    expect(proxy.asked).toEqual([`CONNECT 127.0.0.1:${plain.port} ${credentials}`, `CONNECT 127.0.0.1:${secure.port} ${credentials}`]);
  });

  it('tells a proxy that refuses, and one that is not there', async () => {
    const { url } = kept(await startRawWs());
    const refusing = kept(await startProxy({ refuses: '403 Forbidden' }));
    expectFailure(await bench.test(bench.entry({ url, proxy: refusing.url })), 'proxy_in_the_way', ['connect'], ['HTTP 403', 'HTTPS_PROXY']);
    const gone = await bench.test(bench.entry({ url, proxy: `http://127.0.0.1:${await closedPort()}` }));
    expectFailure(gone, 'proxy_in_the_way', ['connect'], ['proxy']);
  });
});

describe('the test of a WebSocket server that works', () => {
  it('passes every stage in order', async () => {
    const server = kept(await startRawWs({ mode: 'manifest' }));
    const result = await bench.test(bench.entry({ url: server.url }));
    expect(result.failure).toBeNull();
    expect(result.stages.map(({ stage, outcome }) => `${stage} ${outcome}`)).toEqual([
      'config passed', 'resolve passed', 'connect passed', 'http passed', 'auth passed', 'negotiate passed', 'list passed', 'capabilities passed',
    ]);
    expect(result.facts).toMatchObject({ transport: 'websocket' });
    expect(result.snapshot?.manifest?.tools.length).toBeGreaterThan(0);
    expect(server.peers[0]?.closed).toMatchObject({ code: 1000 });
  });

  it('speaks with a server of the official SDK', async () => {
    const server = kept(await startLegacyWebSocket());
    expect(await bench.test(bench.entry({ url: server.url }))).toMatchObject({ ok: true, facts: { transport: 'websocket', protocolVersion: '2025-11-25' } });
  });

  it('warns of an empty tool list, and of text that is no message', async () => {
    expect((await testMode('emptyTools')).warnings).toContainEqual(expect.stringContaining('tool list is empty'));
    const noisy = await testMode('strayTexts');
    expect(noisy.ok).toBe(true);
    expect(noisy.strayLines.count).toBeGreaterThan(0);
  });
});

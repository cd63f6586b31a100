import type { ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { createCertificate } from '../../../e2e/servers/raw/certificate.mjs';
import { startRawHttp } from '../../../e2e/servers/raw-http.mjs';
import { startRawSse } from '../../../e2e/servers/raw-sse.mjs';
import { expectFailure, standBench, startProxy } from './remote-testing';

const SHORT = { limits: { connect_s: 2 } };
const PAGE = '<!DOCTYPE html><html><body>Access denied by the gateway</body></html>';
const HTML = { 'content-type': 'text/html' };

const { bench, kept } = standBench();

const withCredentials = (url: string): string => url.replace('://', '://user:hunter2@');

describe.each(['http', 'sse'] as const)('the test of a server over %s behind a proxy that answers itself', (transport) => {
  it.each([
    ['a page with 403', { status: 403, headers: HTML, body: PAGE }],
    ['a page with 502', { status: 502, headers: HTML, body: PAGE }],
    ['a page with 503 that it signs', { status: 503, headers: { ...HTML, via: '1.1 corp (squid)', 'x-squid-error': 'ERR_DNS_FAIL 0' }, body: PAGE }],
    ['a text with 403 that it says is its own', { status: 403, headers: { 'content-type': 'text/plain', 'proxy-status': 'corp; error=http_request_denied' }, body: 'no' }],
    ['a question for a sign-in', { status: 407, headers: { ...HTML, 'proxy-authenticate': 'Basic realm="corp"' }, body: PAGE }],
  ])('tells %s as of the proxy, and never its credentials', async (_, answers) => {
    const proxy = kept(await startProxy({ answers }));
    const result = await bench.test(bench.entry({ url: 'http://mcp.example/mcp', transport, proxy: withCredentials(proxy.url), ...SHORT }));
    expectFailure(result, 'proxy_in_the_way', ['connect', 'http'], [new URL(proxy.url).host, 'mcp.example', `HTTP ${answers.status}`]);
    expect(result.failure?.evidence.httpStatus).toBe(answers.status);
    expect(JSON.stringify(result)).not.toContain('hunter2');
  });

  it('says both where the answer may be of either', async () => {
    const proxy = kept(await startProxy({ answers: { status: 403, headers: { 'content-type': 'text/plain' }, body: 'forbidden' } }));
    const result = await bench.test(bench.entry({ url: 'http://mcp.example/mcp', transport, proxy: proxy.url, ...SHORT }));
    expectFailure(result, 'forbidden', ['auth', 'http'], ['mcp.example', new URL(proxy.url).host]);
  });

  it('keeps what the server itself refuses its own', async () => {
    const proxy = kept(await startProxy());
    const refusal = { jsonrpc: '2.0', id: null, error: { code: -32_000, message: 'this account may not' } };
    const hook = ({ response }: { response: ServerResponse }) => {
      response.writeHead(403, { 'content-type': 'application/json', via: '1.1 corp' }).end(JSON.stringify(refusal));
      return true;
    };
    const server = kept(await startRawHttp({ hook }));
    const result = await bench.test(bench.entry({ url: server.url, transport, proxy: proxy.url, ...SHORT }));
    expectFailure(result, 'forbidden', ['auth', 'http'], ['this account may not']);
    expect(result.failure?.message).not.toContain(new URL(proxy.url).host);
  });

  it('names a proxy that takes the request and never answers', async () => {
    const proxy = kept(await startProxy({ answers: null }));
    const result = await bench.test(bench.entry({ url: 'http://mcp.example/mcp', transport, proxy: withCredentials(proxy.url), ...SHORT }));
    expectFailure(result, 'timed_out', ['connect', 'http', 'negotiate'], [new URL(proxy.url).host, 'mcp.example']);
    expect(JSON.stringify(result)).not.toContain('hunter2');
  });
});

describe.each([['http', 'https'], ['sse', 'https'], ['websocket', 'ws'], ['websocket', 'wss']] as const)('the test of a server over %s (%s) behind a proxy that never answers CONNECT', (transport, scheme) => {
  it('names the proxy and what it did not do', async () => {
    const proxy = kept(await startProxy({ isDeaf: true }));
    const result = await bench.test(bench.entry({ url: `${scheme}://mcp.example/mcp`, transport, proxy: withCredentials(proxy.url), ...SHORT }));
    expectFailure(result, 'timed_out', ['connect'], [new URL(proxy.url).host, 'mcp.example', 'CONNECT']);
    expect(JSON.stringify(result)).not.toContain('hunter2');
  });
});

describe('a page that the server itself writes behind a tunnel', () => {
  it.each(['http', 'sse'] as const)('is of the server, since no proxy can write it (%s)', async (transport) => {
    const certificate = createCertificate();
    const proxy = kept(await startProxy());
    const server = kept(await startRawHttp({ mode: 'htmlForbidden', tls: certificate }));
    const result = await bench.test(bench.entry({ url: server.url, transport, tls: { ca: certificate.cert }, proxy: proxy.url, ...SHORT }));
    expectFailure(result, 'forbidden', ['auth', 'http'], ['127.0.0.1']);
  });

  it('passes through a proxy that lets it pass', async () => {
    const proxy = kept(await startProxy());
    const http = kept(await startRawHttp());
    const sse = kept(await startRawSse());
    expect(await bench.test(bench.entry({ url: http.url, proxy: proxy.url }))).toMatchObject({ failure: null, warnings: [] });
    expect(await bench.test(bench.entry({ url: sse.url, transport: 'sse', proxy: proxy.url }))).toMatchObject({ failure: null, warnings: [] });
  });
});

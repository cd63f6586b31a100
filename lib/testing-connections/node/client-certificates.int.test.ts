import { describe, expect, it } from 'vitest';
import { createCertificate } from '../../../e2e/servers/raw/certificate.mjs';
import { startRawHttp } from '../../../e2e/servers/raw-http.mjs';
import { startRawSse } from '../../../e2e/servers/raw-sse.mjs';
import { startRawWs } from '../../../e2e/servers/raw-ws.mjs';
import { closedPort, expectFailure, standBench, startProxy } from './remote-testing';

const { bench, kept } = standBench();

const OWN = createCertificate();
const CLIENT = createCertificate({ host: 'client.example' });
const OTHER = createCertificate({ host: 'other.example' });

const STARTS = { http: startRawHttp, sse: startRawSse, websocket: startRawWs } as const;

describe.each(['http', 'sse', 'websocket'] as const)('a server over %s that wants a client certificate', (transport) => {
  const testWith = async (tls: object, more: object = {}) => {
    const asks = { ...OWN, requestCert: true, rejectUnauthorized: true, ca: CLIENT.cert, ...more };
    const server = await STARTS[transport]({ tls: asks });
    kept(server);
    return bench.test(bench.entry({ url: server.url, transport, tls: { ca: OWN.cert, ...tls } }));
  };

  it('is told as that where none is given', async () => {
    expectFailure(await testWith({}), 'tls_client_certificate', ['connect', 'http'], ['client certificate', 'tls.cert', 'tls.key']);
  });

  it('passes with one that it accepts', async () => {
    expect(await testWith({ cert: CLIENT.cert, key: CLIENT.key })).toMatchObject({ failure: null, warnings: [] });
    expect(await testWith({ cert: CLIENT.cert, key: CLIENT.key }, { maxVersion: 'TLSv1.2' })).toMatchObject({ failure: null });
  });

  it('tells a key that does not belong to the certificate, and one that cannot be read', async () => {
    expectFailure(await testWith({ cert: CLIENT.cert, key: OTHER.key }), 'tls_client_key', ['connect'], ['key values mismatch', 'tls.key']);
    expectFailure(await testWith({ cert: CLIENT.cert, key: '-----BEGIN PRIVATE KEY-----\nnonsense\n-----END PRIVATE KEY-----\n' }), 'tls_client_key', ['connect'], ['tls.key']);
  });

  it('says that a certificate may be what is missing where an older server only breaks off', async () => {
    expectFailure(await testWith({}, { maxVersion: 'TLSv1.2' }), 'tls_failed', ['connect'], ['tls.cert']);
  });
});

it('is told where the server says it over HTTP, as nginx does', async () => {
  const body = '<html><head><title>400 No required SSL certificate was sent</title></head></html>';
  const server = await startRawHttp({
    hook: ({ response }) => {
      response.writeHead(400, { 'content-type': 'text/html' }).end(body);
      return true;
    },
  });
  kept(server);
  expectFailure(await bench.test(bench.entry({ url: server.url })), 'tls_client_certificate', ['http'], ['tls.cert']);
});

describe.each(['http', 'sse', 'websocket'] as const)('a server over %s behind a proxy that is reached over TLS', (transport) => {
  it('is reached where the authority of the proxy is given, with and without TLS of its own', async () => {
    const proxy = await startProxy({ tls: OWN });
    kept(proxy);
    for (const tls of [undefined, OWN]) {
      const server = await STARTS[transport]({ tls });
      kept(server);
      expect(await bench.test(bench.entry({ url: server.url, transport, proxy: proxy.url, tls: { ca: OWN.cert } }))).toMatchObject({ failure: null });
    }
    expect(proxy.asked.length).toBeGreaterThan(1);
    const server = await STARTS[transport]();
    kept(server);
    expectFailure(await bench.test(bench.entry({ url: server.url, transport, proxy: proxy.url })), 'proxy_in_the_way', ['connect', 'http'], [new URL(proxy.url).host]);
    const gone = `http://127.0.0.1:${await closedPort()}`;
    expectFailure(await bench.test(bench.entry({ url: server.url, transport, proxy: gone })), 'proxy_in_the_way', ['connect'], [new URL(gone).host]);
  });
});

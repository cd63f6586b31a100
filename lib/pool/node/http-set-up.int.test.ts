import { createServer as createHttpServer, request as forward } from 'node:http';
import { connect as dialSocket, createServer, type AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { createCertificate } from '../../../e2e/servers/raw/certificate.mjs';
import type { ResolvedServer } from '@/lib/servers';
import { openConnection } from '.';
import { echo, httpServers, withRemote, withTls } from './http-testing';
import { never, resolvedHttp, textWith, until, watch } from './testing';
import { REFUSALS } from './testing-refusals';

const { cleanups, serve, connect } = httpServers();

const portOf = (address: string | AddressInfo | null): number => (typeof address === 'object' && address !== null ? address.port : 0);
const withProxy = (resolved: ResolvedServer, proxy: string) => withRemote(resolved, { proxy });

describe('an HTTP server that cannot be set up', () => {
  it.each<(typeof REFUSALS)[number]>([
    ...REFUSALS,
    ['plain200', 'not_an_mcp_endpoint', 'http'],
    ['plain404', 'not_an_mcp_endpoint', 'http'],
    ['empty200', 'not_an_mcp_endpoint', 'http'],
    ['unauthorizedBasic', 'unauthorized', 'auth'],
    ['legacySse', 'legacy_transport', 'http'],
    ['redirectPermanent', 'redirected', 'http'],
    ['sseErrorInside200', 'protocol_error', 'list'],
  ])('%s is told as %s at %s', async (mode, code, stage) => {
    const server = await serve({ mode });
    // In the other eras the older transport is fallen back to.
    const { opened, watched } = await connect(server.url, mode === 'legacySse' ? { era: 'modern' } : {});
    expect(opened).toMatchObject({ ok: false, error: { code, stage } });
    expect(watched.ended().at(-1)).toBe(`${stage} failed`);
    if (!opened.ok) {
      expect(opened.error.message).not.toContain('<');
      expect((opened.error.evidence.body ?? '').length).toBeLessThanOrEqual(2_000);
    }
  });

  it.each([['silent', 'timed_out'], ['hangsOnList', 'list_hangs']])('%s ends at its clock as %s', async (mode, code) => {
    const server = await serve({ mode });
    expect((await connect(server.url, { limits: { connect_s: 2 } })).opened).toMatchObject({ ok: false, error: { code } });
  });

  it('tells an unknown host and a refused port apart', async () => {
    expect((await connect('http://no-such-host.invalid/mcp')).opened).toMatchObject({ ok: false, error: { code: 'host_unknown', stage: 'resolve' } });
    const free = createServer();
    const port = await new Promise<number>((resolve) => free.listen(0, '127.0.0.1', () => resolve(portOf(free.address()))));
    await new Promise((resolve) => free.close(resolve));
    expect((await connect(`http://127.0.0.1:${port}/mcp`)).opened).toMatchObject({ ok: false, error: { code: 'refused', stage: 'connect' } });
    expect((await connect('http://169.254.169.254/mcp')).opened).toMatchObject({ ok: false, error: { code: 'address_not_allowed' } });
  });

  it.each([
    ['tls_untrusted', {}, {}],
    ['tls_expired', { notAfterAt: Date.now() - 1000 }, { trusts: true }],
    ['tls_wrong_name', { host: 'elsewhere.example' }, { trusts: true }],
  ] as const)('tells a certificate that is %s', async (code, made, { trusts = false }: { trusts?: boolean }) => {
    const tls = createCertificate(made);
    const server = await serve({ tls });
    const resolved = withTls(resolvedHttp(server.url), trusts ? { ca: tls.cert, insecure: false } : { insecure: false });
    expect(await openConnection(watch(resolved).options, never)).toMatchObject({ ok: false, error: { code, stage: 'connect' } });
  });

  it('trusts the authority that the entry names, and says that TLS is not verified where it is told not to', async () => {
    const tls = createCertificate();
    const server = await serve({ tls });
    for (const [settings, ended] of [[{ ca: tls.cert, insecure: false }, 'connect passed'], [{ insecure: true }, 'connect warned']] as const) {
      const watched = watch(withTls(resolvedHttp(server.url), settings));
      const opened = await openConnection(watched.options, never);
      if (!opened.ok) throw new Error(opened.error.message);
      cleanups.push(() => opened.value.close());
      expect(watched.ended()).toContain(ended);
      expect(await opened.value.callTool(echo(), never)).toMatchObject({ kind: 'result' });
    }
  });

  it('goes through a proxy, and tells one that refuses', async () => {
    const tls = createCertificate();
    const secure = await serve({ tls });
    const plain = await serve({});
    const asked: string[] = [];
    const proxy = createHttpServer((request, response) => {
      asked.push(`${request.method} ${request.url}`);
      const target = new URL(request.url ?? '');
      request.pipe(forward(target, { method: request.method, headers: request.headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 500, answer.headers);
        answer.pipe(response);
      }));
    });
    let refuses = false;
    const tunnels = new Set<Duplex>();
    proxy.on('connect', (request, socket) => {
      asked.push(`CONNECT ${request.url}`);
      tunnels.add(socket);
      socket.on('close', () => tunnels.delete(socket));
      if (refuses) {
        socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
        return;
      }
      const [host, port] = (request.url ?? '').split(':');
      const onward = dialSocket(Number(port), host, () => {
        socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
        onward.pipe(socket).pipe(onward);
      });
      // Without a pipe nothing reads the socket any more, and its end would not be seen.
      onward.on('close', () => socket.resume());
      onward.on('error', () => socket.destroy());
      socket.on('error', () => onward.destroy());
    });
    const port = await new Promise<number>((resolve) => proxy.listen(0, '127.0.0.1', () => resolve(portOf(proxy.address()))));
    cleanups.push(() => new Promise((resolve) => { proxy.close(resolve); proxy.closeAllConnections(); }));
    for (const resolved of [resolvedHttp(plain.url), withTls(resolvedHttp(secure.url), { ca: tls.cert, insecure: false })]) {
      const opened = await openConnection(watch(withProxy(resolved, `http://127.0.0.1:${port}`)).options, never);
      if (!opened.ok) throw new Error(opened.error.message);
      await opened.value.close();
    }
    await until(() => tunnels.size === 0, 'every tunnel is closed');
    expect(asked).toContain(`POST ${plain.url}`);
    expect(asked).toContain(`CONNECT 127.0.0.1:${secure.port}`);
    refuses = true;
    const refused = watch(withProxy(withTls(resolvedHttp(secure.url), { insecure: true }), `http://127.0.0.1:${port}`));
    expect(await openConnection(refused.options, never)).toMatchObject({ ok: false, error: { code: 'proxy_in_the_way', message: textWith('HTTP 403') } });
  });
});

import { describe, expect, it } from 'vitest';
import type { startRawHttp } from '../../../e2e/servers/raw-http.mjs';
import { echo, httpServers } from './http-testing';
import { never, textWith } from './testing';

const { serve, connect, requireConnection } = httpServers();

type RawServer = Awaited<ReturnType<typeof startRawHttp>>;
const methodsOf = ({ requests }: RawServer) => requests.map(({ method, message }) => message?.method ?? method);
const countOf = (server: RawServer, what: string) => methodsOf(server).filter((method) => method === what).length;

describe('an older server', () => {
  it.each([
    'probe202', 'probeEmpty', 'probePlain', 'probeHtml', 'probeJson', 'probe403', 'probe406', 'probe500', 'probeResets', 'probeSilent', 'probeStreamHeld',
    'probeStreamEnds',
  ])('is connected by initialize whatever it makes of the probe (%s)', async (mode) => {
    const server = await serve({ mode });
    const connection = await requireConnection(server.url);
    expect(connection.facts).toMatchObject({ transport: 'http', era: 'legacy', protocolVersion: '2025-11-25' });
    expect(await connection.callTool(echo(), never)).toMatchObject({ kind: 'result' });
    expect([countOf(server, 'server/discover'), countOf(server, 'initialize')]).toEqual([1, 1]);
  });

  it('that is silent on the probe is connected within a short clock', async () => {
    const server = await serve({ mode: 'probeSilent' });
    expect((await connect(server.url, { limits: { connect_s: 4 } })).opened).toMatchObject({ ok: true });
  });

  it('that fails initialize as well is told by that', async () => {
    const { opened } = await connect((await serve({ mode: 'probeSilentThenHtml' })).url);
    expect(opened).toMatchObject({ ok: false, error: { code: 'not_an_mcp_endpoint', message: textWith('web page') } });
  });

  it.each([
    ['forbidden', 'forbidden', 1, 1],
    ['html200', 'not_an_mcp_endpoint', 1, 1],
    ['unauthorized', 'unauthorized', 1, 0],
    ['tooManyRequests', 'too_many_requests', 1, 0],
    ['proxyAuthentication', 'proxy_in_the_way', 1, 0],
    ['probe401', 'unauthorized', 1, 0],
    ['probe429', 'too_many_requests', 1, 0],
  ])('that refuses is not asked more often than it makes sense (%s)', async (mode, code, probes, handshakes) => {
    const server = await serve({ mode });
    expect((await connect(server.url)).opened).toMatchObject({ ok: false, error: { code } });
    expect([countOf(server, 'server/discover'), countOf(server, 'initialize')]).toEqual([probes, handshakes]);
  });

  it('is not what a slow server of the modern era is taken for', async () => {
    const connection = await requireConnection((await serve({ mode: 'modernSlowly' })).url);
    expect(connection.facts).toMatchObject({ era: 'modern' });
  });

  it('that answered initialize is not tried over the older transport for what it refuses after that', async () => {
    const server = await serve({ mode: 'acknowledges400' });
    const { opened } = await connect(server.url);
    expect(opened).toMatchObject({ ok: false, error: { code: 'protocol_error', message: textWith(/notifications\/initialized.*HTTP 400/), evidence: { httpStatus: 400 } } });
    expect(countOf(server, 'GET')).toBe(0);
  });
});

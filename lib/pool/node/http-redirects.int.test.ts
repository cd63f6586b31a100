import { describe, expect, it } from 'vitest';
import { createCertificate } from '../../../e2e/servers/raw/certificate.mjs';
import { redirectTo } from '../../../e2e/servers/raw/http-modes.mjs';
import { echo, httpServers, withTls } from './http-testing';
import { never, resolvedHttp, textWith, until } from './testing';

const { serve, open, connect, requireOpen, requireConnection } = httpServers();
const CREDENTIALS = { Authorization: 'Bearer secret', 'X-Api-Key': 'key', Cookie: 'a=b' };

describe('a redirect', () => {
  it.each(['redirectSame', 'redirectKept'])('within the server is followed with method, body and headers (%s)', async (mode) => {
    const server = await serve({ mode });
    const connection = await requireConnection(server.url, { era: 'legacy', headers: CREDENTIALS });
    expect(await connection.callTool(echo('kept'), never)).toMatchObject({ kind: 'result' });
    const arrived = server.requests.filter(({ path, message }) => path === '/mcp/' && message?.method === 'tools/call');
    expect(arrived).toHaveLength(1);
    expect(arrived[0]).toMatchObject({ method: 'POST', body: textWith('kept'), headers: { authorization: 'Bearer secret', 'x-api-key': 'key' } });
    expect(arrived[0]?.headers['mcp-session-id']).toBeTruthy();
    await connection.close();
    expect(server.requests.at(-1)).toMatchObject({ method: 'DELETE', path: '/mcp/' });
  });

  it.each([['redirectPermanent', 301], ['redirectFound', 302], ['redirectSeeOther', 303]])('that would lose what was sent is refused, and names the new address (%s)', async (mode, status) => {
    const server = await serve({ mode });
    const { opened } = await connect(server.url);
    expect(opened).toMatchObject({
      ok: false,
      error: { code: 'redirected', message: textWith(`to ${server.origin}/mcp/ (HTTP ${status})`), remediation: textWith(`store ${server.origin}/mcp/`), evidence: { httpStatus: status } },
    });
  });

  it('in a circle ends after three', async () => {
    const server = await serve({ mode: 'redirectLoop' });
    const { opened } = await connect(server.url, { era: 'legacy' });
    expect(opened).toMatchObject({ ok: false, error: { code: 'redirected', message: textWith('circle') } });
    expect(server.requests.map(({ path }) => path)).toEqual(['/mcp', '/1', '/2', '/3']);
  });

  it('to nowhere is told', async () => {
    const server = await serve({ mode: 'redirectNowhere' });
    expect((await connect(server.url)).opened).toMatchObject({ ok: false, error: { code: 'redirected', message: textWith('without a place to go to') } });
  });

  it('to another origin sends nothing there, at set-up and later', async () => {
    const sink = await serve({});
    const away = await serve({ hook: redirectTo(sink.url) });
    expect((await connect(away.url, { headers: CREDENTIALS })).opened).toMatchObject({ ok: false, error: { code: 'redirected', message: textWith(sink.url) } });
    const later = await serve({
      hook: (context) => (['tools/call', undefined].includes(context.request.message?.method) ? redirectTo(sink.url)(context) : false),
    });
    const { connection, remarks } = await requireOpen(later.url, { headers: CREDENTIALS });
    expect(await connection.callTool(echo(), never)).toMatchObject({ kind: 'not_sent', failure: { code: 'redirected' } });
    await until(() => remarks.length > 0, 'the refusal of the push stream is told');
    expect(remarks).toEqual(['pushes nothing (HTTP 307)']);
    await connection.close();
    expect(later.requests.map(({ method }) => method)).toEqual(expect.arrayContaining(['GET', 'DELETE']));
    expect(sink.requests).toEqual([]);
  });

  it.each(['http://user:pw@127.0.0.1:1/mcp', 'ftp://127.0.0.1/mcp', 'javascript:alert(1)'])('to %s is refused', async (target) => {
    const server = await serve({ hook: redirectTo(target) });
    const { opened } = await connect(server.url);
    expect(opened).toMatchObject({ ok: false, error: { code: 'redirected' } });
    if (!opened.ok) expect(opened.error.message).not.toContain('pw');
  });

  it.each([
    ['file:///etc/passwd', '"file:///etc/passwd"', 'no address of the web'],
    ['javascript:alert(1)', '"javascript:alert(1)"', 'no address of the web'],
    ['data:text/html,hello', '"data:text/html,hello"', 'no address of the web'],
    ['other://me:pw@host/mcp', '"other://host/mcp"', 'no address of the web'],
    ['http://[', '"http://["', 'no address'],
  ])('to %s is quoted, and not proposed as an address', async (target, quoted, why) => {
    const server = await serve({ hook: redirectTo(target) });
    const { opened } = await connect(server.url);
    expect(opened).toMatchObject({ ok: false, error: { code: 'redirected', message: textWith(quoted), remediation: textWith('Ask whoever runs the server') } });
    if (opened.ok) return;
    expect(opened.error.message).toContain(why);
    expect(opened.error.message).not.toMatch(/null|pw@/);
  });

  it('to a link-local address is refused', async () => {
    const server = await serve({ mode: 'redirectLinkLocal' });
    expect((await connect(server.url)).opened).toMatchObject({ ok: false, error: { code: 'redirected', message: textWith('http://169.254.169.254/') } });
  });

  it('to the https form of the same host is followed, and never the other way', async () => {
    const tls = createCertificate();
    const secure = await serve({ tls });
    const plain = await serve({ hook: redirectTo(secure.url) });
    const { opened } = await open(withTls(resolvedHttp(plain.url, { headers: CREDENTIALS }), { ca: tls.cert, insecure: false }));
    if (!opened.ok) throw new Error(opened.error.message);
    expect(await opened.value.callTool(echo(), never)).toMatchObject({ kind: 'result' });
    const sink = await serve({});
    const downgrading = await serve({ tls, hook: redirectTo(sink.url) });
    const downgraded = await open(withTls(resolvedHttp(downgrading.url), { ca: tls.cert, insecure: false }));
    expect(downgraded.opened).toMatchObject({ ok: false, error: { code: 'redirected' } });
    expect(sink.requests).toEqual([]);
  });
});

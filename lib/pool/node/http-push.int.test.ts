import { describe, expect, it } from 'vitest';
import { echo, httpServers } from './http-testing';
import { never, until } from './testing';

const { serve, requireOpen } = httpServers();

const isGet = ({ method }: { method: string }) => method === 'GET';
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

describe('the push stream', () => {
  it.each([400, 401, 404, 406, 500, 501])('is refused with HTTP %s: told once, asked once, and everything works', async (status) => {
    const server = await serve({ mode: `refusesGet${status}` });
    const { connection, remarks } = await requireOpen(server.url, { era: 'legacy' });
    await until(() => remarks.length > 0, 'it is told');
    expect(await connection.callTool(echo(), never)).toMatchObject({ kind: 'result' });
    await pause(1_500);
    expect(remarks).toEqual([`pushes nothing (HTTP ${status})`]);
    expect(server.requests.filter(isGet)).toHaveLength(1);
  });

  it('is asked for once where the server has none, and that is told too', async () => {
    const server = await serve({});
    const { connection, remarks } = await requireOpen(server.url, { era: 'legacy' });
    expect(await connection.callTool(echo(), never)).toMatchObject({ kind: 'result' });
    await pause(1_500);
    expect(server.requests.filter(isGet)).toHaveLength(1);
    expect(remarks).toEqual(['pushes nothing (HTTP 405)']);
  });

  it('is no stream where something else comes back', async () => {
    const server = await serve({ mode: 'pushNoStream' });
    const { remarks } = await requireOpen(server.url, { era: 'legacy' });
    await until(() => remarks.length > 0, 'it is told');
    expect(remarks).toEqual(['pushes nothing (HTTP 200 with text/html instead of a stream)']);
  });

  it.each(['acknowledges204', 'acknowledges200', 'acknowledgesNull', 'acknowledgesBody'])('is opened whatever acknowledges the handshake (%s)', async (mode) => {
    const server = await serve({ mode });
    const { remarks } = await requireOpen(server.url, { era: 'legacy' });
    await until(() => server.requests.some(isGet), 'it is opened');
    expect(remarks.filter((remark) => remark.includes('acknowledges'))).toHaveLength(mode === 'acknowledgesBody' ? 0 : 1);
  });

  it('is opened ever more slowly where it ends at once', async () => {
    const server = await serve({ mode: 'pushEndsAtOnce' });
    const { connection } = await requireOpen(server.url, { era: 'legacy' });
    await pause(5_000);
    const gets = server.requests.filter(isGet);
    expect(gets.length).toBeGreaterThanOrEqual(2);
    expect(gets.length).toBeLessThanOrEqual(4);
    expect(await connection.callTool(echo(), never)).toMatchObject({ kind: 'result' });
  });

  it('is resumed after its last event, no sooner than it asked for', async () => {
    const server = await serve({ mode: 'pushEventsOneByOne' });
    const { connection } = await requireOpen(server.url, { era: 'legacy' });
    const changed = new Promise((resolve) => connection.onListsChanged(resolve));
    await until(() => server.requests.filter(isGet).length >= 3, 'it is opened again');
    await changed;
    const gets = server.requests.filter(isGet);
    expect(gets.slice(0, 3).map(({ headers }) => headers['last-event-id'])).toEqual([undefined, 'push-1', 'push-2']);
    for (const { headers } of gets) expect(headers['mcp-session-id']).toBeTruthy();
  });

  it.each(['pushFloodsEvents', 'pushFloodsStray', 'pushEndlessEvent', 'pushEndlessLine'])('starves no call and holds no memory when it floods (%s)', async (mode) => {
    const server = await serve({ mode });
    const { connection } = await requireOpen(server.url, { era: 'legacy', limits: { max_message_bytes: 1_000_000 } });
    await until(() => server.requests.some(isGet), 'it is opened');
    await pause(1_000);
    const before = process.memoryUsage().rss;
    const ends: string[] = [];
    for (let index = 0; index < 10; index += 1) {
      ends.push((await connection.callTool(echo(`${index}`), AbortSignal.timeout(15_000))).kind);
      await pause(200);
    }
    expect(ends).toEqual(Array<string>(10).fill('result'));
    expect(process.memoryUsage().rss - before).toBeLessThan(150 * 1024 * 1024);
  });

  it('says by its refusal that the server is gone while nobody calls', async () => {
    const server = await serve({ mode: 'pushBreaks' });
    const { connection } = await requireOpen(server.url, { era: 'legacy' });
    const closed = new Promise((resolve) => connection.onClosed(resolve));
    await server.close();
    expect(await closed).toMatchObject({ code: 'refused' });
  });
});

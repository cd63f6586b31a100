import { describe, expect, it } from 'vitest';
import { never, textOf, toKey, until, watchedCall } from './testing';
import { makePool, requireLease, toRecord } from './testing-pools';

const one = toKey('one');

describe('a stdio server in the pool', () => {
  it('shows what it prints on stdout as it comes, and how much there was when it closes', async () => {
    const { pool, messages } = makePool([toRecord('one', 'bannerMid')], { idleAfterMs: 100 });
    const lease = await requireLease(pool, 'one');
    expect(pool.strayLines(one)).toEqual({ count: 2, first: 'about to answer' });
    expect(messages.filter((message) => message.type === 'server.log').map(({ line }) => line)).toMatchObject([
      { source: 'stdout', text: 'about to answer' }, { source: 'stdout', text: 'answered' },
    ]);
    lease.release();
    await until(() => pool.state(one).name === 'idle', 'it is closed');
    expect(pool.lines(one).map(({ text }) => text).at(-1)).toMatch(/^\(2 lines on stdout, no protocol messages, were skipped/);
    expect(pool.strayLines(one)).toEqual({ count: 2, first: 'about to answer' });
  });

  it.each([['badUtf8Later', 'spoil', 'not_utf8'], ['stopsReading', 'mute', 'output_closed'], ['dies', 'die', 'exited']])(
    'is shown with the reason when its connection ends by itself (%s), and the next call starts it again',
    async (mode, tool, code) => {
      const { pool, started, children } = makePool([toRecord('one', mode)]);
      const lease = await requireLease(pool, 'one');
      await lease.connection.callTool(watchedCall(tool), never);
      lease.release();
      await until(() => pool.state(one).name === 'failing', 'it is shown');
      expect(pool.state(one)).toMatchObject({ name: 'failing', failure: { code } });
      const again = await requireLease(pool, 'one');
      expect(textOf(await again.connection.callTool(watchedCall('echo', {}), never))).toBe('{}');
      expect(pool.state(one).name).toBe('connected');
      expect(started).toHaveLength(2);
      expect(children.list()).toHaveLength(1);
    },
  );

  it('stays the same process, connected, whatever it says that belongs to nothing', async () => {
    const { pool, started, messages } = makePool([toRecord('one', 'chatter')]);
    const lease = await requireLease(pool, 'one');
    const { processId } = lease.connection.facts;
    messages.length = 0;
    for (let count = 0; count < 5; count += 1) await lease.connection.callTool(watchedCall('chatter'), never);
    await lease.connection.callTool(watchedCall('echo'), never);
    expect(pool.state(one)).toMatchObject({ name: 'connected', facts: { processId } });
    expect(started).toHaveLength(1);
    expect(messages.filter(({ type }) => type === 'server.log' || type === 'server.changed')).toEqual([]);
  });

  it('is one live child and connected after it was reloaded twenty times in a row, slow as it is to end', async () => {
    const { pool, children } = makePool([toRecord('one', 'exitsOnClose')]);
    (await requireLease(pool, 'one')).release();
    const ends: Promise<unknown>[] = [];
    for (let reload = 0; reload < 20; reload += 1) {
      ends.push(pool.drop(one), pool.acquire(one, 'call', never).then((acquired) => acquired.ok && acquired.value.release()));
    }
    await Promise.all(ends);
    const lease = await requireLease(pool, 'one');
    expect(textOf(await lease.connection.callTool(watchedCall('echo', {}), never))).toBe('{}');
    expect(pool.state(one).name).toBe('connected');
    expect(children.list().map(({ processGroup }) => processGroup)).toEqual([lease.connection.facts.processId]);
  });
});

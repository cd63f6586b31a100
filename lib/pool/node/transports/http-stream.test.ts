import { describe, expect, it } from 'vitest';
import { DecodeFailure } from './decode-body';
import { Sending } from './http-sending';
import { decideWaitMs, readAnswerStream } from './http-stream';
import type { WireListener } from './transport';

const ANSWER = 'data: {"jsonrpc":"2.0","id":1,"result":{}}\n\n';
const toStream = (text: string, failure?: Error): Response =>
  new Response(new ReadableStream({
    start: (controller) => {
      controller.enqueue(new TextEncoder().encode(text));
      if (failure === undefined) controller.close();
      else setTimeout(() => controller.error(failure), 10);
    },
  }), { headers: { 'content-type': 'text/event-stream' } });

/** Reads a stream whose later parts come by what `reopen` gives, one after the other. */
async function read(first: Response, reopenings: readonly (Response | 'unreachable')[], pacing = { firstMs: 1, longestMs: 2 }) {
  let isWaiting = true;
  const ends: string[] = [];
  const asked: string[] = [];
  const remarks: string[] = [];
  const settle = (how: string) => {
    isWaiting = false;
    ends.push(how);
  };
  const listener: WireListener = {
    isBusy: () => isWaiting,
    findWaiting: () => (isWaiting ? 'tools/call' : undefined),
    onUnusable: (_, reason) => settle(reason),
    onInvalidRequest: () => undefined, onTooLarge: (id) => (id === null ? undefined : settle('too large')), onStray: () => undefined, onForeignAnswer: () => undefined,
    onStreamEnded: (_, why) => settle(why), onRefused: () => undefined, onRemark: (sentence, weight) => remarks.push(`${weight}: ${sentence}`), onWire: () => undefined,
  };
  const left = [...reopenings];
  await readAnswerStream(first, {
    id: 1,
    sending: new Sending({ jsonrpc: '2.0', id: 1, method: 'tools/call' }, undefined, true),
    sink: { listener, revision: null, isAnsweredElsewhere: () => false, deliver: () => settle('answered') },
    limitBytes: 1_000,
    reopen: (lastEventId) => {
      asked.push(lastEventId);
      const next = left.shift() ?? 'unreachable';
      return next === 'unreachable' ? Promise.reject(new Error('refused')) : Promise.resolve(next);
    },
    pacing,
    onDropped: () => undefined,
    onEndpoint: () => undefined,
    signal: new AbortController().signal,
  });
  return { ends, asked, remarks };
}

describe('a stream that is resumed', () => {
  it('has its patience back with each new event', async () => {
    const failing = Array<'unreachable'>(4).fill('unreachable');
    const { ends, asked } = await read(toStream('id: a\ndata:\n\n'), [
      ...failing, toStream('id: b\ndata:\n\n'), ...failing, toStream('id: c\ndata:\n\n'), ...failing, toStream(ANSWER),
    ]);
    expect(ends).toEqual(['answered']);
    expect(asked).toEqual([...Array<string>(5).fill('a'), ...Array<string>(5).fill('b'), ...Array<string>(5).fill('c')]);
  });

  it('is given up after five tries that reach nothing, and not before', async () => {
    expect((await read(toStream('id: a\ndata:\n\n'), [])).asked).toHaveLength(5);
  });

  it('is given up where the same event comes over and over', async () => {
    const { ends, asked } = await read(toStream('id: a\nretry: 0\ndata:\n\n'), Array.from({ length: 4 }, () => toStream('id: a\ndata:\n\n')));
    expect(ends).toEqual(['the stream ended without the answer, and it could not be resumed in several tries']);
    expect(asked).toHaveLength(9);
  });

  it('knows its place after an event that was too large, and after one that was cut', async () => {
    const large = `id: b\nevent: log\ndata: {"jsonrpc":"2.0","method":"notifications/message","params":{"data":"${'x'.repeat(2_000)}"}}\n\n`;
    expect(await read(toStream(`id: a\ndata:\n\n${large}`), [toStream(ANSWER)])).toMatchObject({ ends: ['answered'], asked: ['b'] });
    expect(await read(toStream('id: a\ndata:\n\nid: b\ndata: {"jsonrpc":"2.0","id":1,"resu'), [toStream(ANSWER)])).toMatchObject({ ends: ['answered'], asked: ['a'] });
  });

  it('is not asked for where there is no event to go on from', async () => {
    for (const text of [': nothing\n\n', 'id:\ndata:\n\n', `id: ${'x'.repeat(5_000)}\ndata:\n\n`, 'id: a\u0007\ndata:\n\n']) {
      expect((await read(toStream(text), [toStream(ANSWER)])).asked).toEqual([]);
    }
  });

  it('ends its call by name where its bytes cannot be decoded', async () => {
    expect((await read(toStream(': x\n\n', new DecodeFailure('gzip', 'it is broken')), [])).ends).toEqual(['its answer is labelled gzip and cannot be decoded: it is broken']);
  });
});

describe('the waits between two streams', () => {
  const pacing = { firstMs: 1_000, longestMs: 30_000 };
  const waitMs = (fruitless: number, retryMs: number | null, failures = 0): number => decideWaitMs({ retryMs, failures, fruitless }, pacing);

  it('grow while a server that asks to be asked at once has nothing new, up to a bound', () => {
    expect([0, 1, 2, 3, 30].map((fruitless) => waitMs(fruitless, 1))).toEqual([50, 100, 200, 400, 30_000]);
    expect([0, 1, 2].map((fruitless) => waitMs(fruitless, null))).toEqual([1_000, 2_000, 4_000]);
  });

  it('are never shorter than what the server asked for', () => {
    expect([0, 1, 5].map((fruitless) => waitMs(fruitless, 45_000))).toEqual([45_000, 45_000, 45_000]);
    expect(waitMs(0, 45_000, 3)).toBe(45_000);
  });

  it('grow too while nothing can be reached', () => {
    expect([1, 2, 3, 9].map((failures) => waitMs(0, 10, failures))).toEqual([1_000, 2_000, 4_000, 30_000]);
  });

  it('grow over streams that end at once, and begin anew with a new event', async () => {
    const empty = () => toStream(': nothing\n\n');
    const beganAt = performance.now();
    const { ends, asked } = await read(toStream('retry: 0\nid: a\ndata:\n\n'), [empty(), empty(), empty(), toStream('id: b\ndata:\n\n'), toStream(ANSWER)], { firstMs: 1, longestMs: 200 });
    expect(ends).toEqual(['answered']);
    expect(asked).toEqual(['a', 'a', 'a', 'a', 'b']);
    // 50, 100, 200, 200 and 50 ms; a timer may be a little early.
    expect(performance.now() - beganAt).toBeGreaterThanOrEqual(590);
  });

  it('are bounded where a server asks to be left alone for long, and that is told as a warning', async () => {
    const { remarks } = await read(toStream(`retry: 86400000\n${ANSWER}`), []);
    expect(remarks).toEqual([expect.stringMatching(/^warning: it asks to wait .*24 h.* it is opened after 1 min/)]);
  });
});

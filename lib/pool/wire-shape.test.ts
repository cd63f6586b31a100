import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { MessageKind } from './wire-message';
import { readShape } from './wire-shape';

const shapeOf = (value: unknown) => readShape(JSON.stringify(value));

describe('what a message is', () => {
  it.each([
    ['request', { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'x' } }, { id: 1, method: 'tools/call' }],
    ['request', { method: 'ping', jsonrpc: '2.0', id: 'a "quoted" id' }, { id: 'a "quoted" id', method: 'ping' }],
    ['notification', { jsonrpc: '2.0', method: 'notifications/initialized' }, { id: null, method: 'notifications/initialized' }],
    ['notification', { jsonrpc: '2.0', method: 'notifications/cancelled', params: { reason: 'x', requestId: 7 } }, { about: 7 }],
    ['notification', { jsonrpc: '2.0', method: 'notifications/progress', params: { progress: 1, progressToken: 'p' } }, { about: 'p' }],
    ['result', { result: { id: 5, method: 'no', error: 1 }, jsonrpc: '2.0', id: 2 }, { id: 2, method: null }],
    ['error', { jsonrpc: '2.0', id: 3, error: { code: -32601, message: 'no' } }, { id: 3, code: -32601 }],
    ['error', { jsonrpc: '2.0', id: null, error: { code: -32700, message: 'no' } }, { id: null, code: -32700 }],
    ['other', { level: 'info', id: 1, result: 'of something else' }, { id: null }],
    ['other', ['jsonrpc'], { parts: [] }],
  ])('%s: %j', (kind, message, more) => {
    expect(shapeOf(message)).toMatchObject({ kind, ...more });
  });

  it('is each of a batch', () => {
    const { kind, parts } = shapeOf([{ jsonrpc: '2.0', id: 1, result: {} }, { jsonrpc: '2.0', method: 'm' }]);
    expect(kind).toBe('other');
    expect(parts).toMatchObject([{ kind: 'result', id: 1 }, { kind: 'notification', method: 'm' }]);
  });

  it('is the status of an HTTP answer that is no message, and the error of one that is', () => {
    expect(readShape('HTTP 502 Bad Gateway\n<html>no</html>')).toMatchObject({ kind: 'error', id: null, code: 502 });
    expect(readShape('HTTP 500 \n{"jsonrpc":"2.0","id":4,"error":{"code":-32603,"message":"x"}}')).toMatchObject({ kind: 'error', id: 4, code: -32603 });
  });

  it('is that of the answer which shares its line with other text', () => {
    expect(readShape('Loading 10 %\rLoading 99 %\r{"jsonrpc":"2.0","id":1,"result":{}}')).toMatchObject({ kind: 'result', id: 1 });
    expect(readShape('text\uFEFF{"jsonrpc":"2.0","id":2,"result":{}}')).toMatchObject({ kind: 'result', id: 2 });
  });

  it('is read at the end of one that was cut, where its id stands there', () => {
    const text = JSON.stringify({ result: { content: [{ type: 'text', text: `"id":9}${'x'.repeat(1000)}` }] } }, null, 1).slice(0, 200);
    expect(readShape(text, 'xxx"}]},"jsonrpc":"2.0","id":12}')).toMatchObject({ kind: 'result', id: 12 });
    expect(readShape(text, 'xxx"}]},"id":"s","jsonrpc":"2.0"}')).toMatchObject({ kind: 'result', id: 's' });
    expect(readShape(text, '"id":5}}')).toMatchObject({ kind: 'result', id: null });
  });
});

const ids = fc.oneof(fc.integer(), fc.string(), fc.constant(undefined), fc.constant(null));
const messages = fc
  .record({ jsonrpc: fc.constant('2.0'), id: ids, method: fc.option(fc.string(), { nil: undefined }), params: fc.jsonValue(), result: fc.jsonValue(), error: fc.jsonValue() }, { requiredKeys: ['jsonrpc'] })
  .chain((message) => fc.shuffledSubarray(Object.entries(message), { minLength: Object.keys(message).length }))
  .map((entries) => Object.fromEntries(entries.filter(([, value]) => value !== undefined)));

describe('reading a shape', () => {
  it('agrees with a whole reading, whatever the order and the spaces', () => {
    fc.assert(
      fc.property(messages, fc.nat(2), (message, indent) => {
        const { kind, id, method } = readShape(JSON.stringify(message, null, indent));
        const isId = typeof message.id === 'string' || typeof message.id === 'number';
        const expected: MessageKind =
          typeof message.method === 'string' ? (isId ? 'request' : 'notification')
          : 'error' in message ? 'error'
          : 'result' in message ? 'result'
          : 'other';
        expect({ kind, id, method }).toEqual({ kind: expected, id: isId ? message.id : null, method: message.method ?? null });
      }),
    );
  });

  it('never says an id or a method that the whole message does not have, wherever it was cut', () => {
    fc.assert(
      fc.property(messages, fc.nat(), (message, at) => {
        const text = JSON.stringify(message);
        const cut = at % (text.length + 1);
        const { id, method } = readShape(text.slice(0, cut), text.slice(Math.max(cut, text.length - 40)));
        if (id !== null) expect(id).toBe(message.id);
        if (method !== null) expect(method).toBe(message.method);
      }),
      { numRuns: 500 },
    );
  });

  it('never throws, and takes a time that grows as the text does', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), fc.string(), (text, tail) => void readShape(text, tail)));
    for (const part of ['{"a":', '[', '"\\', '{"a":1,', '\\"', '{"jsonrpc":"2.0","x":[']) {
      readShape(`{${part.repeat(65_536 / part.length)}`);
      readShape(part.repeat(65_536 / part.length));
    }
  });
});

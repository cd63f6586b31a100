import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { textWith } from '../testing';
import { findGluedAnswer, parseFrame } from './frame';

describe('parseFrame', () => {
  it('never throws, and takes for a message only what says so', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        expect(['message', 'batch', 'unusable', 'stray']).toContain(parseFrame(text).kind);
      }),
    );
    for (const text of ['Server v1 starting', '{"level":"info"}', '[]', '3', '{"id":1,"result":{}}']) {
      expect(parseFrame(text)).toEqual({ kind: 'stray' });
    }
  });

  it('names what is wrong with a message that is none, with the id that it carries', () => {
    expect(parseFrame('{"jsonrpc":"2.0","id":4,"result":null}')).toMatchObject({ kind: 'unusable', id: 4 });
    expect(parseFrame('{"jsonrpc":"1.0","id":4,"result":{}}')).toMatchObject({ kind: 'unusable', id: 4, reason: textWith('"1.0"') });
    expect(parseFrame('{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"bad"}}')).toMatchObject({ kind: 'unusable', id: null });
    expect(parseFrame('{"jsonrpc":"2.0","id":9}')).toMatchObject({ kind: 'unusable', id: 9 });
  });

  it('takes null for what is left out', () => {
    expect(parseFrame('{"jsonrpc":"2.0","id":1,"result":{"a":1},"error":null}')).toMatchObject({ kind: 'message', message: { result: { a: 1 } } });
    expect(parseFrame('{"jsonrpc":"2.0","method":"ping","id":"x","params":null}')).toMatchObject({ kind: 'message', message: { id: 'x' } });
  });
});

describe('findGluedAnswer', () => {
  const answer = '{"jsonrpc":"2.0","id":0,"result":{}}';
  it('reads from after the last carriage return or a byte-order mark, and from nowhere else', () => {
    expect(findGluedAnswer(`50%\r100%\r${answer}`)).toMatchObject({ id: 0 });
    expect(findGluedAnswer(`loading\uFEFF${answer}`)).toMatchObject({ id: 0 });
    expect(findGluedAnswer(`loading ${answer}`)).toBeNull();
    expect(findGluedAnswer(`${answer}\rdone`)).toBeNull();
    expect(findGluedAnswer('x\r{"jsonrpc":"2.0","id":0,"method":"ping"}')).toBeNull();
  });
});

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

  it('takes no side where an answer has both a result and an error, and null for absent', () => {
    const error = '{"code":1,"message":"no"}';
    expect(parseFrame(`{"jsonrpc":"2.0","id":4,"result":{},"error":${error}}`)).toMatchObject({ kind: 'unusable', isAnswer: true, id: 4, reason: textWith('both "result" and "error"') });
    expect(parseFrame(`{"jsonrpc":"2.0","id":4,"result":null,"error":${error}}`)).toMatchObject({ kind: 'message', message: { error: { code: 1 } } });
    expect(parseFrame('{"jsonrpc":"2.0","id":4,"result":{},"error":null}')).toMatchObject({ kind: 'message', message: { result: {} } });
  });

  it('tells whether what is none would be an answer, since its id is of another space then', () => {
    expect(parseFrame('{"jsonrpc":"2.0","id":4,"result":3}')).toMatchObject({ kind: 'unusable', isAnswer: true, id: 4 });
    expect(parseFrame('{"jsonrpc":"2.0","id":4,"method":"ping","params":[]}')).toMatchObject({ kind: 'unusable', isAnswer: false, id: 4 });
    expect(parseFrame('{"jsonrpc":"2.0","method":"notifications/x","params":"text"}')).toMatchObject({ kind: 'unusable', isAnswer: false, id: null });
    expect(parseFrame('{"jsonrpc":"2.0","id":4,"method":7}')).toMatchObject({ kind: 'unusable', isAnswer: false });
  });

  it('takes a list for a batch where any of it claims to be a message', () => {
    expect(parseFrame('[{"jsonrpc":"2.0","id":1,"result":{}},{"level":"info"}]')).toMatchObject({ kind: 'batch' });
    expect(parseFrame('[]')).toEqual({ kind: 'stray' });
    expect(parseFrame('[1,{"id":1}]')).toEqual({ kind: 'stray' });
  });

  it('never throws at what is nested to do harm', () => {
    const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;
    expect(parseFrame(`{"jsonrpc":"2.0","id":1,"result":${deep}}`)).toMatchObject({ kind: 'unusable', reason: textWith('nested too deep') });
    expect(parseFrame(`{"jsonrpc":"2.0","id":1,"result":{"a":${deep}}}`)).toMatchObject({ kind: 'message' });
  });

  it('takes null for what is left out', () => {
    expect(parseFrame('{"jsonrpc":"2.0","id":null,"method":"notifications/x","params":null}')).toEqual({ kind: 'message', message: { jsonrpc: '2.0', method: 'notifications/x' } });
    expect(parseFrame('{"jsonrpc":"2.0","id":1,"method":null,"params":null,"result":{}}')).toMatchObject({ kind: 'message', message: { id: 1, result: {} } });
    expect(parseFrame('{"jsonrpc":"2.0","id":null,"method":"ping"}')).toMatchObject({ kind: 'unusable', isAnswer: false });
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

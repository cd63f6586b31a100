import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isObject } from '@/lib/core';
import { MessageScanner, type ScannedMessage } from './message-scanner';

function scan(text: string | Uint8Array, sizes: readonly number[] = [1_000_000]): ScannedMessage {
  const bytes = Buffer.from(text);
  const scanner = new MessageScanner();
  let from = 0;
  for (let index = 0; from < bytes.length; index += 1) {
    const size = sizes[index % sizes.length] ?? 1;
    scanner.push(bytes.subarray(from, from + size));
    from += size;
  }
  return scanner.end();
}

/** What a parser says of the same text. */
function parse(text: string): ScannedMessage {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { claimsProtocol: false, id: null, hasMethod: false };
  }
  if (!isObject(value) || !Object.hasOwn(value, 'jsonrpc')) return { claimsProtocol: false, id: null, hasMethod: false };
  const { id, method } = value;
  return { claimsProtocol: true, id: typeof id === 'string' || typeof id === 'number' ? id : null, hasMethod: typeof method === 'string' };
}

const pieces = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 5 });
const name = fc.oneof(fc.constantFrom('id', 'method', 'jsonrpc', 'result', 'params', 'i\\d', ''), fc.string({ maxLength: 5 }));
const message = fc.array(fc.tuple(name, fc.jsonValue({ maxDepth: 3 })), { maxLength: 6 }).map((members) => Object.fromEntries(members));

describe('MessageScanner', () => {
  it.each([
    ['before the result', '{"jsonrpc":"2.0","id":7,"result":{"id":1}}', 7],
    ['after it', '{"jsonrpc":"2.0","result":{"text":"\\"id\\":3,"},"id":12}', 12],
    ['between others', '{"result":{"a":[1,{"id":4}]},"id":"a-1","jsonrpc":"2.0"}', 'a-1'],
    ['in escapes', '{"\\u006a\\u0073\\u006f\\u006e\\u0072\\u0070\\u0063":"2.0","\\u0069\\u0064":"\\u0061","result":{}}', 'a'],
    ['more than once, as a parser reads it', '{"id":1,"jsonrpc":"2.0","id":2,"result":{}}', 2],
    ['behind white space and a byte-order mark', '\uFEFF \t{ "jsonrpc" : "2.0" , "id" : -3 , "result" : { } } \r', -3],
  ])('finds an id %s', (_where, text, id) => {
    expect(scan(text, [3])).toEqual({ claimsProtocol: true, id, hasMethod: false });
  });

  it.each([
    ['nested', '{"jsonrpc":"2.0","result":{"id":4}}'],
    ['quoted', '{"jsonrpc":"2.0","result":"\\",\\"id\\":4,"}'],
    ['in a list', '{"jsonrpc":"2.0","result":[{"id":4},"id",4]}'],
    ['a name within a value', '{"jsonrpc":"2.0","result":"id","x":4}'],
    ['null', '{"jsonrpc":"2.0","id":null,"result":{}}'],
    ['an object', '{"jsonrpc":"2.0","id":{"id":4},"result":{}}'],
    ['too long to be one', `{"jsonrpc":"2.0","id":"${'x'.repeat(5_000)}","result":{}}`],
  ])('takes no id that is %s', (_what, text) => {
    expect(scan(text)).toEqual({ claimsProtocol: true, id: null, hasMethod: false });
  });

  it('tells requests and notifications from answers, and null for what is left out', () => {
    expect(scan('{"jsonrpc":"2.0","params":{},"id":3,"method":"ping"}')).toEqual({ claimsProtocol: true, id: 3, hasMethod: true });
    expect(scan('{"jsonrpc":"2.0","params":{"id":3},"method":"notifications/x"}')).toMatchObject({ id: null, hasMethod: true });
    expect(scan('{"jsonrpc":"2.0","id":3,"method":null,"result":{}}')).toMatchObject({ id: 3, hasMethod: false });
  });

  it.each([
    ['a log record', '{"id":3,"level":"info"}'],
    ['text', 'x'.repeat(5_000)],
    ['an answer behind text', 'loading {"jsonrpc":"2.0","id":3,"result":{}}'],
    ['an answer before text', '{"jsonrpc":"2.0","id":3,"result":{}} done'],
    ['two answers', '{"jsonrpc":"2.0","id":3,"result":{}}{"jsonrpc":"2.0","id":4,"result":{}}'],
    ['an answer that is cut off', '{"jsonrpc":"2.0","id":3,"result":{'],
    ['a list', '[{"jsonrpc":"2.0","id":3,"result":{}}]'],
    ['nothing', ''],
  ])('says nothing of %s', (_what, text) => {
    expect(scan(text)).toEqual({ claimsProtocol: false, id: null, hasMethod: false });
  });

  it('says before the end what it has seen, while it is an object', () => {
    const scanner = new MessageScanner();
    scanner.push(Buffer.from('{"jsonrpc":"2.0","id":5,"result":{"text":"xxx'));
    expect(scanner.seen).toEqual({ claimsProtocol: true, id: 5, hasMethod: false });
    scanner.push(Buffer.from('"}} and more'));
    expect(scanner.seen.claimsProtocol).toBe(false);
  });

  it('agrees with a parser on any valid text, wherever it is cut', () => {
    fc.assert(
      fc.property(fc.oneof(message, fc.jsonValue()), pieces, fc.constantFrom(undefined, 1, '\t'), (value, sizes, space) => {
        const text = JSON.stringify(value, null, space);
        expect(scan(text, sizes)).toEqual(parse(text));
      }),
      { numRuns: 500 },
    );
  });

  it('never throws and never depends on where the bytes are cut, whatever comes', () => {
    const soup = fc.array(fc.constantFrom('{', '}', '[', ']', '"', '\\', ':', ',', '"id"', '"jsonrpc"', '"2.0"', '7', 'null', ' ', '\u0000', 'é', '\\u00'));
    fc.assert(
      fc.property(fc.oneof(soup.map((parts) => Buffer.from(parts.join(''))), fc.uint8Array()), pieces, (bytes, sizes) => {
        expect(scan(bytes, sizes)).toEqual(scan(bytes));
      }),
      { numRuns: 500 },
    );
  });

  it('is done with hundreds of MiB in a while, and holds none of them', () => {
    const scanner = new MessageScanner();
    scanner.push(Buffer.from('{"jsonrpc":"2.0","result":{"text":"'));
    const piece = Buffer.alloc(65_536, 'x');
    const before = process.memoryUsage().rss;
    for (let count = 0; count < 4_096; count += 1) scanner.push(piece);
    expect(process.memoryUsage().rss - before).toBeLessThan(64 * 1_048_576);
    scanner.push(Buffer.from('"},"id":1}'));
    expect(scanner.end().id).toBe(1);
  });
});

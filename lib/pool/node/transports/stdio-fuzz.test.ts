import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isObject, systemClock, type JsonObject } from '@/lib/core';
import { createClient } from '../set-up/client';
import { LineRing } from '../line-ring';
import { KnownSecrets } from '../known-secrets';
import { LiveConnection } from '../live-connection';
import { RecordingTransport } from '../seam/recording';
import { never, textOf, watchedCall } from '../testing';
import { makeFakeChild, makeListener } from './testing-child';

const LIMIT = 2_000;
/** What the transport is told to wait for: the set-up's own requests, and one of a call. */
const WAITING = { 0: 'initialize', 1: 'tools/list', 2: 'tools/call', probe: 'server/discover' };

/** A piece of what a server writes, and what has to become of it. */
interface Piece {
  readonly bytes: Buffer;
  /** The message that it is, whatever the phase. */
  readonly message?: object;
  /** An answer that is taken during set-up alone. */
  readonly glued?: object;
  readonly isStray?: boolean;
  /** The answer that was too large; null where one was that answers nothing. */
  readonly tooLarge?: string | number | null;
  readonly unusable?: string | number | null;
}

const line = (text: string, ending = '\n'): Buffer => Buffer.from(`${text}${ending}`);
const ending = fc.constantFrom('\n', '\r\n');
const id = fc.constantFrom<string | number>(0, 1, 2, 'probe', 7, 'nobody');
const words = fc.string({ unit: 'grapheme', maxLength: 30 }).map((text) => text.replace(/[\n\r\uFEFF]/g, ' '));
/** As JSON brings it back: it has one zero only. */
const onTheWire = (values: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> => values.map((value) => JSON.parse(JSON.stringify(value)) as unknown);
const isPlain = (text: string): boolean => {
  try {
    const value: unknown = JSON.parse(text);
    return !Array.isArray(value) && !(isObject(value) && 'jsonrpc' in value);
  } catch {
    return true;
  }
};

const valid = fc
  .tuple(fc.oneof(
    fc.record({ jsonrpc: fc.constant('2.0'), method: fc.constant('notifications/x'), params: fc.dictionary(words, onTheWire(fc.jsonValue({ maxDepth: 2 })), { maxKeys: 3 }) }),
    fc.record({ jsonrpc: fc.constant('2.0'), id, result: fc.dictionary(words, words, { maxKeys: 3 }) }),
    fc.record({ jsonrpc: fc.constant('2.0'), id, method: fc.constant('ping') }),
  ), ending, fc.constantFrom('', ' ', '\t'))
  .filter(([message]) => JSON.stringify(message).length < LIMIT)
  .map(([message, end, before]): Piece => ({ bytes: line(`${before}${JSON.stringify(message)}`, end), message }));

const stray = fc
  .tuple(words.filter((text) => text.trim() !== '' && isPlain(text)), ending)
  .map(([text, end]): Piece => ({ bytes: line(text, end), isStray: true }));

const blank = fc.constantFrom('\n', '\r\n', '   \n', '\t\r\n').map((text): Piece => ({ bytes: Buffer.from(text) }));

const glued = fc.tuple(words, fc.constantFrom('\r', '\uFEFF', '50%\r100%\r\uFEFF', ''), id, fc.constantFrom('', ' done')).map(([text, mark, of, after]): Piece => {
  const answer = { jsonrpc: '2.0', id: of, result: { forged: true } };
  const isTaken = mark !== '' && after === '' && Object.hasOwn(WAITING, of) && of !== 2;
  return { bytes: line(`x${text}${mark}${JSON.stringify(answer)}${after}`), isStray: true, ...(isTaken && { glued: answer }) };
});

const malformed = fc.tuple(id, fc.constantFrom({ result: null }, { result: 3 }, { error: 'no' }, {}, { method: 4 })).map(([of, rest]): Piece => ({
  bytes: line(JSON.stringify({ jsonrpc: '2.0', id: of, ...rest })), ...('method' in rest ? {} : { unusable: of }),
}));

const filler = fc.integer({ min: LIMIT, max: 3 * LIMIT }).map((size) => 'y'.repeat(size));
const oversize = fc.tuple(filler, id, fc.constantFrom('before', 'after', 'request', 'text', 'log', 'glued')).map(([text, of, sort]): Piece => {
  const own = JSON.stringify(of);
  switch (sort) {
    case 'before': return { bytes: line(`{"jsonrpc":"2.0","id":${own},"result":{"id":9,"text":"${text}"}}`), tooLarge: of };
    case 'after': return { bytes: line(`{"result":{"text":"\\"id\\":3,${text}"},"id":${own},"jsonrpc":"2.0"}`, '\r\n'), tooLarge: of };
    case 'request': return { bytes: line(`{"jsonrpc":"2.0","id":${own},"params":{"text":"${text}"},"method":"ping"}`), tooLarge: null };
    case 'log': return { bytes: line(`{"id":${own},"text":"${text}"}`), isStray: true };
    case 'glued': return { bytes: line(`${text}\r{"jsonrpc":"2.0","id":${own},"result":{"forged":true}}`), isStray: true };
    default: return { bytes: line(text), isStray: true };
  }
});

const pieces = fc.array(fc.oneof({ weight: 4, arbitrary: valid }, stray, blank, { weight: 2, arbitrary: glued }, malformed, oversize), { maxLength: 12 });
const cuts = fc.array(fc.nat(), { maxLength: 40 });

async function feed(stream: Buffer, at: readonly number[], isSettingUp: boolean) {
  const child = makeFakeChild();
  const transport = child.open(LIMIT);
  const { listener, heard } = makeListener(WAITING);
  const delivered: unknown[] = [];
  transport.listener = listener;
  transport.onmessage = (message) => delivered.push(message);
  await transport.start();
  if (!isSettingUp) transport.endSetUp();
  await child.say(stream, at);
  const { ending: endedBy } = transport;
  await transport.close();
  return { delivered, heard, endedBy };
}

const collect = (parts: readonly Piece[], isSettingUp: boolean) => ({
  delivered: parts.flatMap(({ message, glued: answer }) => message ?? (isSettingUp ? answer : undefined) ?? []),
  stray: parts.filter(({ isStray }) => isStray).length,
  tooLarge: parts.flatMap(({ tooLarge }) => (tooLarge === undefined ? [] : [tooLarge])),
  unusable: parts.flatMap(({ unusable }) => (unusable === undefined ? [] : [unusable])),
});

describe('a stdio server that writes what it likes', () => {
  it('has its messages delivered in order, and nothing else, wherever its bytes are cut', async () => {
    await fc.assert(
      fc.asyncProperty(pieces, cuts, fc.boolean(), async (parts, at, isSettingUp) => {
        const { delivered, heard, endedBy } = await feed(Buffer.concat(parts.map(({ bytes }) => bytes)), at, isSettingUp);
        const expected = collect(parts, isSettingUp);
        expect(delivered).toEqual(expected.delivered);
        expect(heard.stray).toHaveLength(expected.stray);
        expect(heard.tooLarge).toEqual(expected.tooLarge);
        expect(heard.unusable).toEqual(expected.unusable);
        expect(endedBy).toBeNull();
      }),
      { numRuns: 150 },
    );
  });

  it('has no forged answer taken after set-up, whatever is glued to what', async () => {
    const soup = fc.array(fc.oneof(
      fc.constantFrom('\r', '\uFEFF', ' ', '\t', '{', '}', '"', '\\', '\u2028', 'text', '[', ']', ','),
      id.map((of) => JSON.stringify({ jsonrpc: '2.0', id: of, result: { forged: true } })),
    ), { maxLength: 10 });
    await fc.assert(
      fc.asyncProperty(fc.array(soup.map((parts) => parts.join('')), { maxLength: 6 }), cuts, async (lines, at) => {
        const { delivered } = await feed(Buffer.from(lines.map((text) => `${text}\n`).join('')), at, false);
        // Only what stands alone in its line, the stream's first mark apart, is an answer: anybody may write that.
        const alone = lines.map((text, index) => (index === 0 ? text.replace(/^\uFEFF/, '') : text)).flatMap((text): unknown[] => {
          try {
            const value: unknown = JSON.parse(text);
            return isObject(value) && 'jsonrpc' in value ? [value] : [];
          } catch {
            return [];
          }
        });
        const answers = delivered.filter((message) => isObject(message) && 'result' in message);
        expect(alone).toEqual(expect.arrayContaining(answers));
        expect(answers.length).toBeLessThanOrEqual(alone.length);
      }),
      { numRuns: 150 },
    );
  });

  it('is let go at its first byte that is no UTF-8; what came whole before it counts', async () => {
    const bad = fc.constantFrom([0xff], [0xc3, 0x28], [0xe2, 0x82, 0x28], [0xf0, 0x28], [0xed, 0xa0, 0x80], [0xc0, 0x80]);
    await fc.assert(
      fc.asyncProperty(pieces, bad, pieces, cuts, async (before, bytes, after, at) => {
        const stream = Buffer.concat([...before, { bytes: Buffer.from([0x61, ...bytes]) }, ...after].map((part) => part.bytes));
        const { delivered, endedBy } = await feed(stream, at, false);
        expect(delivered).toEqual(collect(before, false).delivered);
        expect(endedBy).toMatchObject({ code: 'not_utf8' });
      }),
      { numRuns: 80 },
    );
  });

  it('never ends the console, and makes it hold no more than the limit, with any bytes at all', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.oneof(fc.uint8Array({ maxLength: 200 }), pieces.map((parts) => Buffer.concat(parts.map(({ bytes }) => bytes)))), { maxLength: 6 }), cuts, fc.boolean(), async (parts, at, isSettingUp) => {
        await feed(Buffer.concat(parts), at, isSettingUp);
      }),
      { numRuns: 80 },
    );
  });
});

describe('a whole connection over such a server', () => {
  /** Noise that belongs between any two messages. */
  const noise = fc.array(fc.oneof(stray, blank, oversizeNoise(), glued, fc.constant<Piece>({ bytes: line('{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"nobody","progress":1}}') })), { maxLength: 3 });

  function oversizeNoise() {
    return filler.map((text): Piece => ({ bytes: line(text) }));
  }

  it('is set up with its own list, and each call gets its own answer', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(noise, { minLength: 4, maxLength: 8 }), cuts, fc.array(fc.nat({ max: 2 }), { minLength: 3, maxLength: 3 }), async (noises, at, order) => {
        let spoken = 0;
        const queue: Promise<void>[] = [];
        const held: { readonly id: unknown; readonly text: string }[] = [];
        const respond = (of: unknown, result: JsonObject) => {
          // During set-up an answer glued to text is read, so that a forged one of a waiting id would be: a server forges itself there.
          const around = (noises[(spoken += 1) % noises.length] ?? []).filter((part) => spoken > 2 || part.glued === undefined);
          const bytes = Buffer.concat([...around.map((part) => part.bytes), line(JSON.stringify({ jsonrpc: '2.0', id: of, result }))]);
          queue.push((queue.at(-1) ?? Promise.resolve()).then(() => child.say(bytes, at)));
        };
        const child = makeFakeChild((text) => {
          const message: unknown = JSON.parse(text);
          if (!isObject(message)) return;
          if (message.method === 'initialize') respond(message.id, { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'fake', version: '1' } });
          if (message.method === 'tools/list') respond(message.id, { tools: [{ name: 'own', inputSchema: { type: 'object' } }] });
          if (message.method !== 'tools/call' || !isObject(message.params) || !isObject(message.params.arguments)) return;
          held.push({ id: message.id, text: String(message.params.arguments.text) });
          if (held.length < 3) return;
          for (const pick of order) {
            const [next] = held.splice(pick % held.length, 1);
            if (next) respond(next.id, { content: [{ type: 'text', text: next.text }] });
          }
        });
        const seam = new RecordingTransport(child.open(LIMIT), {
          server: 'fake', clock: systemClock, scrub: (text) => text, hideSession: (text) => text, onStray: () => undefined, onListChanged: () => undefined, onInvalid: () => undefined, onRemark: () => undefined, onWire: () => undefined,
        });
        const client = createClient({ mode: 'legacy', kind: 'stdio', isKnownModern: false, revisions: null, connectMs: 15_000, jobDirectory: null, note: () => undefined });
        await client.connect(seam, { prior: { kind: 'legacy' } });
        const connection = new LiveConnection({
          server: 'fake', fingerprint: 'fake', link: { seam, client }, secrets: new KnownSecrets([]), clock: systemClock, printed: new LineRing(), stray: { count: 0, first: null },
          facts: { transport: 'stdio', era: 'legacy', protocolVersion: '2025-11-25', serverInfo: null, instructions: null, processId: 1, connectedAt: 0 },
        });
        expect(await connection.readTools(never)).toBeNull();
        expect(connection.lists.toolList.tools.map(({ name }) => name)).toEqual(['own']);
        const answers = await Promise.all(['a', 'b', 'c'].map((text) => connection.callTool(watchedCall('own', { text }), never)));
        expect(answers.map(textOf)).toEqual(['a', 'b', 'c']);
        await connection.close();
      }),
      { numRuns: 60 },
    );
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BINARY, closeFrameOf, fragmentsOf, frameOf, PING, TEXT } from '../../../../e2e/servers/raw/ws-frames.mjs';
import { FrameFilter, type LargeMessage } from './frame-filter';

const HEAD = Buffer.from('HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n\r\n');
const LIMIT = 200;

/** What a reader of frames sees behind the filter; frames of servers are not masked. */
function readFrames(bytes: Buffer): { opcode: number; fin: boolean; payload: Buffer }[] {
  const frames = [];
  for (let at = 0; at < bytes.length; ) {
    const short = (bytes[at + 1] ?? 0) & 0x7f;
    const lengthBytes = short === 126 ? 2 : short === 127 ? 8 : 0;
    const size = lengthBytes === 0 ? short : lengthBytes === 2 ? bytes.readUInt16BE(at + 2) : Number(bytes.readBigUInt64BE(at + 2));
    const bodyAt = at + 2 + lengthBytes;
    frames.push({ opcode: (bytes[at] ?? 0) & 0x0f, fin: ((bytes[at] ?? 0) & 0x80) !== 0, payload: bytes.subarray(bodyAt, bodyAt + size) });
    at = bodyAt + size;
  }
  return frames;
}

/** The messages behind the filter, a large one as what it stands for. */
function readMessages(filter: FrameFilter, bytes: Buffer): (string | LargeMessage)[] {
  const messages: (string | LargeMessage)[] = [];
  let open: Buffer[] = [];
  for (const { opcode, fin, payload } of readFrames(bytes)) {
    if (opcode >= 8) continue;
    open.push(payload);
    if (!fin) continue;
    messages.push(filter.take() ?? Buffer.concat(open).toString('utf8'));
    open = [];
  }
  return messages;
}

function cut(bytes: Buffer, cuts: readonly number[]): Buffer[] {
  const at = [...new Set(cuts.map((where) => where % (bytes.length + 1)))].sort((a, b) => a - b);
  return [0, ...at].map((from, index) => bytes.subarray(from, at[index] ?? bytes.length));
}

const pass = (bytes: Buffer, cuts: readonly number[] = []) => {
  const filter = new FrameFilter(LIMIT);
  const out = Buffer.concat(cut(bytes, cuts).flatMap((part) => filter.push(part)));
  return { filter, out };
};

const answer = (id: number, length: number) => `{"jsonrpc":"2.0","id":${id},"result":{"text":"${'x'.repeat(length)}"}}`;

describe('the filter before a reader of WebSocket frames', () => {
  it('lets everything through as it is where nothing is too large', () => {
    const bytes = Buffer.concat([HEAD, frameOf(TEXT, 'a'), frameOf(PING, 'b'), ...fragmentsOf('cdefgh', 2), frameOf(BINARY, 'i'), frameOf(TEXT, ''), closeFrameOf(1000, 'bye')]);
    expect(pass(bytes).out.equals(bytes)).toBe(true);
  });

  it('begins at the frames, whatever informational answers come before', () => {
    const early = Buffer.from('HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n');
    const { filter, out } = pass(Buffer.concat([early, HEAD, frameOf(TEXT, answer(1, 500))]));
    expect(readMessages(filter, out.subarray(early.length + HEAD.length))).toMatchObject([{ sizeBytes: answer(1, 500).length, message: { id: 1 } }]);
  });

  it('touches nothing of an answer that is no 101', () => {
    const refusal = Buffer.concat([Buffer.from('HTTP/1.1 404 Not Found\r\nContent-Length: 900\r\n\r\n'), frameOf(TEXT, answer(1, 500))]);
    expect(pass(refusal).out.equals(refusal)).toBe(true);
  });

  it('says of a large message how large it was, whose it is and how it begins', () => {
    const text = answer(7, 5_000);
    for (const frames of [[frameOf(TEXT, text)], fragmentsOf(text, 90), fragmentsOf(text, 4_000)]) {
      const { filter, out } = pass(Buffer.concat([HEAD, ...frames]));
      const [large] = readMessages(filter, out.subarray(HEAD.length));
      expect(large).toMatchObject({ sizeBytes: text.length, message: { claimsProtocol: true, id: 7, hasMethod: false } });
      expect(typeof large === 'object' && large.begin.toString()).toBe(text.slice(0, 2_000));
      expect(out.length).toBeLessThan(HEAD.length + LIMIT + 20);
    }
  });

  it('lets control frames through from within a large message, and keeps its kind', () => {
    const [first, ...rest] = fragmentsOf(answer(1, 900), 300);
    const { filter, out } = pass(Buffer.concat([HEAD, first ?? Buffer.alloc(0), frameOf(PING, '{"id":9}'), ...rest, frameOf(BINARY, 'y'.repeat(900))]));
    const frames = readFrames(out.subarray(HEAD.length));
    expect(frames.map(({ opcode, payload }) => [opcode, payload.toString()])).toEqual([[PING, '{"id":9}'], [TEXT, ''], [BINARY, '']]);
    expect(filter.take()).toMatchObject({ sizeBytes: answer(1, 900).length, message: { id: 1 } });
    expect(filter.take()).toMatchObject({ sizeBytes: 900, message: { claimsProtocol: false } });
  });

  it('leaves a faulty frame to the reader, and what follows it', () => {
    const faulty = [
      frameOf(TEXT, 'x', { masked: true }), frameOf(TEXT, 'x', { reserved: 2 }), frameOf(0x5, 'x'), frameOf(0x0, 'x'), frameOf(TEXT, 'x', { declaredBytes: 1n << 62n }),
      frameOf(PING, 'x'.repeat(126)),
    ];
    for (const frame of faulty) {
      const bytes = Buffer.concat([HEAD, frameOf(TEXT, 'ok'), frame, frameOf(TEXT, answer(1, 900))]);
      expect(pass(bytes).out.equals(bytes)).toBe(true);
    }
    // Inside of a message that the reader was not shown, it is given a frame that it must refuse.
    const { out } = pass(Buffer.concat([HEAD, frameOf(TEXT, 'x'.repeat(900), { fin: false }), frameOf(TEXT, 'new')]));
    expect(readFrames(out.subarray(HEAD.length))[0]).toMatchObject({ opcode: 0 });
  });

  it('gives the same messages however they are framed and cut', () => {
    const message = fc.record({ length: fc.nat(600), bytesEach: fc.integer({ min: 1, max: 700 }), pinged: fc.boolean() });
    fc.assert(
      fc.property(fc.array(message, { maxLength: 8 }), fc.array(fc.nat(), { maxLength: 30 }), (messages, cuts) => {
        const texts = messages.map(({ length }, id) => answer(id, length));
        const frames = messages.flatMap(({ bytesEach, pinged }, id) => [...(pinged ? [frameOf(PING, 'p')] : []), ...fragmentsOf(texts[id] ?? '', bytesEach)]);
        const { filter, out } = pass(Buffer.concat([HEAD, ...frames]), cuts);
        const expected = texts.map((text, id) => (text.length > LIMIT ? { sizeBytes: text.length, message: { id } } : text));
        expect(readMessages(filter, out.subarray(HEAD.length))).toMatchObject(expected);
      }),
    );
  });

  it('bears any bytes, and never gives out more than came, some heads apart', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 3_000 }), fc.array(fc.nat(), { maxLength: 20 }), fc.boolean(), (bytes, cuts, opened) => {
        const all = Buffer.concat([...(opened ? [HEAD] : []), bytes]);
        expect(pass(all, cuts).out.length).toBeLessThanOrEqual(all.length + 2 + bytes.length);
      }),
    );
  });

  it('holds next to nothing of a message without end', () => {
    const filter = new FrameFilter(LIMIT);
    filter.push(HEAD);
    filter.push(frameOf(TEXT, '', { declaredBytes: 1n << 40n }));
    const megabyte = Buffer.alloc(1_048_576, 'x');
    let given = 0;
    for (let round = 0; round < 200; round += 1) given += filter.push(megabyte).length;
    expect(given).toBe(0);
    expect(Buffer.byteLength(JSON.stringify(filter))).toBeLessThan(50_000);
  });
});

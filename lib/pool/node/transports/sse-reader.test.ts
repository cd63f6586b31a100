import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EventStreamReader, type ReadEvent } from './sse-reader';

function readCut(bytes: Uint8Array, cuts: readonly number[], limitBytes = 10_000): ReadEvent[] {
  const reader = new EventStreamReader(limitBytes);
  const events: ReadEvent[] = [];
  let from = 0;
  for (const cut of [...cuts, bytes.length]) {
    events.push(...reader.push(bytes.subarray(from, cut)));
    from = cut;
  }
  return [...events, ...reader.end()];
}

const toData = (events: readonly ReadEvent[]) => events.map((read) => (read.kind === 'event' ? read.event.data : read.kind));

describe('EventStreamReader', () => {
  it('reads LF, CRLF and CR alike, cut after every byte', () => {
    for (const end of ['\n', '\r\n', '\r']) {
      const text = `: hello${end}${end}event: ping${end}data: x${end}${end}id: 7${end}data: {"a":${end}data: "ü😀"}${end}${end}`;
      const bytes = new TextEncoder().encode(text);
      const events = readCut(bytes, Array.from(bytes.keys()));
      expect(events).toEqual([
        { kind: 'event', event: { event: 'ping', data: 'x', id: null } },
        { kind: 'event', event: { event: 'message', data: '{"a":\n"ü😀"}', id: '7' } },
      ]);
    }
  });

  it('gives the same events wherever the stream is cut', () => {
    const lines = fc.constantFrom('data: a', 'data:', ': c', '', '', 'event: e', 'id: 1', 'retry: 5', 'data: é\u2028', 'junk');
    const ends = fc.constantFrom('\n', '\r\n', '\r');
    fc.assert(
      fc.property(fc.array(fc.tuple(lines, ends)), fc.array(fc.nat(200)), (parts, at) => {
        const bytes = new TextEncoder().encode(parts.map((part) => part.join('')).join(''));
        const cuts = at.filter((cut) => cut <= bytes.length).sort((a, b) => a - b);
        expect(readCut(bytes, cuts)).toEqual(readCut(bytes, []));
      }),
    );
  });

  it('uses an event whose blank line never came, when the stream ends', () => {
    expect(toData(readCut(new TextEncoder().encode('data: whole\n'), []))).toEqual(['whole']);
    expect(toData(readCut(new TextEncoder().encode('data: whole'), []))).toEqual(['whole']);
  });

  it('lets an event over the limit go and reads the next', () => {
    const long = `data: ${'x'.repeat(500)}\ndata: ${'y'.repeat(500)}\n\n`;
    expect(toData(readCut(new TextEncoder().encode(`data: a\n\n${long}data: b\n\n`), [40, 300], 100))).toEqual(['a', 'oversize', 'b']);
  });
});

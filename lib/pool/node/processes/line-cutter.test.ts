import { describe, expect, it } from 'vitest';
import { LineCutter } from './line-cutter';

const sizeOf = (line: string | undefined): number => Buffer.byteLength(line ?? '');

describe('what a program prints to its log', () => {
  it('comes in lines, however it was split, and without carriage returns', () => {
    const cutter = new LineCutter();
    const euro = Buffer.from('€');
    expect([...cutter.push(Buffer.from('one\r\ntw')), ...cutter.push(Buffer.concat([Buffer.from('o '), euro.subarray(0, 1)])), ...cutter.push(euro.subarray(1)), ...cutter.end()]).toEqual(['one', 'two €']);
  });

  it('is cut at 4 KiB a line, at a character, whatever it is written in', () => {
    const cutter = new LineCutter();
    const [ascii, wide] = cutter.push(Buffer.from(`${'x'.repeat(10_000)}\n${'€'.repeat(5_000)}\n`));
    expect(sizeOf(ascii)).toBe(4096);
    expect(sizeOf(wide)).toBe(4095);
    expect(wide).not.toContain('\uFFFD');
  });
});

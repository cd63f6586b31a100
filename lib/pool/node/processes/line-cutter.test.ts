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

  it('has its last words where a long line never ends, beside its beginning', () => {
    const cutter = new LineCutter();
    expect(cutter.push(Buffer.from('FATAL: '))).toEqual([]);
    for (let block = 0; block < 128; block += 1) expect(cutter.push(Buffer.alloc(65_536, 'x'))).toEqual([]);
    cutter.push(Buffer.from('the disk is '));
    cutter.push(Buffer.from('full'));
    const [head, tail, ...more] = cutter.end();
    expect(more).toEqual([]);
    expect(head).toMatch(/^FATAL: x+$/);
    expect(sizeOf(head)).toBe(4096);
    expect(tail).toMatch(/^…x+the disk is full$/);
    expect(sizeOf(tail)).toBeLessThan(1_100);
    expect(cutter.end()).toEqual([]);
  });

  it('has its last words once, where no newline ends a short line', () => {
    const cutter = new LineCutter();
    cutter.push(Buffer.from('Password: '));
    expect([cutter.end(), cutter.end()]).toEqual([['Password: '], []]);
    expect([...cutter.push(Buffer.from('x'.repeat(9_000))), ...cutter.push(Buffer.from('\nlast'))].map(sizeOf)).toEqual([4096]);
    expect(cutter.end()).toEqual(['last']);
  });

  it('shows no part of a secret that lies across a cut', () => {
    const cutter = new LineCutter((text) => text.replaceAll('tr0ub4dor-and-3', '[redacted]'));
    const [head] = cutter.push(Buffer.from(`${'x'.repeat(4_090)}tr0ub4dor-and-3\n`));
    expect(head).not.toContain('tr0ub4');
    cutter.push(Buffer.from(`${'y'.repeat(20_000)}tr0ub4dor-and-3${'z'.repeat(990)}`));
    expect(cutter.end().join()).not.toMatch(/and-3/);
  });
});

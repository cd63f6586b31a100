import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toLogText } from './log-text';

describe('toLogText', () => {
  it.each([
    [{ level: 'warning', logger: 'db', data: 'slow' }, 'warning: db: slow'],
    [{ level: 'warn', data: 'slow' }, 'warning ("warn"): slow'],
    [{ level: 'ERROR', data: { message: 'broken', code: 3 } }, 'error ("ERROR"): broken'],
    [{ level: 'constructor', data: 'x' }, 'info ("constructor"): x'],
    [{ level: 'info' }, 'info: (it says nothing)'],
    [{ level: null, logger: null, data: null }, 'info: (it says nothing)'],
    [{ data: { odd: true } }, 'info: {"odd":true}'],
    [undefined, 'info: (it says nothing)'],
  ])('reads %j', (params, text) => {
    expect(toLogText(params)).toBe(text);
  });

  it('is short and never throws, whatever the shape', () => {
    fc.assert(fc.property(fc.dictionary(fc.constantFrom('level', 'logger', 'data', 'x'), fc.jsonValue()), (params) => {
      expect(toLogText(params).length).toBeLessThanOrEqual(2_000);
    }));
    const deep: unknown = JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`);
    expect(toLogText({ level: 'info', data: deep })).toBe('info: (nested too deep to be shown)');
  });
});

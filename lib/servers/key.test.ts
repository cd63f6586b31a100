import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isServerKey, toServerKey } from '.';

describe('toServerKey', () => {
  it.each([
    ['Brave Search', 'brave_search'],
    ['files', 'files'],
    ['a__b_', 'a_b'],
    ['9lives', 's_9lives'],
    ['日本', 'server'],
    ['', 'server'],
    ['x'.repeat(40), 'x'.repeat(32)],
  ])('%j becomes %s', (name, key) => {
    expect(toServerKey(name)).toBe(key);
  });

  it('makes a key of anything, and leaves a key as it is', () => {
    fc.assert(
      fc.property(fc.string(), (name) => {
        const key = toServerKey(name);
        expect(isServerKey(key)).toBe(true);
        expect(key).not.toContain('__');
        if (isServerKey(name)) expect(key).toBe(name);
      }),
    );
  });
});

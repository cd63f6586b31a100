import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toCallLine } from './call-line';
import { compareJson } from './compare';

describe('two values', () => {
  it('are compared leaf by leaf, in order, with what only one has', () => {
    const { leaves, differing } = compareJson({ path: '/a', list: [1, 2], same: true }, { path: '/b', list: [1], 'new/one': {} });
    expect(leaves).toEqual([
      { path: '/path', a: '"/a"', b: '"/b"', differs: true },
      { path: '/list/0', a: '1', b: '1', differs: false },
      { path: '/list/1', a: '2', b: null, differs: true },
      { path: '/same', a: 'true', b: null, differs: true },
      { path: '/new~1one', a: null, b: '{}', differs: true },
    ]);
    expect(differing).toBe(4);
  });

  it('differ in nothing from themselves, whatever they are', () => {
    fc.assert(fc.property(fc.jsonValue(), (value) => {
      // What fast-check makes is JSON.
      expect(compareJson(value as never, JSON.parse(JSON.stringify(value)) as never).differing).toBe(0);
    }));
  });

  it('show what differs where there is too much', () => {
    const many = Array.from({ length: 1000 }, (_, index) => index);
    const { leaves, leftOut } = compareJson(many, many.map((n) => (n === 700 ? -1 : n)));
    expect(leaves).toEqual([{ path: '/700', a: '700', b: '-1', differs: true }]);
    expect(leftOut).toBe(999);
  });
});

describe('a call as a command line', () => {
  it('is what the shell gives to the command, whatever the names and arguments hold', () => {
    const text = fc.string({ unit: fc.constantFrom("'", '"', '$', '`', '\\', ' ', '\n', '!', ';', 'a', 'é', '-'), minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(text, fc.dictionary(text, text), (tool, args) => {
        const line = toCallLine({ serverKey: 'fs', tool, arguments: args });
        const words = execFileSync('sh', ['-c', `signalbox() { printf '%s\\0' "$@"; }\n${line}`], { encoding: 'utf8' }).split('\0').slice(0, -1);
        expect(words).toEqual(tool.startsWith('-') ? ['call', '--args', JSON.stringify(args), '--', 'fs', tool] : ['call', 'fs', tool, '--args', JSON.stringify(args)]);
      }),
      { numRuns: 40 },
    );
  });

  it('is plain where nothing needs quoting', () => {
    expect(toCallLine({ serverKey: 'fs', tool: 'read_file', arguments: {} })).toBe("signalbox call fs read_file --args '{}'");
  });
});

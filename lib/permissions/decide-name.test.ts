import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decideExposedName, MAX_EXPOSED_NAME } from '.';
import { isNameOf, type NameSource } from './decide-name';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const free = () => false;
const source = (key: string, tool: string, rest: Partial<NameSource> = {}): NameSource => ({ key, tool, prefix: true, alias: null, ...rest });

describe('decideExposedName', () => {
  it.each([
    [source('fs', 'files.read'), 'fs__files_read'],
    [source('fs', 'files/read it'), 'fs__files_read_it'],
    [source('fs', '😀'), 'fs___'],
    [source('fs', 'read', { prefix: false }), 'read'],
    [source('fs', 'read', { alias: 'look' }), 'look'],
  ])('%j is %s', (from, name) => {
    expect(decideExposedName(from, free, sha256)).toBe(name);
  });

  it('cuts the head of a name that is too long and adds 8 digits of the hash of key, NUL and tool', () => {
    const tool = 'x'.repeat(80);
    const name = decideExposedName(source('fs', tool), free, sha256);
    expect(name).toBe(`fs__${'x'.repeat(51)}_${sha256(`fs\0${tool}`).slice(0, 8)}`);
    expect(name).toHaveLength(64);
    const exact = 'y'.repeat(60);
    expect(decideExposedName(source('fs', exact), free, sha256)).toBe(`fs__${exact}`);
  });

  it('adds the digits to a name that another tool has', () => {
    const name = decideExposedName(source('fs', 'a.b'), (taken) => taken === 'fs__a_b', sha256);
    expect(name).toBe(`fs__a_b_${sha256('fs\0a.b').slice(0, 8)}`);
    expect(isNameOf(name, source('fs', 'a.b'))).toBe(true);
    expect(isNameOf(name, source('fs', 'a.b', { prefix: false }))).toBe(false);
  });

  it('gives every tool a name of its own, in the alphabet of model providers', () => {
    const tool = fc.oneof(
      fc.string({ minLength: 1 }),
      fc.array(fc.constantFrom('a', '_', '.', '/', '-'), { minLength: 1, maxLength: 4 }).map((parts) => parts.join('')),
      fc.string({ minLength: 60, maxLength: 90 }),
    );
    const sources = fc.array(fc.record({ key: fc.constantFrom('a', 'a_b', 'b'), tool, prefix: fc.boolean(), alias: fc.constant(null) }), { maxLength: 40 });
    fc.assert(
      fc.property(sources, (all) => {
        const byName = new Map<string, string>();
        const identities = new Set<string>();
        for (const one of all) {
          const identity = `${one.key}\0${one.tool}`;
          if (identities.has(identity)) continue;
          identities.add(identity);
          const name = decideExposedName(one, (taken) => byName.has(taken), sha256);
          expect(name).toMatch(/^[A-Za-z0-9_-]+$/);
          expect(name.length).toBeLessThanOrEqual(MAX_EXPOSED_NAME);
          expect(byName.has(name)).toBe(false);
          expect(isNameOf(name, one)).toBe(true);
          byName.set(name, identity);
        }
      }),
    );
  });

  it('holds against tools that are named like the hashed name of another', () => {
    const forged = `a_b_${sha256('fs\0a.b').slice(0, 8)}`;
    const taken = new Set(['fs__a_b', `fs__${forged}`]);
    const name = decideExposedName(source('fs', 'a.b'), (candidate) => taken.has(candidate), sha256);
    expect(taken.has(name)).toBe(false);
    expect(name).toMatch(/^fs__a_b_[0-9a-f]{8}$/);
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isSafePattern } from './safe-pattern';
import { describeVerdict, normaliseSchema, validateJson, type NormalSchema, type Verdict } from '.';

const problemOf = (schema: unknown): string => {
  const result = normaliseSchema(schema);
  return result.ok ? 'no problem' : result.error;
};

function requireNormal(schema: unknown): NormalSchema {
  const result = normaliseSchema(schema);
  if (!result.ok) throw new Error(result.error);
  return result.value.schema;
}

const pointersOf = (verdict: Verdict): string[] =>
  verdict.kind === 'misfits' ? verdict.misfits.map(({ pointer }) => pointer) : [verdict.kind];

describe('normaliseSchema', () => {
  it('refuses an allOf cycle with the reference that never ends', () => {
    const schema = {
      type: 'object', allOf: [{ $ref: '#/$defs/A' }],
      $defs: { A: { allOf: [{ $ref: '#/$defs/B' }] }, B: { allOf: [{ $ref: '#/$defs/A' }] } },
    };
    expect(problemOf(schema)).toContain('refers to itself without end');
  });

  it('refuses ten thousand levels of nesting without recursing into them', () => {
    let schema: unknown = { type: 'string' };
    for (let level = 0; level < 10_000; level++) schema = { type: 'object', properties: { a: schema } };
    expect(problemOf(schema)).toContain('nested more than');
  });

  it('names a reference that leads nowhere, and follows none to another document', () => {
    expect(problemOf({ type: 'object', properties: { a: { $ref: '#/$defs/Gone' } } })).toContain('"#/$defs/Gone"');
    expect(normaliseSchema({ type: 'object', properties: { a: { $ref: 'https://example.com/s.json' } } }).ok).toBe(false);
  });

  it('resolves pointers into odd places, escapes and percent signs included', () => {
    const schema = requireNormal({
      type: 'object',
      properties: {
        a: { anyOf: [{ type: 'null' }, { type: 'integer' }] },
        b: { $ref: '#/properties/a/anyOf/1' },
        c: { $ref: '#/$defs/with~1slash%20and~0tilde' },
        d: { $ref: '#named' },
      },
      $defs: { 'with/slash and~tilde': { type: 'boolean' }, other: { $anchor: 'named', type: 'string' } },
    });
    expect(validateJson(schema, { b: 3, c: true, d: 'x' })).toEqual({ kind: 'fits' });
    expect(pointersOf(validateJson(schema, { b: 'x', c: 1, d: 2 }))).toEqual(['/b', '/c', '/d']);
  });

  it('keeps a recursive schema usable', () => {
    const schema = requireNormal({
      type: 'object', properties: { tree: { $ref: '#/$defs/N' } },
      $defs: { N: { type: 'object', properties: { name: { type: 'string' }, items: { type: 'array', items: { $ref: '#/$defs/N' } } } } },
    });
    expect(pointersOf(validateJson(schema, { tree: { items: [{ items: [{ name: 3 }] }] } }))).toEqual(['/tree/items/0/items/0/name']);
  });

  it('survives keywords of the wrong shape', () => {
    const schema = requireNormal({
      type: ['object', 'nonsense', 7], $id: 'ht!tp://%%%', $schema: 42, required: true, properties: { a: { enum: 'x', pattern: '([', items: 3 } },
      minimum: '3', allOf: [], patternProperties: { '((a+)+)+$': false },
    });
    expect(validateJson(schema, { a: 'anything' })).toEqual({ kind: 'fits' });
  });

  it('answers every JSON value with a schema or a sentence, and never throws', () => {
    const keywords = fc.constantFrom('type', '$ref', 'properties', 'allOf', 'anyOf', 'items', 'required', 'enum', 'const', 'not', '$defs', 'if');
    const hostile = fc.letrec<{ node: unknown }>((tie) => ({
      node: fc.oneof(
        { depthSize: 'small' },
        fc.constantFrom<unknown>(null, true, 'object', '#', '#/properties/a', '#/$defs/a', 3, []),
        fc.dictionary(fc.oneof(keywords, fc.constant('a')), tie('node'), { maxKeys: 4 }),
        fc.array(tie('node'), { maxLength: 3 }),
      ),
    })).node;
    fc.assert(
      fc.property(hostile, fc.jsonValue(), (schema, value) => {
        const result = normaliseSchema(schema);
        if (result.ok) expect(['fits', 'misfits', 'not_checked']).toContain(validateJson(result.value.schema, value).kind);
        else expect(result.error).toMatch(/\.$/);
      }),
      { numRuns: 300 },
    );
  });
});

describe('validateJson', () => {
  it('gives up on a schema that branches without measure', () => {
    const $defs: Record<string, unknown> = { n30: { type: 'string' } };
    for (let level = 0; level < 30; level++) {
      $defs[`n${level}`] = { allOf: [{ $ref: `#/$defs/n${level + 1}` }, { $ref: `#/$defs/n${level + 1}` }] };
    }
    expect(describeVerdict(validateJson(requireNormal({ $ref: '#/$defs/n0', $defs }), 'x'))).toContain('branches too often');
  });

  it('names the missing field, the wrong type and the stray field at their places', () => {
    const schema = requireNormal({
      type: 'object', required: ['name'], additionalProperties: false,
      properties: { name: { type: 'string' }, size: { type: 'integer' }, kind: { enum: ['a', 'b'] } },
    });
    const verdict = validateJson(schema, { size: 'big', kind: 'c', extra: 1 });
    expect(verdict.kind === 'misfits' ? Object.fromEntries(verdict.misfits.map(({ pointer, message }) => [pointer, message])) : verdict).toEqual({
      '/name': 'This is required: fill it in.',
      '/size': '"big" is not an integer.',
      '/kind': 'Choose one of "a","b".',
      '': '"extra" is not a field here: take it out.',
    });
  });

  it('says of a nullable text only what concerns the text', () => {
    const schema = requireNormal({ type: 'object', properties: { a: { anyOf: [{ type: 'string', minLength: 3 }, { type: 'null' }] } } });
    const verdict = validateJson(schema, { a: 'x' });
    expect(verdict.kind === 'misfits' ? verdict.misfits : verdict).toEqual([{ pointer: '/a', message: 'String is too short (1 < 3).' }]);
  });

  it('takes undefined members for absent ones', () => {
    expect(validateJson(requireNormal({ type: 'object', properties: { a: { type: 'string' } } }), { a: undefined })).toEqual({ kind: 'fits' });
  });
});

describe('isSafePattern', () => {
  it.each(['^[a-z]+$', '^\\d{4}-\\d{2}-\\d{2}$', '^(foo|bar)$', '^[A-Z][a-z]*( [A-Z][a-z]*)?$'])('runs %s', (pattern) => {
    expect(isSafePattern(pattern)).toBe(true);
  });
  it.each(['^(a+)+$', '(a|a)*b', '(.*a){20}', '(x*)*y', '(\\w+\\s?)*$', '([', '(a)\\1+', 'a'.repeat(201), '((a|b)c)+d'])('leaves %s to the server', (pattern) => {
    expect(isSafePattern(pattern)).toBe(false);
  });
});

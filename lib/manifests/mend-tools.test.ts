import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mendPrompts, mendResources, mendResourceTemplates, mendToolList } from '.';

const schema = { type: 'object' };

describe('mendToolList', () => {
  it('keeps the siblings of a malformed tool, and says why it was set aside', () => {
    const list = mendToolList({
      tools: [
        { name: 'good', inputSchema: schema },
        { name: 'no_schema' },
        { name: 'list_schema', inputSchema: [] },
        { name: 'text_schema', inputSchema: { type: 'string' } },
        { name: '', inputSchema: schema },
        { inputSchema: schema },
        { name: 'b\u001bd', inputSchema: schema },
        { name: 'described', description: 7, inputSchema: schema },
        { name: 'out', inputSchema: schema, outputSchema: 'x' },
        { name: 'noted', inputSchema: schema, annotations: [] },
        'text',
        { name: 'also_good', inputSchema: { properties: {} } },
      ],
    });
    expect(list.tools.map(({ name }) => name)).toEqual(['good', 'also_good']);
    expect(list.setAside.map(({ name, reason }) => [name, reason])).toEqual([
      ['no_schema', 'It has no inputSchema.'],
      ['list_schema', 'Its inputSchema is no object.'],
      ['text_schema', 'Its inputSchema describes something other than an object.'],
      ['', 'Its name is empty.'],
      [null, 'It has no name.'],
      ['b\u001bd', 'Its name has control characters in it: b<U+001B>d.'],
      ['described', 'Its description is not text.'],
      ['out', 'Its outputSchema is no object.'],
      ['noted', 'Its annotations are no object.'],
      [null, 'An entry of the list is no object.'],
    ]);
  });

  it('sets both of two tools of one name aside, with both definitions', () => {
    const twice = [{ name: 'good', inputSchema: schema, description: 'one' }, { name: 'other', inputSchema: schema }, { name: 'good', inputSchema: schema, description: 'two' }];
    const list = mendToolList(twice);
    expect(list.tools.map(({ name }) => name)).toEqual(['other']);
    expect(list.setAside.map(({ raw }) => raw)).toEqual([twice[0], twice[2]]);
  });

  it('reads null on an optional field as the field left out', () => {
    const [tool] = mendToolList([
      { name: 'a', title: null, description: null, inputSchema: schema, outputSchema: null, annotations: null, icons: null, _meta: null },
    ]).tools;
    expect(tool).toMatchObject({ title: null, description: null, outputSchema: null, annotations: {} });
  });

  it('leaves hints of a wrong type out', () => {
    const [tool] = mendToolList([{ name: 'a', inputSchema: schema, annotations: { readOnlyHint: 'true', openWorldHint: false } }]).tools;
    expect(tool?.annotations).toEqual({ openWorldHint: false });
  });

  it('keeps a schema that refers to itself, and sets aside one that is nested to do harm', () => {
    const recursive = { type: 'object', properties: { n: { $ref: '#/$defs/N' } }, $defs: { N: { items: { $ref: '#/$defs/N' } } } };
    expect(mendToolList([{ name: 'tree', inputSchema: recursive }]).tools[0]?.inputSchema).toEqual(recursive);
    const deep: unknown = JSON.parse(`${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`);
    const list = mendToolList([{ name: 'deep', inputSchema: deep }]);
    expect(list.setAside).toEqual([{ name: 'deep', reason: 'Its definition is nested more than 256 levels deep.', raw: null }]);
  });

  it.each([null, 7, {}, { tools: null }, { tools: {} }])('warns where there is no list: %j', (raw) => {
    expect(mendToolList(raw)).toMatchObject({ tools: [], setAside: [], warnings: [expect.any(String)] });
  });

  it('never throws, loses no entry, and its names are distinct', () => {
    const tool = fc.record({ name: fc.oneof(fc.constantFrom('a', 'b', '__proto__'), fc.jsonValue()), inputSchema: fc.oneof(fc.constant(schema), fc.jsonValue()), annotations: fc.jsonValue() });
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue(), fc.array(fc.oneof(tool, fc.jsonValue()))), (raw) => {
        const list = mendToolList(raw);
        const names = list.tools.map(({ name }) => name);
        expect(new Set(names).size).toBe(names.length);
        if (Array.isArray(raw)) expect(list.tools.length + list.setAside.length).toBe(raw.length);
        mendResources(raw);
        mendResourceTemplates(raw);
        mendPrompts(raw);
      }),
    );
  });
});

describe('the other lists', () => {
  it('leave out what cannot be addressed, and say so', () => {
    expect(mendResources({ resources: [{ uri: 'file:///a', name: null, size: 3 }, { name: 'x' }] })).toEqual({
      items: [{ uri: 'file:///a', name: 'file:///a', title: null, description: null, mimeType: null, sizeBytes: 3 }],
      warnings: ["Entry 2 of the server's resources has no uri and is left out."],
    });
    expect(mendPrompts([{ name: 'p', arguments: [{ name: 'a', required: true }, {}] }]).items).toEqual([
      { name: 'p', title: null, description: null, arguments: [{ name: 'a', description: null, required: true }] },
    ]);
    expect(mendResourceTemplates([{ uriTemplate: 'x://{id}' }]).items[0]?.name).toBe('x://{id}');
  });

  it('name the first of thousands that cannot be addressed, and count the rest', () => {
    const { items, warnings } = mendPrompts([...Array.from({ length: 5_000 }, () => ({ title: 'no name' })), { name: 'p' }]);
    expect(items).toHaveLength(1);
    expect(warnings).toHaveLength(11);
    expect(warnings.at(-1)).toBe("4990 more entries of the server's prompts have no name and are left out.");
  });
});

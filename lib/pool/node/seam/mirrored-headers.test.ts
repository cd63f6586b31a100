import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '@/lib/core';
import { mendToolList } from '@/lib/manifests';
import { findHeaderFault, setAsideUnmirrorable } from './mirrored-headers';

const withParameters = (properties: JsonObject): JsonObject => ({ type: 'object', properties });

describe('findHeaderFault', () => {
  it('finds none where text, whole numbers and booleans have a header each, at any depth', () => {
    const nested = withParameters({ deep: { type: 'string', 'x-mcp-header': 'Deep' } });
    const schema = withParameters({
      region: { type: 'string', 'x-mcp-header': 'Region' },
      priority: { type: 'integer', 'x-mcp-header': 'Priority' },
      verbose: { type: 'boolean', 'x-mcp-header': 'Verbose' },
      plain: { type: 'number' },
      nested,
    });
    expect(findHeaderFault(schema)).toBeNull();
  });

  it.each<[string, JsonObject, RegExp]>([
    ['no name', { v: { type: 'string', 'x-mcp-header': '' } }, /"v" has no name/],
    ['a name that is no text', { v: { type: 'string', 'x-mcp-header': 7 } }, /"v" has no name/],
    ['a space', { v: { type: 'string', 'x-mcp-header': 'My Region' } }, /no header can have: "My Region"/],
    ['a colon', { v: { type: 'string', 'x-mcp-header': 'Region:Primary' } }, /no header can have/],
    ['a letter that is not ASCII', { v: { type: 'string', 'x-mcp-header': 'Région' } }, /no header can have/],
    ['a control character', { v: { type: 'string', 'x-mcp-header': 'Reg\u0001ion' } }, /no header can have: "Reg<U\+0001>ion"/],
    ['a line of its own', { v: { type: 'string', 'x-mcp-header': 'A\r\nInjected' } }, /no header can have/],
    ['an object', { v: { type: 'object', 'x-mcp-header': 'V' } }, /only text/],
    ['a list', { v: { type: 'array', items: { type: 'string' }, 'x-mcp-header': 'V' } }, /only text/],
    ['null', { v: { type: 'null', 'x-mcp-header': 'V' } }, /only text/],
    ['a number with a fraction', { v: { type: 'number', 'x-mcp-header': 'V' } }, /only text/],
    ['no type', { v: { 'x-mcp-header': 'V' } }, /only text/],
    ['one header twice', { a: { type: 'string', 'x-mcp-header': 'V' }, b: { type: 'string', 'x-mcp-header': 'V' } }, /two parameters/],
    ['one header in two cases', { a: { type: 'string', 'x-mcp-header': 'Region' }, b: { type: 'string', 'x-mcp-header': 'REGION' } }, /two parameters/],
    ['the entries of a list', { v: { type: 'array', items: { type: 'string', 'x-mcp-header': 'V' } } }, /no single parameter/],
    ['one branch of several', { v: { anyOf: [{ type: 'string', 'x-mcp-header': 'V' }] } }, /no single parameter/],
    ['a parameter inside a branch', { v: { oneOf: [withParameters({ w: { type: 'string', 'x-mcp-header': 'V' } })] } }, /no single parameter/],
  ])('tells %s', (_what, properties, reason) => {
    expect(findHeaderFault(withParameters(properties))).toMatch(reason);
  });

  it('tells an annotation on the whole schema or in its definitions', () => {
    expect(findHeaderFault({ type: 'string', 'x-mcp-header': 'V' })).toMatch(/no single parameter/);
    expect(findHeaderFault({ type: 'object', $defs: { d: { type: 'string', 'x-mcp-header': 'V' } } })).toMatch(/no single parameter/);
  });

  it('does not read values as schemas', () => {
    expect(findHeaderFault(withParameters({ v: { type: 'object', default: { 'x-mcp-header': '' }, enum: [{ 'x-mcp-header': '' }] } }))).toBeNull();
  });

  it('never throws', () => {
    const schema = fc.letrec((tie) => ({
      any: fc.oneof({ maxDepth: 5 }, fc.jsonValue(), fc.dictionary(fc.constantFrom('properties', 'items', 'anyOf', '$defs', 'x-mcp-header', 'type', '__proto__'), tie('any'))),
    })).any;
    fc.assert(fc.property(schema, (any) => void findHeaderFault({ properties: any as JsonObject })));
  });
});

describe('setAsideUnmirrorable', () => {
  it('keeps the neighbours of a tool that asks for the impossible, and says why it was set aside', () => {
    const good = { name: 'good', inputSchema: withParameters({ v: { type: 'string', 'x-mcp-header': 'V' } }) };
    const bad = { name: 'bad', inputSchema: withParameters({ v: { type: 'string', 'x-mcp-header': '' } }) };
    const list = setAsideUnmirrorable(mendToolList([bad, good, { name: 'no_schema' }]));
    expect(list.tools.map(({ name }) => name)).toEqual(['good']);
    expect(list.setAside).toMatchObject([{ name: 'no_schema' }, { name: 'bad', reason: 'The header that it asks for the parameter "v" has no name.', raw: bad }]);
  });
});

import { describe, expect, it } from 'vitest';
import type { JsonObject } from '@/lib/core';
import { fillDefaults } from './server-requests';

const schema = {
  type: 'object',
  properties: {
    name: { type: 'string', default: 'John Doe' },
    age: { type: 'integer', default: 30 },
    verified: { type: 'boolean', default: false },
    note: { type: 'string' },
    status: { type: 'array', items: { enum: ['a', 'b'] }, default: ['a'] },
  },
};

describe('fillDefaults', () => {
  it('takes the default of every field that was left out, whatever its type', () => {
    expect(fillDefaults(schema, {})).toEqual({ name: 'John Doe', age: 30, verified: false, status: ['a'] });
  });

  it('keeps what was answered, an empty answer among it', () => {
    expect(fillDefaults(schema, { name: '', age: 0, verified: true, note: 'x' })).toEqual({ name: '', age: 0, verified: true, note: 'x', status: ['a'] });
  });

  it.each<JsonObject>([{}, { properties: null }, { properties: [] }, { properties: { a: null, b: true, c: [] } }])('takes nothing from a schema that offers none: %j', (hollow) => {
    expect(fillDefaults(hollow, { a: 1 })).toEqual({ a: 1 });
  });

  it('reads a field named like a part of every object as a field', () => {
    // Written as JSON: in a literal, __proto__ would be no field.
    const properties = JSON.parse('{"__proto__":{"default":"x"},"constructor":{"default":"y"}}') as JsonObject;
    const filled = fillDefaults({ properties }, {});
    expect(Object.entries(filled)).toEqual([['__proto__', 'x'], ['constructor', 'y']]);
    expect(Object.getPrototypeOf(filled)).toBe(Object.prototype);
  });
});

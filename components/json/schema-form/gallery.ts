import type { JsonObject } from '@/lib/core';

interface GalleryTool {
  readonly schema: JsonObject;
  /** What an untouched form sends; undefined where something must be filled in first. */
  readonly untouched?: JsonObject;
  /** A whole value that the form must show and send unchanged. */
  readonly sample: JsonObject;
}

const gallery = <Name extends string>(tools: Record<Name, GalleryTool>) => tools;

/** Tools whose schemas forms are known to get wrong, for tests. */
export const GALLERY = gallery({
  scalars: {
    schema: {
      type: 'object',
      properties: { text: { type: 'string' }, count: { type: 'integer' }, ratio: { type: 'number' }, flag: { type: 'boolean' }, big: { type: 'integer' } },
    },
    untouched: {},
    sample: { text: '', count: 0, ratio: -0.5, flag: false, big: 9007199254740991 },
  },
  required: {
    schema: { type: 'object', required: ['name'], properties: { name: { type: 'string' }, flag: { type: 'boolean' } } },
    sample: { name: 'x', flag: true },
  },
  defaults: {
    schema: {
      type: 'object',
      properties: { limit: { type: 'integer', default: 25 }, mode: { enum: ['a', 'b'], default: 'a' }, deep: { type: 'object', properties: { on: { type: 'boolean', default: true } } } },
    },
    untouched: {},
    sample: { limit: 25, mode: 'b', deep: { on: false } },
  },
  nullable: {
    schema: {
      type: 'object',
      properties: {
        plain: { type: 'string' },
        note: { anyOf: [{ type: 'string' }, { type: 'null' }], default: null },
        flipped: { type: ['null', 'string'] },
        either: { anyOf: [{ type: 'integer' }, { type: 'string' }, { type: 'null' }] },
      },
    },
    untouched: {},
    sample: { plain: 'a', note: null, flipped: 'b', either: null },
  },
  enums: {
    schema: {
      type: 'object',
      properties: {
        word: { enum: ['one', 'two'] },
        mixed: { enum: [1, '1', null, true, { deep: [1] }] },
        titled: { oneOf: [{ const: 'r', title: 'Red' }, { const: 'g', title: 'Green' }] },
        fixed: { const: 7 },
      },
    },
    untouched: {},
    sample: { word: 'two', mixed: { deep: [1] }, titled: 'g', fixed: 7 },
  },
  nestedArrays: {
    schema: { type: 'object', properties: { rows: { type: 'array', items: { type: 'array', items: { type: 'number' } } } } },
    untouched: {},
    sample: { rows: [[1, 2], [], [3.25]] },
  },
  union: {
    schema: {
      type: 'object',
      properties: {
        shape: {
          oneOf: [
            { type: 'object', required: ['kind', 'radius'], properties: { kind: { const: 'circle' }, radius: { type: 'number' } } },
            { type: 'object', required: ['kind', 'side'], properties: { kind: { const: 'square' }, side: { type: 'number' } } },
          ],
        },
      },
    },
    untouched: {},
    sample: { shape: { kind: 'square', side: 2 } },
  },
  rootUnion: {
    schema: {
      type: 'object',
      anyOf: [
        { required: ['path'], properties: { path: { type: 'string' } } },
        { required: ['url'], properties: { url: { type: 'string' } } },
      ],
    },
    sample: { url: 'https://example.com' },
  },
  recursive: {
    schema: {
      type: 'object',
      properties: { tree: { $ref: '#/$defs/Node' } },
      $defs: { Node: { type: 'object', properties: { name: { type: 'string' }, children: { type: 'array', items: { $ref: '#/$defs/Node' } }, next: { $ref: '#/$defs/Node' } } } },
    },
    untouched: {},
    sample: { tree: { name: 'a', children: [{ name: 'b', children: [] }], next: { next: { name: 'c' } } } },
  },
  oddReferences: {
    schema: {
      type: 'object',
      properties: {
        first: { anyOf: [{ type: 'null' }, { type: 'object', properties: { 'a/b': { type: 'integer' } } }] },
        second: { $ref: '#/properties/first/anyOf/1' },
        third: { $ref: '#/properties/first/anyOf/1/properties/a~1b' },
        fourth: { $ref: '#/definitions/per%20cent' },
      },
      definitions: { 'per cent': { type: 'array', items: { type: 'string' } } },
    },
    untouched: {},
    sample: { first: null, second: { 'a/b': 1 }, third: 2, fourth: ['x', ''] },
  },
  openObject: {
    schema: { type: 'object', properties: { headers: { type: 'object', additionalProperties: { type: 'string' } } }, additionalProperties: false },
    untouched: {},
    sample: { headers: { accept: '*/*', 'x-empty': '' } },
  },
  anything: {
    schema: { type: 'object', properties: { value: {}, listed: { type: 'array' }, whatever: true } },
    untouched: {},
    sample: { value: { deep: [null, 0, false, ''] }, listed: [1, 'a', null], whatever: null },
  },
  merged: {
    schema: {
      type: 'object',
      allOf: [
        { properties: { a: { type: 'string' } }, required: ['a'] },
        { $ref: '#/$defs/Paging' },
        { if: { properties: { a: { const: 'x' } } }, then: { required: ['page'] } },
      ],
      $defs: { Paging: { properties: { page: { type: 'integer', minimum: 1 } } } },
    },
    sample: { a: 'y', page: 2 },
  },
  noArguments: { schema: { type: 'object', properties: {}, additionalProperties: false }, untouched: {}, sample: {} },
});

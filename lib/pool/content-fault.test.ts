import { describe, expect, it } from 'vitest';
import type { JsonObject } from '@/lib/core';
import { findContentFault } from '.';

describe('what is wrong with the content of a result', () => {
  it.each<[JsonObject, string]>([
    [{ content: null }, 'its content is null, where a list is due'],
    [{ content: 'done' }, 'its content is a text, where a list is due'],
    [{ content: { type: 'text', text: 'done' } }, 'its content is one object, where a list is due'],
    [{ content: 7 }, 'its content is a number, where a list is due'],
    [{}, 'it has no content, where a list is due'],
    [{ content: [{ type: 'text', text: 'x' }, null, { text: 'no type' }, { type: 'text', text: null }] }, '3 of its 4 content blocks are malformed'],
    [{ content: ['x', { type: 'video' }] }, '1 of its 2 content blocks is malformed'],
  ])('%j', (result, fault) => {
    expect(findContentFault(result)).toBe(fault);
  });

  it.each<JsonObject>([{ content: [] }, { content: [{ type: 'text', text: '' }, { type: 'video', data: 'x' }] }, { structuredContent: {} }])('is nothing with %j', (result) => {
    expect(findContentFault(result)).toBeNull();
  });
});

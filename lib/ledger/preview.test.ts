import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json } from '@/lib/core';
import { PREVIEW_CHARACTERS, toPreview } from './preview';

describe('a preview', () => {
  it('is bounded and well-formed JSON for any value', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), (value) => {
        const preview = toPreview(value as Json);
        expect(preview.length).toBeLessThanOrEqual(PREVIEW_CHARACTERS);
        expect(() => JSON.parse(preview) as unknown).not.toThrow();
      }),
    );
  });

  it('bounds what is large in every direction', () => {
    const wide = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`k${index}`, 'text '.repeat(500)]));
    const preview = toPreview([wide, Array.from({ length: 100_000 }, () => wide)] as Json);
    expect(preview.length).toBeLessThanOrEqual(PREVIEW_CHARACTERS);
    expect(preview).toContain('left out of this preview');
  });

  it('says how much of a text it leaves out, and never cuts base64 in the middle', () => {
    const base64 = Buffer.from(Array.from({ length: 300_000 }, (_, index) => (index * 7919) % 251)).toString('base64');
    const preview = JSON.parse(toPreview({ content: [{ type: 'image', data: base64 }, { type: 'text', text: 'a line\n'.repeat(50_000) }] })) as {
      content: [{ data: string }, { text: string }];
    };
    expect(preview.content[0].data).toBe('(293.0 KiB of base64 left out of this preview)');
    expect(preview.content[1].text).toMatch(/^a line\n.*more left out of this preview\)$/s);
  });

  it('keeps the head of a text that only looks like base64', () => {
    const text = `DEADBEEF${'0123456789abcdef'.repeat(10_000)}`;
    const preview = JSON.parse(toPreview({ content: [{ type: 'text', text }, { type: 'resource', resource: { blob: text } }] })) as {
      content: [{ text: string }, { resource: { blob: string } }];
    };
    expect(preview.content[0].text).toMatch(/^DEADBEEF0123.*more left out of this preview\)$/);
    expect(preview.content[1].resource.blob).toMatch(/^\([\d.]+ KiB of base64 left out of this preview\)$/);
  });

  it('leaves a small value as it is', () => {
    expect(toPreview({ a: ['b', 1, null] })).toBe('{"a":["b",1,null]}');
  });
});

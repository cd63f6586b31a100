import { isObject, type JsonObject } from '@/lib/core';

/** What is wrong with the content of a tool's result, as the end of a sentence; null where it is as it should be. */
export function findContentFault({ content, structuredContent }: JsonObject): string | null {
  if (Array.isArray(content)) {
    const malformed = content.filter((block) => !isBlock(block)).length;
    return malformed === 0 ? null : `${malformed} of its ${content.length} content blocks ${malformed === 1 ? 'is' : 'are'} malformed`;
  }
  // A result that says all in its structured part is at one with what most servers mean.
  if (content === undefined) return structuredContent === undefined ? 'it has no content, where a list is due' : null;
  if (content === null) return 'its content is null, where a list is due';
  return `its content is ${isObject(content) ? 'one object' : typeof content === 'string' ? 'a text' : `a ${typeof content}`}, where a list is due`;
}

const isBlock = (block: unknown): boolean =>
  isObject(block) && typeof block.type === 'string' && (block.type !== 'text' || typeof block.text === 'string');

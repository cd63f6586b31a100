import { formatBytes, isObject, type Json } from '@/lib/core';

interface Bounds {
  readonly characters: number;
  readonly items: number;
  readonly depth: number;
}

/** Where the protocol puts base64. Any other text may be long and of one piece, and its head says what it is. */
const BINARY_MEMBERS: ReadonlySet<string> = new Set(['data', 'blob']);

/** From generous to tight; the last always fits. */
const BOUNDS: readonly Bounds[] = [
  { characters: 8192, items: 200, depth: 12 },
  { characters: 2048, items: 50, depth: 10 },
  { characters: 512, items: 12, depth: 6 },
  { characters: 120, items: 4, depth: 4 },
];

/** The most that a preview may hold, in characters. */
export const PREVIEW_CHARACTERS = 32 * 1024;

/**
 * A bounded stand-in for a large value: JSON of the same shape, with long texts, long lists and deep branches
 * cut, each cut saying how much it leaves out. Base64 in `data` and `blob` is named and not cut in the middle.
 */
export function toPreview(value: Json): string {
  for (const bounds of BOUNDS) {
    const budget = { characters: PREVIEW_CHARACTERS };
    const shortened = shorten(value, bounds, bounds.depth, budget);
    const preview = budget.characters < 0 ? null : JSON.stringify(shortened);
    if (preview !== null && preview.length <= PREVIEW_CHARACTERS) return preview;
  }
  return JSON.stringify('(too large for a preview: download the whole)');
}

/** Stops looking once the budget is spent: what comes out then is thrown away. */
function shorten(value: Json, bounds: Bounds, depth: number, budget: { characters: number }, name?: string): Json {
  budget.characters -= 1;
  if (budget.characters < 0) return null;
  if (typeof value === 'string') {
    const text = name !== undefined && BINARY_MEMBERS.has(name) ? shortenBinary(value, bounds.characters) : shortenText(value, bounds.characters);
    budget.characters -= text.length;
    return text;
  }
  if (value === null || typeof value !== 'object') return value;
  if (depth === 0) return '(deeper parts left out of this preview)';
  if (Array.isArray(value)) {
    const items: Json[] = value.slice(0, bounds.items).map((item: Json) => shorten(item, bounds, depth - 1, budget));
    return value.length > bounds.items ? [...items, `(${value.length - bounds.items} more items left out of this preview)`] : items;
  }
  if (!isObject(value)) return null;
  const members = Object.entries(value as Readonly<Record<string, Json>>); // an object of Json has Json members
  const kept = members.slice(0, bounds.items).map(([name, member]): [string, Json] => {
    budget.characters -= Math.min(name.length, 200);
    return [shortenText(name, 200), shorten(member, bounds, depth - 1, budget, name)];
  });
  if (members.length > bounds.items) kept.push(['…', `(${members.length - bounds.items} more members left out of this preview)`]);
  return Object.fromEntries(kept);
}

function shortenBinary(text: string, characters: number): string {
  if (text.length <= characters || !isBase64(text)) return shortenText(text, characters);
  return `(${formatBytes(Math.floor((text.length * 3) / 4))} of base64 left out of this preview)`;
}

function shortenText(text: string, characters: number): string {
  if (text.length <= characters) return text;
  // Never between the halves of a surrogate pair.
  const cut = text.slice(0, characters).replace(/[\uD800-\uDBFF]$/, '');
  return `${cut} … (${formatBytes(text.length - characters)} more left out of this preview)`;
}

/** Judged by its beginning: long, of one piece, of the letters of base64. */
const isBase64 = (text: string): boolean => /^(?:data:[^,]{0,100},)?[A-Za-z0-9+/_-]{500}/.test(text.slice(0, 700)) && !/^(.)\1{99}/.test(text);

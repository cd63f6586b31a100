import { isObject } from '@/lib/core';

/** A line of the tree as it is shown. */
export interface JsonLine {
  /** JSON pointer of the value; for `more`, of the list with `/…` after it. */
  readonly id: string;
  readonly depth: number;
  /** The member's name or the item's index; null for the whole. */
  readonly name: string | null;
  readonly kind: 'object' | 'array' | 'text' | 'number' | 'boolean' | 'null' | 'more';
  /** The value, or what a closed branch holds. */
  readonly text: string;
  /** Whether it is open; null for what cannot be opened. */
  readonly open: boolean | null;
}

/** What a person opened or closed, and how much of each long list is shown. */
export interface JsonTreeState {
  readonly toggled: ReadonlyMap<string, boolean>;
  readonly shown: ReadonlyMap<string, number>;
}

/** Members of a branch that are shown at first, and how many each press adds. */
export const BRANCH_STEP = 100;
/** Longer texts are shown by their beginning until they are opened. */
const TEXT_START = 600;
/** No text is drawn longer than this; copying gives all of it. */
const TEXT_MOST = 256 * 1024;
/** So many lines are open at first. */
const FIRST_LINES = 200;

/** The branches that are open at first: breadth first, while the lines that they bring are few. */
export function listFirstOpen(value: unknown): ReadonlySet<string> {
  const open = new Set<string>();
  let lines = 1;
  let level: (readonly [string, unknown])[] = [['', value]];
  while (level.length > 0) {
    const next: (readonly [string, unknown])[] = [];
    for (const [id, branch] of level) {
      const size = countMembers(branch);
      if (size === 0 || lines + Math.min(size, BRANCH_STEP) > FIRST_LINES) continue;
      lines += Math.min(size, BRANCH_STEP);
      open.add(id);
      for (const [name, member] of listMembers(branch, BRANCH_STEP)) next.push([toPointer(id, name), member]);
    }
    level = next;
  }
  return open;
}

/** The lines in view of a value. Runs without recursion of the engine's stack: a hostile value may be deep. */
export function toJsonLines(value: unknown, firstOpen: ReadonlySet<string>, state: JsonTreeState): readonly JsonLine[] {
  const lines: JsonLine[] = [];
  const stack: ({ readonly line: JsonLine } | { readonly id: string; readonly depth: number; readonly name: string | null; readonly value: unknown })[] = [
    { id: '', depth: 0, name: null, value },
  ];
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    if ('line' in next) {
      lines.push(next.line);
      continue;
    }
    const { id, depth, name } = next;
    const size = countMembers(next.value);
    const open = state.toggled.get(id) ?? firstOpen.has(id);
    lines.push({ id, depth, name, ...describeValue(next.value, open) });
    if (size === 0 || !open) continue;
    const shown = state.shown.get(id) ?? BRANCH_STEP;
    if (size > shown) {
      const text = `${size - shown} more`;
      stack.push({ line: { id: `${id}/…`, depth: depth + 1, name: null, kind: 'more', text, open: null } });
    }
    for (const [member, inner] of listMembers(next.value, shown).reverse()) {
      stack.push({ id: toPointer(id, member), depth: depth + 1, name: member, value: inner });
    }
  }
  return lines;
}

function describeValue(value: unknown, open: boolean): Pick<JsonLine, 'kind' | 'text' | 'open'> {
  if (Array.isArray(value)) {
    return { kind: 'array', text: value.length === 0 ? '[]' : `[${count(value.length, 'item')}]`, open: value.length === 0 ? null : open };
  }
  if (isObject(value)) {
    const size = countMembers(value);
    return { kind: 'object', text: size === 0 ? '{}' : `{${count(size, 'member')}}`, open: size === 0 ? null : open };
  }
  if (typeof value === 'string') {
    if (value.length <= TEXT_START) return { kind: 'text', text: value, open: null };
    const text = value.slice(0, open ? TEXT_MOST : TEXT_START);
    return { kind: 'text', text: text.length < value.length ? `${text}…` : text, open };
  }
  if (typeof value === 'number') return { kind: 'number', text: String(value), open: null };
  if (typeof value === 'boolean') return { kind: 'boolean', text: String(value), open: null };
  return { kind: 'null', text: 'null', open: null };
}

function countMembers(value: unknown): number {
  if (Array.isArray(value)) return value.length;
  return isObject(value) ? Object.keys(value).length : 0;
}

function listMembers(value: unknown, most: number): (readonly [string, unknown])[] {
  if (Array.isArray(value)) return value.slice(0, most).map((item: unknown, index) => [String(index), item] as const);
  return isObject(value) ? Object.entries(value).slice(0, most) : [];
}

const toPointer = (parent: string, name: string): string => `${parent}/${name.replace(/~/g, '~0').replace(/\//g, '~1')}`;

const count = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? '' : 's'}`;

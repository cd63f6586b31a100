import { isObject } from '@/lib/core';
import type { ListedPrompt, ListedResource, ListedResourceTemplate } from './tool-list';

/** A list with what could be read of it. */
export interface Mended<Item> {
  readonly items: readonly Item[];
  /** A sentence for each entry that was left out. */
  readonly warnings: readonly string[];
}

type Fields = Readonly<Record<string, unknown>>;

/** The entries of `resources/list`, every page together; entries without an address are left out and named. */
export const mendResources = (raw: unknown): Mended<ListedResource> =>
  mendList(raw, 'resources', 'uri', (fields, uri) => ({
    uri,
    name: textOf(fields['name']) ?? uri,
    title: textOf(fields['title']),
    description: textOf(fields['description']),
    mimeType: textOf(fields['mimeType']),
    sizeBytes: typeof fields['size'] === 'number' && fields['size'] >= 0 ? fields['size'] : null,
  }));

/** The entries of `resources/templates/list`, every page together. */
export const mendResourceTemplates = (raw: unknown): Mended<ListedResourceTemplate> =>
  mendList(raw, 'resourceTemplates', 'uriTemplate', (fields, uriTemplate) => ({
    uriTemplate,
    name: textOf(fields['name']) ?? uriTemplate,
    description: textOf(fields['description']),
    mimeType: textOf(fields['mimeType']),
  }));

/** The entries of `prompts/list`, every page together. */
export const mendPrompts = (raw: unknown): Mended<ListedPrompt> =>
  mendList(raw, 'prompts', 'name', (fields, name) => ({
    name,
    title: textOf(fields['title']),
    description: textOf(fields['description']),
    arguments: readPromptArguments(fields['arguments']),
  }));

/** A list of thousands without what they need is told in so many sentences and one. */
const MOST_NAMED = 10;

function mendList<Item>(
  raw: unknown,
  list: string,
  required: string,
  read: (fields: Fields, id: string) => Item,
): Mended<Item> {
  const entries = Array.isArray(raw) ? raw : isObject(raw) ? raw[list] : undefined;
  if (!Array.isArray(entries)) return { items: [], warnings: [`The server's list of ${list} is no list.`] };
  const items: Item[] = [];
  const warnings: string[] = [];
  let leftOut = 0;
  for (const [index, entry] of entries.entries()) {
    const id = isObject(entry) ? textOf(entry[required]) : null;
    if (isObject(entry) && id !== null && id !== '') items.push(read(entry, id));
    else if ((leftOut += 1) <= MOST_NAMED) warnings.push(`Entry ${index + 1} of the server's ${list} has no ${required} and is left out.`);
  }
  if (leftOut > MOST_NAMED) warnings.push(`${leftOut - MOST_NAMED} more entries of the server's ${list} have no ${required} and are left out.`);
  return { items, warnings };
}

function readPromptArguments(raw: unknown): ListedPrompt['arguments'] {
  if (!Array.isArray(raw)) return [];
  return raw.flatMap((argument: unknown) => {
    const name = isObject(argument) ? textOf(argument['name']) : null;
    if (!isObject(argument) || name === null) return [];
    return [{ name, description: textOf(argument['description']), required: argument['required'] === true }];
  });
}

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);

import { isListOf, isNullOr, isOptional, isShape, isText, requireShape } from '@/lib/core';
import { DESTINATIONS, FURTHER_PAGES } from './destinations';

/** Something that the palette can lead to. */
export interface PaletteEntry {
  readonly href: string;
  readonly label: string;
  readonly about: string;
  readonly kind: 'page' | 'server' | 'tool';
}

export const PAGE_ENTRIES: readonly PaletteEntry[] = [...DESTINATIONS, ...FURTHER_PAGES].map(({ href, label, about }) => ({
  href, label, about, kind: 'page',
}));

/** What the palette needs of `GET /api/palette` answers. */
interface ListedServer {
  readonly key: string;
  readonly label?: string;
  readonly tools?: readonly { readonly name: string; readonly title?: string | null }[];
}

const isTool = isShape<{ name: string; title?: string | null }>({ name: isText, title: isOptional(isNullOr(isText)) });
const isServer = isShape<ListedServer>({ key: isText, label: isOptional(isText), tools: isOptional(isListOf(isTool)) });
const isServers = isShape<{ servers: ListedServer[] }>({ servers: isListOf(isServer) });

/** Entries for the servers and their tools; throws where the answer has another shape. */
export function parseServerEntries(answer: unknown): readonly PaletteEntry[] {
  return requireShape(answer, isServers).servers.flatMap((server) => {
    const href = `/servers/${server.key}`;
    const own: PaletteEntry = { href, label: server.key, about: server.label ?? '', kind: 'server' };
    const tools = (server.tools ?? []).map(
      (tool): PaletteEntry => ({
        href: `${href}/tools?tool=${encodeURIComponent(tool.name)}`,
        label: tool.name,
        about: `on ${server.key}${tool.title ? ` · ${tool.title}` : ''}`,
        kind: 'tool',
      }),
    );
    return [own, ...tools];
  });
}

const SHOWN = 50;

/** The entries that have every word of the text, those that begin with it first; 50 at most. */
export function filterEntries(entries: readonly PaletteEntry[], text: string): readonly PaletteEntry[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const first = words[0];
  if (first === undefined) return entries.filter((entry) => entry.kind !== 'tool').slice(0, SHOWN);
  const found = entries.filter((entry) => {
    const haystack = `${entry.label} ${entry.about}`.toLowerCase();
    return words.every((word) => haystack.includes(word));
  });
  const begins = (entry: PaletteEntry) => (entry.label.toLowerCase().startsWith(first) ? 0 : 1);
  return found.toSorted((a, b) => begins(a) - begins(b)).slice(0, SHOWN);
}

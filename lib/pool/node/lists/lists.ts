import { isObject, type JsonObject } from '@/lib/core';
import { mendPrompts, mendResources, mendResourceTemplates, mendToolList, type ToolList } from '@/lib/manifests';
import type { ConnectionLists, WireAnswer } from '../connection';
import type { KnownSecrets } from '../known-secrets';

/** Product section 2: what stops a list that does not end. */
const MOST_PAGES = 1_000;
const MOST_ENTRIES = 20_000;
const METHOD_NOT_FOUND = -32_601;
/** How long a list other than the tools' may keep the connection waiting. */
const OTHER_LISTS_MS = 10_000;

/** Who is asked, and the secrets that its lists must not say back. */
export interface Listed {
  readonly server: string;
  readonly secrets: KnownSecrets;
}

export type ReadPage = (method: string, params: JsonObject, signal: AbortSignal) => Promise<WireAnswer>;

type ListMethod = 'tools/list' | 'resources/list' | 'resources/templates/list' | 'prompts/list';

const FIELDS: Readonly<Record<ListMethod, string>> = {
  'tools/list': 'tools',
  'resources/list': 'resources',
  'resources/templates/list': 'resourceTemplates',
  'prompts/list': 'prompts',
};

interface RawList {
  readonly entries: readonly unknown[];
  readonly warnings: readonly string[];
  /** The answer that ended the list before its end. */
  readonly failed: WireAnswer | null;
  /** The server does not know the method. */
  readonly isUnknown?: boolean;
}

/** Reads every page of a list; one that does not end is cut short with a warning that names the server. */
async function readPages({ server, secrets }: Listed, method: ListMethod, readPage: ReadPage, signal: AbortSignal): Promise<RawList> {
  const entries: unknown[] = [];
  const seen = new Set<string>();
  let cursor: string | undefined;
  for (let pages = 0; pages < MOST_PAGES; pages += 1) {
    const answer = await readPage(method, cursor === undefined ? {} : { cursor }, signal);
    if (answer.kind === 'rpc_error' && answer.code === METHOD_NOT_FOUND && pages === 0) return { entries: [], warnings: [], failed: null, isUnknown: true };
    if (answer.kind !== 'result') return { entries, warnings: [], failed: answer };
    // Before anything is kept of it, or said in a warning.
    const page: unknown = secrets.value(answer.result[FIELDS[method]] ?? null);
    if (!Array.isArray(page)) return { entries, warnings: [`${server} answered ${method} without a list of ${FIELDS[method]}.`], failed: null };
    const next = answer.result.nextCursor;
    const isRepeated = typeof next === 'string' && seen.has(next);
    // A server that ignores the cursor sends its page again: that is no second tool of the name.
    const fresh = isRepeated ? withoutKnown(page, entries) : page;
    const room = MOST_ENTRIES - entries.length;
    for (const entry of fresh.slice(0, room)) entries.push(entry);
    // An empty text is a cursor; null is none.
    if (typeof next !== 'string' && fresh.length <= room) return { entries, warnings: [], failed: null };
    if (typeof next !== 'string' || entries.length >= MOST_ENTRIES) return { entries, warnings: [`${server}: ${method} was stopped after ${MOST_ENTRIES} entries.`], failed: null };
    if (isRepeated) {
      return { entries, warnings: [`${server}: ${method} was stopped because it repeats the cursor "${secrets.text(next).slice(0, 100)}".`], failed: null };
    }
    seen.add(next);
    cursor = next;
  }
  return { entries, warnings: [`${server}: ${method} was stopped after ${MOST_PAGES} pages.`], failed: null };
}

function withoutKnown(page: readonly unknown[], entries: readonly unknown[]): readonly unknown[] {
  const known = new Set(entries.map(toText));
  return page.filter((entry) => !known.has(toText(entry)));
}

/** For comparisons; what is nested too deep to be written is like nothing else of its kind. */
function toText(entry: unknown): string {
  try {
    return JSON.stringify(entry);
  } catch {
    return '';
  }
}

/** The whole tool list, or the answer that prevented it. Tools are asked for whether the server declares them or not. */
export async function readTools(listed: Listed, readPage: ReadPage, signal: AbortSignal): Promise<ToolList | { readonly failed: WireAnswer }> {
  const raw = await readPages(listed, 'tools/list', readPage, signal);
  if (raw.failed !== null) return { failed: raw.failed };
  const list = mendToolList(raw.entries);
  return { ...list, warnings: [...list.warnings, ...raw.warnings] };
}

export type OtherLists = Omit<ConnectionLists, 'toolList'>;

/** Resources, templates and prompts, each on its own: one that fails or hangs becomes a warning and delays no other. */
export async function readOtherLists(
  listed: Listed,
  declared: Readonly<Record<string, unknown>>,
  readPage: ReadPage,
  signal: AbortSignal,
): Promise<OtherLists> {
  const { server, secrets } = listed;
  const read = async (method: ListMethod, isDeclared: boolean): Promise<RawList> => {
    if (!isDeclared) return { entries: [], warnings: [], failed: null };
    const clock = new AbortController();
    const timer = setTimeout(() => clock.abort(), OTHER_LISTS_MS);
    try {
      return await readPages(listed, method, readPage, AbortSignal.any([signal, clock.signal]));
    } finally {
      clearTimeout(timer);
    }
  };
  const hasResources = isObject(declared.resources);
  const [resources, templates, prompts] = await Promise.all([
    read('resources/list', hasResources),
    read('resources/templates/list', hasResources),
    read('prompts/list', isObject(declared.prompts)),
  ]);
  const mended = { resources: mendResources(resources.entries), templates: mendResourceTemplates(templates.entries), prompts: mendPrompts(prompts.entries) };
  const failures = [
    // Templates have no capability of their own: a server with resources need not know of them.
    resources.isUnknown ? toUnknown(server, 'resources/list') : null,
    prompts.isUnknown ? toUnknown(server, 'prompts/list') : null,
    toWarning(server, 'resources/list', resources.failed),
    toWarning(server, 'resources/templates/list', templates.failed),
    toWarning(server, 'prompts/list', prompts.failed),
  ];
  return {
    resources: mended.resources.items,
    resourceTemplates: mended.templates.items,
    prompts: mended.prompts.items,
    warnings: [
      ...resources.warnings, ...templates.warnings, ...prompts.warnings,
      ...mended.resources.warnings, ...mended.templates.warnings, ...mended.prompts.warnings,
      ...failures.filter((warning) => warning !== null).map((warning) => secrets.text(warning)),
    ],
  };
}

const toUnknown = (server: string, method: ListMethod): string => `${server} declares ${FIELDS[method]} but does not know ${method}: it has none.`;

const toWarning = (server: string, method: ListMethod, failed: WireAnswer | null): string | null =>
  failed === null ? null : `${server} declares ${FIELDS[method]} but ${method} failed: ${toWords(failed)}.`;

/** What an answer that is no result says, as the end of a sentence. */
export function toWords(answer: WireAnswer): string {
  switch (answer.kind) {
    case 'result':
      return 'it answered';
    case 'rpc_error':
      return `error ${answer.code}, ${answer.message}`;
    case 'not_sent':
    case 'lost':
      return answer.failure.message.replace(/\.$/, '');
    case 'aborted':
      return 'no answer came in time';
    case 'protocol_error':
      return answer.message;
    case 'too_large':
      return `the answer of ${answer.sizeBytes} bytes is over the limit of ${answer.limitBytes}`;
  }
}

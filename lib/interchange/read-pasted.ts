import { err, isObject, ok, type Result } from '@/lib/core';
import { findUrlProblem, isServerKey, toServerKey } from '@/lib/servers';
import type { ConfiguredServer, ReadProblem } from './configuration';
import { readCommand, suggestName } from './read-command';
import { looksLikeToml, readConfiguration } from './read-configuration';
import { readJson } from './read-json';
import { withoutByteOrderMark } from './text-position';
import { toConfiguredServer, toConfiguredServers } from './to-configured-server';
import { translateEntry } from './translate-entry';

/** What somebody put in the one field, recognised and read. */
export interface Pasted {
  readonly source: 'configuration' | 'entry' | 'url' | 'command';
  /** At least one; several where a whole configuration was pasted. */
  readonly servers: readonly [ConfiguredServer, ...ConfiguredServer[]];
  readonly warnings: readonly string[];
}

type Fields = Readonly<Record<string, unknown>>;
type Read = Result<Pasted, ReadProblem>;

const FRAGMENT = /^"(?:[^"\\\n]|\\.)*"\s*:\s*[{[]/;
const SCHEME = /^[a-z][a-z0-9+.-]*:\/\//i;

/**
 * Reads what people have: a configuration, an entry of one (with its name or without), a url, a command line,
 * a `claude mcp add …`. Never throws.
 */
export function readPasted(text: string): Read {
  const bare = withoutByteOrderMark(text);
  const trimmed = bare.trim();
  if (trimmed === '') return problem('Nothing is here yet: paste a configuration, a url or a command line.');
  if (trimmed.startsWith('{') || /^\/[/*]/.test(trimmed)) return readPastedJson(bare);
  if (FRAGMENT.test(trimmed)) return readFragment(trimmed);
  if (looksLikeToml(bare)) return readPastedConfiguration(bare);
  if (trimmed.startsWith('[')) {
    return problem('This is a list. Paste an object with "mcpServers", one server entry, or tables named [mcp.<name>].', 1, 1);
  }
  return SCHEME.test(trimmed) ? readUrl(trimmed) : readCommandLine(trimmed);
}

const problem = (message: string, line: number | null = null, column: number | null = null): Read =>
  err({ message, line, column });

/** `"name": { … }`, as it is copied out of the middle of a file. */
function readFragment(text: string): Read {
  const read = readPastedJson(`{${text.replace(/,$/, '')}}`);
  if (read.ok || read.error.line !== 1 || read.error.column === null) return read;
  return err({ ...read.error, column: Math.max(1, read.error.column - 1) });
}

function readPastedJson(text: string): Read {
  const read = readJson(text);
  if (!read.ok) return read;
  const root = read.value;
  if (!isObject(root)) return problem('Paste an object with "mcpServers" in it, or one server entry.', 1, 1);
  if ('mcpServers' in root || isObject(root['servers']) || (isObject(root['mcp']) && 'servers' in root['mcp'])) {
    return readPastedConfiguration(text);
  }
  if (isEntry(root)) return readEntry(root);
  const entries = Object.values(root);
  if (entries.length > 0 && entries.every(isObject)) {
    const { servers, warnings } = toConfiguredServers(root);
    return toPastedServers('configuration', servers, warnings);
  }
  return problem('No server is described here: an entry has a "command" or a "url", a file "mcpServers".', 1, 1);
}

/** Values tell an entry from a map of entries in which one is named `url`. */
const isEntry = (root: Fields): boolean =>
  ['command', 'url', 'serverUrl', 'httpUrl'].some((field) => field in root && !isObject(root[field]));

function readEntry(root: Fields): Read {
  const stated = [root['key'], root['name']].find((name) => typeof name === 'string' && name !== '');
  const { fields } = translateEntry(root);
  const name = typeof stated === 'string' ? stated : suggestName(fields);
  const { server, warnings } = nameServer(name, root, typeof stated !== 'string');
  const ignored = server.ignored.filter((field) => root[field] !== stated);
  return ok({ source: 'entry', servers: [{ ...server, ignored }], warnings });
}

/** A name that we suggest is a key at once; one that a person wrote stays as the label where it is none. */
const nameServer = (name: string, raw: unknown, suggested: boolean) =>
  toConfiguredServer(suggested && !isServerKey(name) ? toServerKey(name) : name, raw);

function readPastedConfiguration(text: string): Read {
  const read = readConfiguration(text);
  return read.ok ? toPastedServers('configuration', read.value.servers, read.value.warnings) : read;
}

function toPastedServers(
  source: Pasted['source'],
  servers: readonly ConfiguredServer[],
  warnings: readonly string[],
): Read {
  const [first, ...others] = servers;
  if (!first) return problem('The configuration has no servers in it.', 1, 1);
  return ok({ source, servers: [first, ...others], warnings });
}

function readUrl(text: string): Read {
  const fault = findUrlProblem(text);
  if (fault !== null) return problem(fault);
  const { server, warnings } = nameServer(suggestName({ url: text }), { url: text }, true);
  return ok({ source: 'url', servers: [server], warnings });
}

function readCommandLine(text: string): Read {
  const read = readCommand(text);
  if (!read.ok) return read;
  const { server, warnings } = nameServer(read.value.name, read.value.fields, !read.value.isNamed);
  return ok({ source: 'command', servers: [server], warnings });
}

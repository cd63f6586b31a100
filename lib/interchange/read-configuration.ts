import { err, isObject, ok, toVisibleText, type Result } from '@/lib/core';
import type { Configuration, ConfigurationFormat, ConfiguredServer, ReadProblem } from './configuration';
import { readJson } from './read-json';
import { readToml } from './read-toml';
import { withoutByteOrderMark } from './text-position';
import { toConfiguredServers } from './to-configured-server';

type Fields = Readonly<Record<string, unknown>>;

/**
 * The servers of a configuration file: `mcpServers` JSON, VS Code's `servers`, or `[mcp.<name>]` TOML. A server that
 * is wrong carries its own errors and its neighbours stay; text that cannot be read has a line and a column.
 */
export function readConfiguration(
  text: string,
  options: { readonly fileName?: string } = {},
): Result<Configuration, ReadProblem> {
  const bare = withoutByteOrderMark(text);
  if (bare.trim() === '') return fail('The text is empty: there is no configuration in it.');
  if (isToml(bare, options.fileName)) {
    const read = readToml(bare);
    return read.ok ? toConfiguration(read.value, findTomlServers) : read;
  }
  const read = readJson(bare);
  return read.ok ? toConfiguration(read.value, findJsonServers) : read;
}

const fail = (message: string): Result<never, ReadProblem> => err({ message, line: 1, column: 1 });

/** By the file's name, else by its first line that says something: JSON begins with a brace. */
function isToml(text: string, fileName: string | undefined): boolean {
  if (fileName?.toLowerCase().endsWith('.toml')) return true;
  if (fileName?.toLowerCase().endsWith('.json') || fileName?.toLowerCase().endsWith('.jsonc')) return false;
  return looksLikeToml(text);
}

export const looksLikeToml = (text: string): boolean =>
  !text.trimStart().startsWith('{') && /^\s*\[{1,2}\s*["']?(?:mcp|permissions)["']?\s*[.\]]/m.test(text);

interface FoundServers {
  readonly format: ConfigurationFormat;
  readonly servers: unknown;
  /** What is not part of it, by name. */
  readonly ignored: readonly string[];
  readonly permissions?: unknown;
}

function findJsonServers(root: Fields): FoundServers | null {
  const others = (...known: string[]) => Object.keys(root).filter((name) => !known.includes(name) && name !== '$schema');
  if ('mcpServers' in root) return { format: 'mcpServers', servers: root['mcpServers'], ignored: others('mcpServers') };
  if ('servers' in root) return { format: 'vscode', servers: root['servers'], ignored: others('servers', 'inputs') };
  const nested = root['mcp'];
  return isObject(nested) && 'servers' in nested
    ? { format: 'vscode', servers: nested['servers'], ignored: others('mcp') }
    : null;
}

function findTomlServers(root: Fields): FoundServers | null {
  const ignored = Object.keys(root).filter((name) => name !== 'mcp' && name !== 'permissions');
  return 'mcp' in root ? { format: 'toml', servers: root['mcp'], ignored, permissions: root['permissions'] } : null;
}

function toConfiguration(value: unknown, find: (root: Fields) => FoundServers | null): Result<Configuration, ReadProblem> {
  const found = isObject(value) ? find(value) : null;
  if (!found) {
    return fail(
      'No servers are named here: a configuration has "mcpServers" (or "servers") with an object in it, ' +
        'or tables named [mcp.<name>].',
    );
  }
  if (!isObject(found.servers)) {
    return fail('The servers of a configuration are an object: a name for each, with its entry.');
  }
  const { servers, warnings } = toConfiguredServers(found.servers);
  const permissions = readPermissions(found.permissions, servers);
  return ok({
    format: found.format,
    servers,
    permissions: permissions.rules,
    warnings: [...warnings, ...permissions.warnings, ...ignoredSentence(found.ignored)],
  });
}

/** One sentence however many there are: whole settings files are pasted too. */
function ignoredSentence(names: readonly string[]): readonly string[] {
  if (names.length === 0) return [];
  const shown = names.slice(0, 8).map((name) => toVisibleText(name));
  const more = names.length > shown.length ? ` and ${names.length - shown.length} more` : '';
  return [`Not taken over from the file: ${shown.join(', ')}${more}.`];
}

function readPermissions(
  raw: unknown,
  servers: readonly ConfiguredServer[],
): { readonly rules: Configuration['permissions']; readonly warnings: readonly string[] } {
  const none = { allow: [], deny: [] };
  if (raw === undefined) return { rules: none, warnings: [] };
  if (!isObject(raw)) return { rules: none, warnings: ['[permissions] is no table and was not taken over.'] };
  const warnings: string[] = [];
  const read = (list: 'allow' | 'deny'): readonly string[] => {
    const written = raw[list] ?? [];
    const rules = Array.isArray(written) ? written.filter((rule) => typeof rule === 'string') : [];
    if (!Array.isArray(written) || rules.length < written.length) {
      warnings.push(`permissions.${list} has something in it that is no text, which was not taken over.`);
    }
    return rules.map((rule) => rewriteRule(rule, servers));
  };
  const rules = { allow: read('allow'), deny: read('deny') };
  const ignored = Object.keys(raw).filter((name) => name !== 'allow' && name !== 'deny');
  return { rules, warnings: [...warnings, ...ignoredSentence(ignored.map((name) => `permissions.${name}`))] };
}

/** A rule that began with a name which became a key begins with the key. */
function rewriteRule(rule: string, servers: readonly ConfiguredServer[]): string {
  const renamed = servers.find(({ name, key }) => name !== key && rule.startsWith(`${name}__`));
  return renamed ? `${renamed.key}${rule.slice(renamed.name.length)}` : rule;
}

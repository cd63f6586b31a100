import { err, ok, type Result } from '@/lib/core';
import { splitCommandLine } from './split-command-line';
import type { ReadProblem } from './configuration';
import { suggestNameForCommand, suggestNameForUrl } from './suggest-name';
import { positionAt } from './text-position';

/** A server as one line describes it. */
export interface DescribedServer {
  readonly name: string;
  /** Whether the line gave the name; else it is ours to suggest. */
  readonly isNamed: boolean;
  readonly fields: Readonly<Record<string, unknown>>;
}

const ASSIGNMENT = /^([A-Za-z_][A-Za-z0-9_]*)=([\s\S]*)$/;
const PROMPT = /^\$\s+/;
const REMOTE_URL = /^(?:https?|wss?):\/\//i;

/** The server that a command line starts, or that a `claude mcp add …` describes. */
export function readCommand(text: string): Result<DescribedServer, ReadProblem> {
  const line = text.trim();
  const bare = line.replace(PROMPT, '');
  const split = splitCommandLine(bare);
  if (!split.ok) {
    const { message, offset } = split.error;
    return err({ message, ...positionAt(line, offset + line.length - bare.length) });
  }
  const words = split.value;
  if (words[0] === 'claude' && words[1] === 'mcp') return readClaudeCommand(words.slice(2));
  return toStartedServer(words);
}

function toStartedServer(
  words: readonly string[],
  env: Readonly<Record<string, string>> = {},
  name?: string,
): Result<DescribedServer, ReadProblem> {
  const leading = words.findIndex((word) => !ASSIGNMENT.test(word));
  const assignments = leading < 0 ? words : words.slice(0, leading);
  const [command, ...args] = leading < 0 ? [] : words.slice(leading);
  if (command === undefined || command === '') {
    return problem('No command is named here: write the program that starts the server, after its variables.');
  }
  const whole = { ...env, ...Object.fromEntries(assignments.map(toAssignment)) };
  return ok({
    name: name ?? suggestNameForCommand(command, args),
    isNamed: name !== undefined,
    fields: { command, ...(args.length > 0 && { args }), ...(Object.keys(whole).length > 0 && { env: whole }) },
  });
}

function toAssignment(word: string): [string, string] {
  const at = word.indexOf('=');
  return [word.slice(0, at), word.slice(at + 1)];
}

interface ClaudeOptions {
  readonly env: Record<string, string>;
  readonly headers: Record<string, string>;
  transport: string | undefined;
  readonly positional: string[];
}

/** `add [options] NAME [--] COMMAND [ARGUMENT…]`, or NAME and a url. */
function readClaudeCommand(words: readonly string[]): Result<DescribedServer, ReadProblem> {
  if (words[0] !== 'add') return problem('Of "claude mcp", only "claude mcp add NAME …" describes a server.');
  const options = readClaudeOptions(words.slice(1));
  if (!options.ok) return options;
  const { env, headers, transport, positional } = options.value;
  const [name, first, ...rest] = positional;
  if (name === undefined || first === undefined) {
    return problem('Write a name and, after it, a command or a url: claude mcp add NAME COMMAND.');
  }
  if (!REMOTE_URL.test(first)) return toStartedServer([first, ...rest], env, name);
  const withHeaders = Object.keys(headers).length > 0 && { headers };
  return ok({ name, isNamed: true, fields: { url: first, ...(transport === 'sse' && { transport }), ...withHeaders } });
}

function readClaudeOptions(words: readonly string[]): Result<ClaudeOptions, ReadProblem> {
  const options: ClaudeOptions = { env: {}, headers: {}, transport: undefined, positional: [] };
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] ?? '';
    // From the command on, whatever looks like an option is the command's own.
    if (word === '--' || (options.positional.length === 2 && !REMOTE_URL.test(options.positional[1] ?? ''))) {
      options.positional.push(...words.slice(word === '--' ? index + 1 : index));
      break;
    }
    if (!word.startsWith('-')) {
      options.positional.push(word);
      continue;
    }
    const [flag = word, attached] = word.startsWith('--') ? splitOnce(word, '=') : [word];
    const value = attached ?? words[(index += 1)];
    if (value === undefined) return problem(`The option ${flag} has no value.`);
    const refused = takeOption(options, flag, value);
    if (refused !== null) return problem(refused);
  }
  return ok(options);
}

/** null, or what is wrong with the option. */
function takeOption(options: ClaudeOptions, flag: string, value: string): string | null {
  switch (flag) {
    case '-t':
    case '--transport':
      options.transport = value;
      return null;
    case '-s':
    case '--scope':
      return null;
    case '-e':
    case '--env': {
      const [name = '', text] = splitOnce(value, '=');
      if (text === undefined) return `The option ${flag} takes NAME=value.`;
      options.env[name] = text;
      return null;
    }
    case '-H':
    case '--header': {
      const [name = '', text] = splitOnce(value, ':');
      if (text === undefined) return `The option ${flag} takes "Name: value".`;
      options.headers[name.trim()] = text.trim();
      return null;
    }
    default:
      return `The option ${flag} is not known here: take it out, or fill in the form.`;
  }
}

function splitOnce(text: string, separator: string): readonly string[] {
  const at = text.indexOf(separator);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}

const problem = (message: string): Result<never, ReadProblem> => err({ message, line: null, column: null });

/** A name for an entry that has none, from what it starts or where it is. */
export function suggestName(fields: Readonly<Record<string, unknown>>): string {
  const { command, args, url } = fields;
  if (typeof command === 'string') {
    const words = Array.isArray(args) ? args.filter((argument) => typeof argument === 'string') : [];
    return suggestNameForCommand(command, words);
  }
  return typeof url === 'string' && URL.canParse(url) ? suggestNameForUrl(new URL(url)) : 'server';
}

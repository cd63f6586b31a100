import { Command, CommanderError, InvalidArgumentError } from 'commander';
import { AppError } from '@/lib/core';
import { EXIT, UsageError, type ExitCode } from './exit-codes';
import type { LedgerOptions } from './commands/ledger';
import { openTerminal, type Terminal } from './terminal';

const terminal = openTerminal({ stdout: process.stdout, stderr: process.stderr });

/** A command's own code is loaded when it runs, so that `--help` stays quick. */
function program(finish: (code: ExitCode) => void): Command {
  const root = new Command('signalbox')
    .description('An operator console for MCP servers: the same servers, call path and ledger, from a terminal.')
    .exitOverride()
    .configureOutput({ writeErr: (text) => terminal.note(text.trimEnd()) });

  // A method, since the options belong to each command: `signalbox check --json`.
  const command = (usage: string, description: string): Command =>
    root
      .command(usage)
      .description(description)
      .exitOverride()
      .option('--json', 'print one JSON document on stdout', false)
      .option('--config <file>', 'use the servers of this file instead of the stored ones');

  command('check [keys...]', 'connect to each enabled server and say what works').action(async (keys: string[], options: Parsed) =>
    finish(await (await import('./commands/check')).check(keys, options, terminal)),
  );
  command('test <key>', 'the staged connection test of one server').action(async (key: string, options: Parsed) =>
    finish(await (await import('./commands/test')).test(key, options, terminal)),
  );
  command('tools [key]', 'list tools with availability, reason, remedy and risk')
    .option('--refresh', 'read the lists again', false)
    .action(async (key: string | undefined, options: Parsed & { refresh: boolean }) =>
      finish(await (await import('./commands/tools')).tools(key, options, terminal)),
    );
  command('call <key> <tool>', 'one ledgered call')
    .option('--args <json>', 'the arguments, a JSON object')
    .option('--args-file <file>', 'read the arguments from a file, or from stdin with -')
    .option('--file <arg=file>', 'put a file into the job directory and its path into an argument; may be repeated', collect, [])
    .option('--yes', 'answer yes where a rule says ask', false)
    .option('--timeout <ms>', 'the longest this call may take, in milliseconds', toMilliseconds)
    .action(async (key: string, tool: string, options: Parsed & CallFlags) =>
      finish(await (await import('./commands/call')).call(key, tool, options, terminal)),
    );
  command('ledger', 'read the ledger, newest first')
    .option('--format <format>', 'table, jsonl or csv; a table unless told otherwise')
    .option('--limit <number>', 'at most so many entries', toCount)
    .option('--run <id>', 'of this run')
    .option('--server <key>', 'of this server; may be repeated, as --tool, --outcome, --code and --actor', collect, [])
    .option('--tool <name>', 'of this tool', collect, [])
    .option('--outcome <outcome>', 'with this outcome', collect, [])
    .option('--code <code>', 'with this error', collect, [])
    .option('--actor <kind>', 'made by a person, pack, model, gateway, cli or console', collect, [])
    .option('--who <name>', 'made by this one')
    .option('--from <time>', 'requested at or after, in ISO 8601')
    .option('--to <time>', 'requested before')
    .option('--min-ms <ms>', 'that took at least so long')
    .option('--max-ms <ms>', 'that took at most so long')
    .option('--text <words>', 'with these words in its arguments, result or error')
    .option('--plumbing', 'plumbing calls too', false)
    .action(async (options: LedgerOptions) => finish(await (await import('./commands/ledger')).ledger(options, terminal)));
  command('serve', 'start the console')
    .option('--host <address>', 'the address to listen on; loopback unless told otherwise')
    .option('--port <number>', 'the port to listen on', toPort)
    .action(async (options: Parsed & { host?: string; port?: number }) => finish(await (await import('./commands/serve')).serve(options, terminal)));
  return root;
}

interface Parsed {
  json: boolean;
  config?: string;
}

interface CallFlags {
  args?: string;
  argsFile?: string;
  file: string[];
  yes: boolean;
  timeout?: number;
}

const collect = (value: string, previous: string[]): string[] => [...previous, value];

function toMilliseconds(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('Give a whole number of milliseconds, such as 30000.');
  return Number(text);
}

function toCount(text: string): number {
  if (!/^[1-9]\d{0,11}$/.test(text)) throw new InvalidArgumentError('Give a whole number from 1 on.');
  return Number(text);
}

function toPort(text: string): number {
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535) throw new InvalidArgumentError('Give a port from 0 to 65535.');
  return Number(text);
}

/** The exit code of a command that threw; what went wrong is on stderr. */
function explain(error: unknown, output: Terminal): ExitCode {
  // Commander has printed its own message, or the help that was asked for.
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
  if (error instanceof UsageError) {
    output.note(error.message);
    return EXIT.usage;
  }
  output.note(error instanceof Error ? error.message : String(error));
  if (error instanceof AppError && error.remedy !== null) output.note(`Do this: ${error.remedy}`);
  return EXIT.failed;
}

let exitCode: ExitCode = EXIT.ok;
try {
  await program((code) => (exitCode = code)).parseAsync();
} catch (error) {
  exitCode = explain(error, terminal);
}
process.exitCode = exitCode;

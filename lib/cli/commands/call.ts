import { readFileSync } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { basename } from 'node:path';
import { mayHaveHappened, toConsoleError, type CallError, type CallRequest, type CallResult } from '@/lib/calls';
import { callIds, isObject, type JsonObject } from '@/lib/core';
import type { ServerState } from '@/lib/pool';
import { isLocal, type ServerEntry } from '@/lib/servers';
import type { BrokenServer } from '@/lib/servers/node';
import { toBrokenCheckServer } from '@/lib/testing-connections';
import { parseArguments } from '../arguments';
import { toDetailsJson } from '../details-json';
import { EXIT, UsageError, type ExitCode } from '../exit-codes';
import { followProgress } from '../progress';
import { requireKnown, withSession, type CommandSession, type CommonOptions } from '../session';
import type { Terminal } from '../terminal';

export interface CallOptions extends CommonOptions {
  readonly args?: string;
  readonly argsFile?: string;
  readonly file: readonly string[];
  /** Answers "yes" where a rule says ask. */
  readonly yes: boolean;
  readonly timeout?: number;
}

/** One ledgered call. */
export async function call(key: string, tool: string, options: CallOptions, terminal: Terminal): Promise<ExitCode> {
  const written = readArguments(options);
  return withSession(options, terminal, async (session) => {
    const { runtime, principal, signal } = session;
    const { record, broken } = requireKnown(session, key);
    const request = { callId: callIds.create(), runId: principal.sessionRunId, totalMs: options.timeout ?? null, tryAnyway: false, requiresExposure: true };
    if (record === null) return end(await refuseBroken(broken, { ...request, tool, arguments: written }, session), broken.key, tool, options, terminal);
    const { entry } = record;
    const args = { ...written, ...(await placeFiles(options.file, entry, session)) };
    const name = toolNamed(session, entry, tool);
    const stop = followProgress(entry.key, () => progressOf(runtime.pool.state(entry.key)), terminal);
    const result = await runtime.calls.call({ ...request, serverKey: entry.key, tool: name, arguments: args }, principal, signal).finally(stop);
    return end(result, entry.key, name, options, terminal);
  });
}

const progressOf = (state: ServerState): string | null => (state.name === 'starting' ? state.progress : null);

function end(result: CallResult, server: string, tool: string, options: CallOptions, terminal: Terminal): ExitCode {
  for (const warning of result.warnings) terminal.note(warning);
  if (options.json) terminal.document(toCallJson(result, server, tool));
  else print(result, terminal);
  return exitCodeOf(result);
}

/** An entry of the file that is no server: nothing can be sent to it, and the call's own entry says why. */
function refuseBroken({ key, errors }: BrokenServer, request: Omit<CallRequest, 'serverKey'>, { runtime, principal }: CommandSession): Promise<CallResult> {
  const { error } = toBrokenCheckServer(key, errors);
  const facts = { serverKey: key, tool: request.tool };
  return runtime.calls.refuse(
    { ...request, serverKey: key },
    principal,
    toConsoleError('not_connected', error?.message ?? `${key} cannot be used as it is written.`, facts, error?.remediation == null ? {} : { remediation: error.remediation }),
  );
}

/** The tool's own name: it may be given by its exposed one as well. */
function toolNamed({ runtime }: CommandSession, entry: ServerEntry, text: string): string {
  const named = runtime.names.find(text);
  return named?.serverKey === entry.key ? named.tool : text;
}

function readArguments(options: CallOptions): JsonObject {
  if (options.args !== undefined && options.argsFile !== undefined) throw new UsageError('--args and --args-file say the same thing: give one of them.');
  if (options.args !== undefined) return parseArguments(options.args, '--args');
  if (options.argsFile === undefined) return {};
  try {
    return parseArguments(readFileSync(options.argsFile === '-' ? 0 : options.argsFile, 'utf8'), '--args-file');
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`--args-file: ${options.argsFile} ${explainUnreadable(error)}`);
  }
}

/** Copies each file of `--file ARG=FILE` into the job directory and answers the arguments that name the copies. */
async function placeFiles(pairs: readonly string[], entry: ServerEntry, { runtime, signal }: CommandSession): Promise<JsonObject> {
  if (pairs.length > 0 && !isLocal(entry)) {
    throw new UsageError(`--file: "${entry.key}" is not on this machine's filesystem; give the path that it knows with --args.`);
  }
  const placed: Record<string, string> = {};
  for (const pair of pairs) {
    const split = pair.indexOf('=');
    if (split < 1) throw new UsageError(`--file: "${pair}" is not ARG=FILE; write for example --file path=./sample.bin.`);
    const file = pair.slice(split + 1);
    const handle = await openGiven(file);
    try {
      const { path } = await runtime.jobs.put('console', basename(file), handle.createReadStream({ autoClose: false }), signal);
      placed[pair.slice(0, split)] = path;
    } finally {
      await handle.close();
    }
  }
  return placed;
}

/** @throws UsageError where there is no such file, or it may not be read */
async function openGiven(file: string): Promise<FileHandle> {
  const handle = await open(file).catch((error: unknown) => {
    throw new UsageError(`--file: ${file} ${explainUnreadable(error)}`);
  });
  if ((await handle.stat()).isFile()) return handle;
  await handle.close();
  throw new UsageError(`--file: ${file} is no file. Name a file, not a folder or a device.`);
}

function explainUnreadable(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'ENOENT' || code === 'ENOTDIR') return 'does not exist. Name a file that does.';
  if (code === 'EACCES' || code === 'EPERM') return 'may not be read by this user. Give yourself the right to read it, or name another.';
  if (code === 'EISDIR') return 'is a folder. Name a file.';
  return `cannot be read (${error instanceof Error ? error.message : String(error)}). Name another file.`;
}

/** The document of `call --json` (product section 13). */
function toCallJson(result: CallResult, server: string, tool: string) {
  const { error } = result;
  return {
    entry_id: result.entryId,
    run_id: result.runId,
    server,
    tool,
    outcome: result.outcome,
    ok: result.outcome === 'ok',
    result: result.result,
    error:
      error === null
        ? null
        : {
            code: error.code, message: error.message, remediation: error.remediation, remediation_by: error.remediationBy,
            http_status: error.httpStatus, details: toDetailsJson(error.details), rpc_code: error.rpcCode,
          },
    duration_ms: result.durationMs,
    attempts: result.attempts,
    warnings: [...result.warnings],
  };
}

function print({ entryId, error, outcome, result, sequence }: CallResult, terminal: Terminal): void {
  if (result !== null) {
    const content = Array.isArray(result.content) ? result.content : [];
    for (const block of content) terminal.line(isObject(block) && block.type === 'text' && typeof block.text === 'string' ? block.text : JSON.stringify(block));
    if (content.length === 0) terminal.line(JSON.stringify(result.structuredContent ?? result, null, 2));
  }
  if (error !== null) printError(error, terminal);
  terminal.note(`${outcome}, ledger entry ${sequence} (${entryId})`);
}

function printError({ code, message, remediation }: Pick<CallError, 'code' | 'message' | 'remediation'>, terminal: Terminal): void {
  terminal.note(`✗ ${code}: ${message}`);
  if (remediation !== null) terminal.note(`  Do this: ${remediation}`);
}

function exitCodeOf({ outcome, sentAt }: CallResult): ExitCode {
  if (outcome === 'ok') return EXIT.ok;
  if (mayHaveHappened(outcome, sentAt)) return EXIT.mayHaveHappened;
  return outcome === 'tool_error' || outcome === 'protocol_error' ? EXIT.failed : EXIT.notSent;
}

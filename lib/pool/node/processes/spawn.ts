import { spawn as spawnProcess, type ChildProcessByStdio } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import type { Readable, Writable } from 'node:stream';
import { err, ok, type Clock, type Result } from '@/lib/core';
import { explainFailure, type ConnectFailure, type ConnectFailureCode } from '../..';
import type { ChildRecords } from './child-records';
import { CHILD_MARKER, findStartTicks } from './process-group';

/** A child in a process group of its own, whose number is its process id. */
export interface StartedChild {
  readonly process: ChildProcessByStdio<Writable, Readable, Readable>;
  readonly pid: number;
  readonly marker: string;
}

export interface ChildToStart {
  readonly server: string;
  /** The resolved program; `name` is what people know it by and becomes argv[0]. */
  readonly program: string;
  readonly name: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string | null;
}

/** Python decides its encoding from the locale, which a service often lacks; whoever sets these in `env` wins. */
const UTF8_DEFAULTS = { PYTHONUTF8: '1', PYTHONIOENCODING: 'utf-8' };

/** Starts a child without a shell, in its own process group, marked and written down. */
export async function startChild(wanted: ChildToStart, records: ChildRecords, clock: Clock): Promise<Result<StartedChild, ConnectFailure>> {
  const marker = randomBytes(16).toString('hex');
  const env = { ...UTF8_DEFAULTS, ...wanted.env, [CHILD_MARKER]: marker };
  let child: ChildProcessByStdio<Writable, Readable, Readable>;
  try {
    child = spawnProcess(wanted.program, [...wanted.args], {
      argv0: wanted.name,
      cwd: wanted.cwd ?? undefined,
      // Next declares NODE_ENV as always present; a child's environment is what the entry says.
      env: env as unknown as NodeJS.ProcessEnv,
      stdio: ['pipe', 'pipe', 'pipe'],
      detached: true,
      windowsHide: true,
    });
  } catch (cause) {
    return err(toSpawnFailure(cause, wanted));
  }
  const failure = await new Promise<unknown>((resolve) => {
    child.once('spawn', () => resolve(null));
    child.once('error', resolve);
  });
  const pid = child.pid;
  if (failure !== null || pid === undefined) return err(toSpawnFailure(failure, wanted));
  records.add({
    marker,
    serverKey: wanted.server,
    processGroup: pid,
    startTicks: findStartTicks(pid) ?? '',
    ownerProcess: process.pid,
    ownerStartTicks: findStartTicks(process.pid) ?? '',
    startedAt: clock.now(),
  });
  return ok({ process: child, pid, marker });
}

function toSpawnFailure(cause: unknown, wanted: ChildToStart): ConnectFailure {
  const code = cause instanceof Error && 'code' in cause ? cause.code : null;
  const detail = cause instanceof Error ? cause.message : String(cause);
  const kinds: Readonly<Record<string, ConnectFailureCode>> = { EACCES: 'not_executable', ENOEXEC: 'wrong_architecture' };
  return explainFailure((typeof code === 'string' && kinds[code]) || 'spawn_failed', {
    stage: 'spawn',
    server: wanted.server,
    program: wanted.program,
    // The program itself was found, so what is missing is what its first line names.
    said: code === 'ENOENT' ? 'the interpreter that its first line names is missing' : undefined,
    evidence: { detail, path: wanted.env.PATH },
  });
}

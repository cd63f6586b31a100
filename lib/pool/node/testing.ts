import { createHash } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { homedir } from 'node:os';
import { delimiter, dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, expect } from 'vitest';
import { isObject, systemClock } from '@/lib/core';
import { isServerKey, type EraChoice, type Limits, type ResolvedServer, type ServerKey } from '@/lib/servers';
import type { ChildRecord, ChildRecords } from './processes/child-records';
import type { Connection, OpenConnectionOptions, PrintedLine, StageEvent, WireAnswer, WireCall, WireNote } from './connection';
import type { EraVerdict, EraVerdicts } from './set-up/era-verdicts';
import { openConnection } from './set-up/open-connection';
import { findStartTicks, signalProcess } from './processes/process-group';

/** For tests: what a connection or a pool is made with, in memory. */

export function toKey(text: string): ServerKey {
  if (!isServerKey(text)) throw new Error(`no key: ${text}`);
  return text;
}

export const SERVERS = fileURLToPath(new URL('../../../e2e/servers/', import.meta.url));

interface Wishes {
  readonly key?: string;
  readonly era?: EraChoice;
  readonly limits?: Limits;
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const toFingerprint = (parts: unknown): string => createHash('sha256').update(JSON.stringify(parts)).digest('hex');

export const ENVIRONMENT = { PATH: [dirname(process.execPath), '/usr/bin', '/bin'].join(delimiter), HOME: homedir() };

/** A text of which only a part matters. */
export const textWith = (part: string | RegExp): unknown =>
  typeof part === 'string' ? expect.stringContaining(part) : expect.stringMatching(part);

export function resolvedStdio(command: string, args: readonly string[], wishes: Wishes = {}): ResolvedServer {
  return {
    key: toKey(wishes.key ?? 'it'),
    fingerprint: toFingerprint([command, args, wishes]),
    transport: { kind: 'stdio', command, args, env: { ...ENVIRONMENT, ...wishes.env }, cwd: wishes.cwd ?? null },
    era: wishes.era ?? 'auto',
    limits: wishes.limits ?? {},
    secretValues: [],
  };
}

/** A hand-made stdio server in one of its modes. */
export const resolvedRaw = (mode: string, wishes: Wishes = {}): ResolvedServer =>
  resolvedStdio(process.execPath, [`${SERVERS}raw-stdio.mjs`, mode], wishes);

type Remote = Exclude<ResolvedServer['transport'], { kind: 'stdio' }>;

export const resolvedHttp = (url: string, wishes: Wishes = {}): ResolvedServer => resolvedRemote('http', url, wishes);

export function resolvedRemote(kind: Remote['kind'], url: string, wishes: Wishes = {}): ResolvedServer {
  return {
    key: toKey(wishes.key ?? 'it'),
    fingerprint: toFingerprint([kind, url, wishes]),
    transport: { kind, url: new URL(url), headers: wishes.headers ?? {}, tls: { insecure: false }, proxy: null },
    era: wishes.era ?? 'auto',
    limits: wishes.limits ?? {},
    secretValues: [],
  };
}

export class MemoryRecords implements ChildRecords {
  readonly records = new Map<string, ChildRecord>();
  add(record: ChildRecord): void {
    this.records.set(record.marker, record);
  }
  remove(marker: string): void {
    this.records.delete(marker);
  }
  list(): readonly ChildRecord[] {
    return [...this.records.values()];
  }
}

export class MemoryVerdicts implements EraVerdicts {
  readonly verdicts = new Map<string, EraVerdict>();
  find(fingerprint: string): EraVerdict | undefined {
    return this.verdicts.get(fingerprint);
  }
  save(fingerprint: string, verdict: EraVerdict): void {
    this.verdicts.set(fingerprint, verdict);
  }
  forget(fingerprint: string): void {
    this.verdicts.delete(fingerprint);
  }
}

export interface Watched {
  readonly options: OpenConnectionOptions;
  readonly stages: StageEvent[];
  readonly lines: PrintedLine[];
  readonly records: MemoryRecords;
  readonly verdicts: MemoryVerdicts;
  /** `resolve passed`, in order. */
  ended(): string[];
}

export function watch(resolved: ResolvedServer, more: Partial<OpenConnectionOptions> = {}): Watched {
  const stages: StageEvent[] = [];
  const lines: PrintedLine[] = [];
  const records = new MemoryRecords();
  const verdicts = new MemoryVerdicts();
  const options: OpenConnectionOptions = {
    resolved,
    jobDirectory: null,
    eraVerdicts: verdicts,
    children: records,
    clock: systemClock,
    onStage: (event) => stages.push(event),
    onLine: (line) => lines.push(line),
    ...more,
  };
  const ended = () => stages.flatMap((event) => (event.type === 'ended' ? [`${event.stage} ${event.outcome}`] : []));
  return { options, stages, lines, records, verdicts, ended };
}

export interface WatchedCall extends WireCall {
  readonly heard: string[];
  readonly notes: WireNote[];
}

export function watchedCall(tool: string, args: WireCall['arguments'] = {}): WatchedCall {
  const heard: string[] = [];
  const notes: WireNote[] = [];
  return {
    tool,
    arguments: args,
    heard,
    notes,
    onSent: () => heard.push('sent'),
    onFirstByte: () => heard.push('first byte'),
    onProgress: (note) => notes.push(note),
    onLateAnswer: () => heard.push('late answer'),
  };
}

/** Fires this long after the call went out, however slow the machine is. */
export function afterSent(call: WatchedCall, afterMs: number): AbortSignal {
  const controller = new AbortController();
  const looking = setInterval(() => {
    if (!call.heard.includes('sent')) return;
    clearInterval(looking);
    setTimeout(() => controller.abort(), afterMs);
  }, 10);
  return controller.signal;
}

export const never = new AbortController().signal;
// Every wait of a test listens to it.
setMaxListeners(0, never);

export const isAlive = (pid: number): boolean => findStartTicks(pid) !== null;

/** Waits until something holds; the deadline is for a broken build, not for a slow machine. */
export async function until(holds: () => boolean | Promise<boolean>, what: string, deadlineMs = 20_000): Promise<void> {
  for (const end = Date.now() + deadlineMs; !(await holds()); await new Promise((resolve) => setTimeout(resolve, 25))) {
    if (Date.now() > end) throw new Error(`waited in vain until ${what}`);
  }
}

/** Ends what a failed test may have left; only processes that the test itself named. */
export function killAll(pids: readonly number[]): void {
  for (const pid of pids) signalProcess(pid, 'SIGKILL');
}

type RawWishes = Parameters<typeof resolvedRaw>[1];

/** Opens hand-made stdio servers for a file of tests, and closes after each test what it opened. */
export function openRawServers() {
  const open: Connection[] = [];
  afterEach(() => Promise.all(open.splice(0).map((connection) => connection.close())));

  async function connect(mode: string, wishes: RawWishes = {}, more: Partial<OpenConnectionOptions> = {}) {
    const remarks: string[] = [];
    const watched = watch(resolvedRaw(mode, { limits: { connect_s: 20 }, ...wishes }), { onRemark: (text) => remarks.push(text), ...more });
    const opened = await openConnection(watched.options, never);
    if (opened.ok) open.push(opened.value);
    return { watched, opened, remarks };
  }

  async function requireConnection(mode: string, wishes: RawWishes = {}, more: Partial<OpenConnectionOptions> = {}) {
    const { opened, ...rest } = await connect(mode, wishes, more);
    if (!opened.ok) throw new Error(`${mode}: ${opened.error.code}, ${opened.error.message}`);
    return { connection: opened.value, ...rest };
  }

  return { connect, requireConnection };
}

/** The text of an answer that is a result with one. */
export function textOf(answer: WireAnswer): string {
  const content: unknown = answer.kind === 'result' ? answer.result.content : undefined;
  const first: unknown = Array.isArray(content) ? content[0] : undefined;
  if (!isObject(first) || typeof first.text !== 'string') throw new Error(`no text in ${JSON.stringify(answer)}`);
  return first.text;
}

import { setTimeout as sleep } from 'node:timers/promises';
import { isObject, type JsonObject } from '@/lib/core';
import type { ListedTool } from '@/lib/manifests';
import type { AskListener } from './seam/ask';
import type { WireAnswer, WireCall } from './connection';

/** A task as its server tells of it; what it tells beside these is not needed to follow it. */
interface Task {
  readonly taskId: string;
  readonly status: (typeof STATUSES)[number];
  readonly statusMessage: string | null;
  readonly pollMs: number;
}

/** What following a task needs of its connection. */
export interface TaskWire {
  /** Makes the call that creates the task; progress on its token is heard until `end`. */
  create(listener: AskListener, signal: AbortSignal): Promise<WireAnswer>;
  request(method: string, params: JsonObject, listener: AskListener, signal: AbortSignal): Promise<WireAnswer>;
  end(): void;
  now(): number;
}

const STATUSES = ['working', 'input_required', 'completed', 'failed', 'cancelled'] as const;
const DEFAULT_POLL_MS = 1_000;
const SHORTEST_POLL_MS = 50;
const LONGEST_POLL_MS = 30_000;
const CANCEL_MS = 5_000;
/** As for a request that the server cancels: the protocol names no code. */
const CANCELLED_BY_SERVER = -32_800;

/** Whether a tool can be called as a task only (revision 2025-11-25, `execution.taskSupport`), and its server serves that. */
export function isTaskOnly(tool: ListedTool | undefined, capabilities: Readonly<Record<string, unknown>>): boolean {
  const { execution } = tool?.raw ?? {};
  if (!isObject(execution) || execution.taskSupport !== 'required') return false;
  // A client must not try where the server does not declare tasks for this request, whatever the tool says.
  return hasMember(capabilities, ['tasks', 'requests', 'tools', 'call']);
}

const hasMember = (value: unknown, [name, ...rest]: readonly string[]): boolean =>
  name === undefined ? isObject(value) : isObject(value) && hasMember(value[name], rest);

/**
 * Calls a tool as a task: creates it, asks for its state as often as the server wants, and answers with its result
 * as a plain call would. A call that is given up cancels the task. Never throws.
 */
export async function callAsTask(call: WireCall, wire: TaskWire, signal: AbortSignal): Promise<WireAnswer> {
  const cancel = (taskId: string) => void wire.request('tasks/cancel', { taskId }, {}, AbortSignal.timeout(CANCEL_MS));
  const onLateAnswer = (result: JsonObject) => {
    const late = readTask(result.task);
    if (late === null) call.onLateAnswer(result);
    else cancel(late.taskId);
  };
  try {
    const created = await wire.create({ ...call, onLateAnswer }, signal);
    const task = created.kind === 'result' ? readTask(created.result.task) : null;
    if (task === null) return created;
    const answer = await followTask(task, call, wire, signal);
    if (answer.kind === 'aborted') cancel(task.taskId);
    return asSent(answer);
  } finally {
    wire.end();
  }
}

async function followTask(first: Task, call: WireCall, wire: TaskWire, signal: AbortSignal): Promise<WireAnswer> {
  const { taskId } = first;
  let told: string | null = null;
  for (let task = first; ; ) {
    if (task.statusMessage !== null && task.statusMessage !== told) {
      told = task.statusMessage;
      call.onProgress({ at: wire.now(), kind: 'progress', text: told, progress: null, total: null });
    }
    switch (task.status) {
      case 'completed':
      case 'failed':
      // What the server asks for comes while its result is waited for.
      case 'input_required':
        return wire.request('tasks/result', { taskId }, { onProgress: call.onProgress }, signal);
      case 'cancelled':
        return { kind: 'rpc_error', code: CANCELLED_BY_SERVER, message: `the server cancelled the task${told === null ? '' : `: ${told}`}`, data: null };
      case 'working':
    }
    await sleep(task.pollMs, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) return { kind: 'aborted', sent: true };
    const answer = await wire.request('tasks/get', { taskId }, { onFirstByte: call.onFirstByte }, signal);
    if (answer.kind !== 'result') return answer;
    const next = readTask(answer.result);
    if (next === null) return { kind: 'protocol_error', message: 'its answer to tasks/get is no task', quoted: JSON.stringify(answer.result).slice(0, 2_000) };
    task = next;
  }
}

/** The task was created, so the call went out, whatever became of the asking after it. */
function asSent(answer: WireAnswer): WireAnswer {
  if (answer.kind === 'not_sent') return { kind: 'lost', failure: answer.failure };
  return answer.kind === 'aborted' ? { ...answer, sent: true } : answer;
}

function readTask(value: unknown): Task | null {
  if (!isObject(value) || typeof value.taskId !== 'string') return null;
  const status = STATUSES.find((known) => known === value.status);
  if (status === undefined) return null;
  const pollMs = typeof value.pollInterval === 'number' ? value.pollInterval : DEFAULT_POLL_MS;
  return {
    taskId: value.taskId,
    status,
    statusMessage: typeof value.statusMessage === 'string' && value.statusMessage !== '' ? value.statusMessage : null,
    pollMs: Math.min(Math.max(pollMs, SHORTEST_POLL_MS), LONGEST_POLL_MS),
  };
}

// The `tasks` offer: tools that can be called as tasks alone (revision 2025-11-25). RAW_CANCEL_LOG gets cancelled ones.
import { appendFileSync } from 'node:fs';
import { rpcError, textResult, tool } from './protocol.mjs';

/** @typedef {import('./protocol.mjs').Offer} Offer */
/** @typedef {import('./protocol.mjs').CallContext} CallContext */
/**
 * @typedef {object} Task
 * @property {string} name of the tool
 * @property {CallContext} context of the call that made it
 * @property {number} polls
 * @property {string} status
 * @property {string} [statusMessage]
 */

const POLLS = 3;

/** How a task goes on at each poll. @type {Record<string, (task: Task) => void>} */
const STEPS = {
  /** Works for some polls, tells of progress on the token of its call, and completes. */
  t_completes: (task) => {
    task.statusMessage = `step ${task.polls} of ${POLLS}`;
    if (task.context.progressToken !== undefined) {
      task.context.notify('notifications/progress', { progressToken: task.context.progressToken, progress: task.polls, total: POLLS });
    }
    if (task.polls >= POLLS) task.status = 'completed';
  },
  t_fails: (task) => {
    task.status = 'failed';
    task.statusMessage = 'the disk is full';
  },
  t_cancelled: (task) => {
    task.status = 'cancelled';
    task.statusMessage = 'an operator stopped it';
  },
  t_never: () => undefined,
  /** Asks for the result to be fetched before it is done. */
  t_input: (task) => {
    task.status = 'input_required';
  },
  /** Is forgotten while it works. */
  t_expires: (task) => {
    if (task.polls >= 2) task.status = 'gone';
  },
};

const EXECUTION = { execution: { taskSupport: 'required' } };

/** @returns {Offer} */
function tasksOffer() {
  /** @type {Map<string, Task>} */
  const tasks = new Map();
  const stateOf = (/** @type {string} */ id, /** @type {Task} */ { status, statusMessage }) => ({
    taskId: id, status, statusMessage, createdAt: new Date(0).toISOString(), lastUpdatedAt: new Date(0).toISOString(), ttl: 60_000, pollInterval: 60,
  });
  const unknown = () => rpcError(-32_602, 'Task not found');
  return {
    tools: [...Object.keys(STEPS).map((name) => tool(name, { type: 'object' }, EXECUTION)), tool('t_direct', { type: 'object' }, EXECUTION), tool('plain')],
    capabilities: { tasks: { cancel: {}, requests: { tools: { call: {} } } } },
    callTool: (params, context) => {
      if (params.name === 'plain') return params.task === undefined ? textResult('plain') : rpcError(-32_601, 'plain is no task');
      if (params.task === undefined) return rpcError(-32_601, `${params.name} can be called as a task only`);
      if (params.name === 't_direct') return textResult('at once');
      const id = `task-${tasks.size + 1}`;
      tasks.set(id, { name: params.name, context, polls: 0, status: 'working' });
      return { task: stateOf(id, { name: params.name, context, polls: 0, status: 'working' }) };
    },
    methods: {
      'tasks/get': ({ taskId }) => {
        const task = tasks.get(taskId);
        if (task === undefined) return unknown();
        task.polls += 1;
        STEPS[task.name]?.(task);
        return task.status === 'gone' ? unknown() : stateOf(taskId, task);
      },
      'tasks/result': ({ taskId }) => {
        const task = tasks.get(taskId);
        if (task === undefined) return unknown();
        const related = { _meta: { 'io.modelcontextprotocol/related-task': { taskId } } };
        if (task.status === 'failed') return textResult(task.statusMessage ?? '', { isError: true, ...related });
        return textResult(`${task.name} is done`, related);
      },
      'tasks/cancel': ({ taskId }) => {
        const task = tasks.get(taskId);
        if (task === undefined) return unknown();
        task.status = 'cancelled';
        if (process.env.RAW_CANCEL_LOG !== undefined) appendFileSync(process.env.RAW_CANCEL_LOG, `${task.name}\n`);
        return stateOf(taskId, task);
      },
    },
  };
}

/** @type {Record<string, () => Offer>} */
export const TASK_OFFERS = { tasks: tasksOffer };

// Offers about time and size: slow, endless, late and large answers.
import { appendFileSync } from 'node:fs';
import { ECHO_OFFER, NO_ANSWER, textResult, tool } from './protocol.mjs';

/** @typedef {import('./protocol.mjs').Offer} Offer */
/** @typedef {import('./protocol.mjs').CallContext} CallContext */

/** @param {number} ms */
const pause = (ms) => new Promise((done) => setTimeout(done, ms));

/** Says on stderr, and in the file of RAW_CANCEL_LOG, what the client gave up. @param {string} name @param {CallContext} context */
function tellCancellation(name, context) {
  context.cancelled.addEventListener('abort', () => {
    process.stderr.write(`cancelled ${name}\n`);
    if (process.env.RAW_CANCEL_LOG !== undefined) appendFileSync(process.env.RAW_CANCEL_LOG, `${name}\n`);
  });
}

/** @param {CallContext} context @param {number} progress @param {number} total */
function tellProgress(context, progress, total) {
  if (context.progressToken === undefined) return;
  context.notify('notifications/progress', { progressToken: context.progressToken, progress, total, message: `step ${progress} of ${total}` });
}

const COUNTED = {
  type: 'object',
  properties: { steps: { type: 'integer' }, step_ms: { type: 'integer' } },
};

/** @type {Record<string, (params: any, context: CallContext) => unknown>} */
const CALLS = {
  /** `steps` (5) steps of `step_ms` (200) each, with progress. */
  slow: async (params, context) => {
    const steps = params.arguments?.steps ?? 5;
    for (let step = 1; step <= steps && !context.cancelled.aborted; step += 1) {
      await pause(params.arguments?.step_ms ?? 200);
      tellProgress(context, step, steps);
    }
    return context.cancelled.aborted ? NO_ANSWER : textResult('slow and sure');
  },
  /** Silent for `step_ms` (1000), then an answer. */
  quiet: async (params) => {
    await pause(params.arguments?.step_ms ?? 1000);
    return textResult('after a silence');
  },
  /** Never answers. */
  never: () => NO_ANSWER,
  /** Tells of progress for ever. */
  forever: async (params, context) => {
    for (let step = 1; !context.cancelled.aborted; step += 1) {
      tellProgress(context, step, step + 1);
      await pause(params.arguments?.step_ms ?? 100);
    }
    return NO_ANSWER;
  },
  /** Answers `step_ms` (300) after it was told to stop. */
  late: async (params, context) => {
    await new Promise((done) => context.cancelled.addEventListener('abort', done));
    await pause(params.arguments?.step_ms ?? 300);
    return textResult('too late');
  },
  /** Progress and log messages in the same breath as the answer, and a foreign progress token. */
  chatty: (_params, context) => {
    context.notify('notifications/message', { level: 'info', logger: 'raw', data: 'working' });
    context.notify('notifications/message', { level: 'warn', data: { odd: true } });
    context.notify('notifications/progress', { progressToken: 'not-yours', progress: 1 });
    tellProgress(context, 1, 1);
    return textResult('said a lot');
  },
  /** `steps` (1000) log messages in a row, then an answer. */
  flood: (params, context) => {
    const steps = params.arguments?.steps ?? 1000;
    for (let step = 1; step <= steps; step += 1) context.notify('notifications/message', { level: 'info', data: `drop ${step} of ${steps}` });
    return textResult('poured');
  },
  /** `mib` (1) MiB of text. */
  big: (params) => textResult('0123456789abcdef'.repeat((params.arguments?.mib ?? 1) * 65_536)),
  /** `mib` (1) MiB of JSON in structured content. */
  big_json: (params) => {
    const rows = Array.from({ length: (params.arguments?.mib ?? 1) * 8192 }, (_, index) => ({ index, text: 'x'.repeat(100) }));
    return { content: [{ type: 'text', text: `${rows.length} rows` }], structuredContent: { rows } };
  },
};

const SIZED = { type: 'object', properties: { mib: { type: 'integer', default: 1 } } };

/** @type {Record<string, () => Offer>} */
export const CALL_OFFERS = {
  calls: () => ({
    tools: [
      ...['slow', 'quiet', 'never', 'forever', 'late', 'chatty', 'flood'].map((name) => tool(name, COUNTED)),
      ...['big', 'big_json'].map((name) => tool(name, SIZED)),
      ...ECHO_OFFER.tools,
    ],
    callTool: (params, context) => {
      tellCancellation(params.name, context);
      return (CALLS[params.name] ?? ECHO_OFFER.callTool)(params, context);
    },
  }),
};

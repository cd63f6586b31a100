// The tools of the servers that are made with the real SDKs: the same in both eras.
import { z } from 'zod';
import { SAMPLE_MANIFEST } from '../raw/offers-lists.mjs';

/** @param {number} ms @param {AbortSignal} signal */
const pause = (ms, signal) =>
  new Promise((done) => {
    const timer = setTimeout(() => done(undefined), ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      done(undefined);
    });
  });

const text = (/** @type {string} */ value) => ({ content: [{ type: /** @type {const} */ ('text'), text: value }] });

/**
 * Registers the tools on an `McpServer` of either line.
 * @param {any} server `McpServer` of the v1 or of the v2 package: their `registerTool` takes the same
 * @param {(extra: any) => { signal: AbortSignal, progressToken: string | number | undefined, notify: (message: any) => Promise<void> }} toContext
 * @param {(what: string) => void} record told when a tool is called and when it is cancelled
 */
export function registerTools(server, toContext, record) {
  server.registerTool('echo', { description: 'Answers with its text.', inputSchema: { text: z.string() }, annotations: { readOnlyHint: true } }, (/** @type {any} */ args) => text(args.text));
  server.registerTool('add', { inputSchema: { a: z.number(), b: z.number() }, outputSchema: { sum: z.number() } }, (/** @type {any} */ args) => ({
    ...text(String(args.a + args.b)),
    structuredContent: { sum: args.a + args.b },
  }));
  server.registerTool('fail', { inputSchema: {} }, () => ({ isError: true, ...text('it cannot be done') }));
  server.registerTool('capabilities', { inputSchema: {} }, () => text(JSON.stringify({ ...SAMPLE_MANIFEST, tools: SAMPLE_MANIFEST.tools.slice(0, 1) })));
  server.registerTool('slow', { inputSchema: { steps: z.number().int().default(3), step_ms: z.number().int().default(100) } }, async (/** @type {any} */ args, /** @type {any} */ extra) => {
    const { signal, progressToken, notify } = toContext(extra);
    record('slow began');
    for (let step = 1; step <= args.steps && !signal.aborted; step += 1) {
      await pause(args.step_ms, signal);
      if (progressToken !== undefined) await notify({ method: 'notifications/progress', params: { progressToken, progress: step, total: args.steps } });
    }
    record(signal.aborted ? 'slow cancelled' : 'slow ended');
    return text('slow and sure');
  });
}

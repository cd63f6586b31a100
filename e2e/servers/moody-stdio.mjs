// node moody-stdio.mjs: a stdio server, legacy era, hand-made, that answers as its mood is.
//   MOODY_LOG   a file that gets a line for each call and each cancellation: `call hang`, `cancelled hang`
//   MOODY_DOWN  a file: while it exists, the tool `mood` never answers
//   MOODY_MANIFEST=1  it offers `capabilities`
// Tools: `answer`; `hang` (never answers); `die` (exits with code 3); `late` (answers after `ms`, cancelled or not);
// `flood` (progress each 5 ms for `ms`, then an answer); `mood`; `long` (never answers, long_running by the manifest).
import { appendFileSync, existsSync } from 'node:fs';
import { createInterface } from 'node:readline';

const { MOODY_LOG, MOODY_DOWN, MOODY_MANIFEST } = process.env;
const note = (line) => MOODY_LOG !== undefined && appendFileSync(MOODY_LOG, `${line}\n`);
const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
const answer = (id, text) => send({ id, result: { content: [{ type: 'text', text }] } });
const names = ['answer', 'hang', 'die', 'late', 'flood', 'mood', 'long', ...(MOODY_MANIFEST === '1' ? ['capabilities'] : [])];
const manifest = {
  server: 'moody', version: '1', external: false,
  tools: [
    { name: 'long', available: true, timeout_s: null, long_running: true, verify_with: [] },
    { name: 'hang', available: true, timeout_s: null, long_running: false, verify_with: ['answer'] },
  ],
};
const running = new Map();

function call(id, { name, arguments: args = {}, _meta: meta }) {
  if (name !== 'capabilities') note(`call ${name}`);
  running.set(id, name);
  switch (name) {
    case 'capabilities':
      return answer(id, JSON.stringify(manifest));
    case 'answer':
      return answer(id, 'fine');
    case 'die':
      return process.exit(3);
    case 'late':
      return setTimeout(() => answer(id, 'late'), args.ms);
    case 'mood':
      return existsSync(MOODY_DOWN) ? undefined : answer(id, 'well again');
    case 'flood': {
      const endsAt = Date.now() + args.ms;
      let progress = 0;
      const timer = setInterval(() => {
        send({ method: 'notifications/progress', params: { progressToken: meta?.progressToken, progress: (progress += 1), message: `step ${progress}` } });
        if (Date.now() < endsAt) return;
        clearInterval(timer);
        answer(id, 'flooded');
      }, 5);
      return undefined;
    }
    default:
      return undefined;
  }
}

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  switch (method) {
    case 'initialize':
      return send({ id, result: { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'moody', version: '1' } } });
    case 'ping':
      return send({ id, result: {} });
    case 'tools/list':
      return send({ id, result: { tools: names.map((name) => ({ name, inputSchema: { type: 'object' } })) } });
    case 'tools/call':
      return call(id, params);
    case 'notifications/cancelled':
      return note(`cancelled ${running.get(params.requestId)}`);
    default:
      return id === undefined ? undefined : send({ id, error: { code: -32601, message: 'unknown method' } });
  }
}).on('close', () => process.exit(0));

// The client that the conformance suite runs, once for each scenario: the console's own connection layer, driven as a
// person would drive it. The suite names the scenario in its variables and the server's address as the last argument.
import { systemClock } from '@/lib/core';
import { openConnection, type ChildRecords, type EraVerdicts } from '@/lib/pool/node';
import { parseServerEntry } from '@/lib/servers';
import { resolveServer } from '@/lib/servers/node';
import { findScenario, scenarioContextSchema } from './scenarios';

/** The suite starts all its clients together. */
const CONNECT_MS = 90_000;
/** Before the suite ends the client by its own clock: a sentence is worth more than a kill. */
const DEADLINE_MS = 120_000;

const noVerdicts: EraVerdicts = { find: () => undefined, save: () => undefined, forget: () => undefined };
const noChildren: ChildRecords = { add: () => undefined, remove: () => undefined, list: () => [] };

async function run(name: string, url: string, context: unknown): Promise<void> {
  const entry = parseServerEntry({ url }, { key: 'conformance' });
  if (!entry.ok) throw new Error(JSON.stringify(entry.error));
  const resolved = resolveServer(entry.value, { environment: {}, findSecret: () => undefined, jobDirectory: null, runId: null });
  if (!resolved.ok) throw new Error(JSON.stringify(resolved.error));
  const scenario = findScenario(name);
  const opened = await openConnection(
    { resolved: resolved.value, jobDirectory: null, eraVerdicts: noVerdicts, children: noChildren, clock: systemClock, connectMs: CONNECT_MS, ...scenario.hooks },
    new AbortController().signal,
  );
  if (!opened.ok) throw new Error(`${opened.error.code}: ${opened.error.message}`);
  try {
    await scenario.drive(opened.value, scenarioContextSchema.parse(context));
  } finally {
    await opened.value.close();
  }
}

const name = process.env.MCP_CONFORMANCE_SCENARIO ?? '';
const fail = (reason: unknown): never => {
  process.stderr.write(`conformance client: ${name}: ${reason instanceof Error ? reason.message : String(reason)}\n`);
  process.exit(1);
};
process.on('uncaughtException', fail);
setTimeout(() => fail('it is not done after two minutes'), DEADLINE_MS).unref();
await run(name, process.argv.at(-1) ?? '', JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? '{}'));
process.exit(0);

import { z } from 'zod';
import type { JsonObject } from '@/lib/core';
import type { Connection, ServerRequestHooks, WireAnswer } from '@/lib/pool/node';

/** What a scenario hands its client beside the address; other members are for clients that sign in. */
export const scenarioContextSchema = z.object({
  toolCalls: z.array(z.object({ name: z.string(), arguments: z.record(z.string(), z.json()) })).default([]),
});
type ScenarioContext = z.infer<typeof scenarioContextSchema>;

export interface Scenario {
  /** What a person would say to what the server asks; absent says nothing, as the console does while nobody is there. */
  readonly hooks?: ServerRequestHooks;
  /** What a person would do on the server's page once it is connected. */
  readonly drive: (connection: Connection, context: ScenarioContext) => Promise<void>;
}

const untilDone = new AbortController().signal;

/** Throws unless the wire brought a result: every scenario here answers what it is asked. */
async function requireResult(what: string, answering: Promise<WireAnswer>): Promise<void> {
  const answer = await answering;
  if (answer.kind !== 'result') throw new Error(`${what} ended with ${JSON.stringify(answer)}`);
}

const call = (connection: Connection, tool: string, args: JsonObject = {}): Promise<void> =>
  requireResult(
    `the call to ${tool}`,
    connection.callTool(
      { tool, arguments: args, onSent: () => undefined, onFirstByte: () => undefined, onProgress: () => undefined, onLateAnswer: () => undefined },
      untilDone,
    ),
  );

/** Every tool that the connection lists, in its order; none is known by name. */
async function callAll(connection: Connection, args: JsonObject = {}): Promise<void> {
  for (const { name } of connection.lists.toolList.tools) await call(connection, name, args);
}

/** The calls that the scenario asks for. */
async function callAsked(connection: Connection, { toolCalls }: ScenarioContext): Promise<void> {
  for (const { name, arguments: args } of toolCalls) await call(connection, name, args);
}

/** Accepts every form as it stands, with nothing filled in. */
const acceptsAll: ServerRequestHooks = { onElicitation: async () => ({ action: 'accept', content: {} }) };

/** Everything that a page shows: each tool called, each resource read, each prompt got. */
async function useAll(connection: Connection): Promise<void> {
  await callAll(connection);
  for (const { uri } of connection.lists.resources) await requireResult(`reading ${uri}`, connection.readResource(uri, untilDone));
  for (const { name } of connection.lists.prompts) await requireResult(`the prompt ${name}`, connection.getPrompt(name, {}, untilDone));
}

/** A schema comes back exactly as it was listed. */
async function echoSchema(connection: Connection): Promise<void> {
  const listed = connection.lists.toolList.tools.find(({ name }) => name !== 'json_schema_echo');
  if (!listed) throw new Error('the scenario lists no tool with a schema');
  await call(connection, 'json_schema_echo', { schema: listed.inputSchema });
}

const SCENARIOS: Readonly<Record<string, Scenario>> = {
  tools_call: { drive: (connection) => callAll(connection, { a: 5, b: 3 }) },
  'elicitation-sep1034-client-defaults': { hooks: acceptsAll, drive: (connection) => callAll(connection) },
  'sse-retry': { drive: (connection) => callAll(connection) },
  'sep-2322-client-request-state': {
    hooks: { onElicitation: async () => ({ action: 'accept', content: { confirmed: true } }) },
    drive: (connection) => callAll(connection),
  },
  'http-standard-headers': { drive: useAll },
  'http-custom-headers': { drive: callAsked },
  'http-invalid-tool-headers': { drive: (connection) => callAll(connection, { region: 'us-west1' }) },
  'json-schema-2020-12-preservation': { drive: echoSchema },
};

/** What to do in a scenario; one without an entry is done when its lists have been read, or when it refused us. */
export const findScenario = (name: string): Scenario => SCENARIOS[name] ?? { drive: async () => undefined };

import { z } from 'zod';

import { err, type JsonObject, type Result } from '@/lib/core';

import { defineTool, type Tool } from './define-tool';
import { toToolError, type ToolError } from './failure';
import { hostEnvironment, type HostEnvironment } from './host';
import { isAvailable, manifestWire, toManifest, type ManifestWire, type ProbedTool } from './manifest';
import { probeNeed } from './needs';
import { runTool } from './run-tool';
import { toInputSchema } from './schema';
import type { ServingHandle } from './serve-stdio';

export interface ServerOptions {
  readonly name: string;
  readonly version: string;
  readonly instructions?: string;
  readonly tools: readonly Tool[];
  /** For tests; the process's own by default. */
  readonly environment?: HostEnvironment;
}

export interface ListedTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
}

export type CallAnswer = { readonly ok: true; readonly data: JsonObject } | { readonly ok: false; readonly error: ToolError };

/** A tool server: what its transports, its tests and its author's program hold. */
export interface ToolServer {
  /**
   * Probes what the tools need, says on stderr what is missing, and serves over stdio in both eras until
   * the host disconnects.
   *
   * @throws Error on a second start
   */
  start(): Promise<void>;
  stop(): Promise<void>;
  /** From `start()` until the host disconnects or `stop()`. */
  readonly isRunning: boolean;
  listTools(): ListedTool[];
  /** Calls a tool as a host would, without a transport. Never throws. */
  callTool(name: string, args?: unknown, signal?: AbortSignal): Promise<CallAnswer>;
}

const NO_ARGUMENTS = z.strictObject({});

/**
 * Makes a server of tools; the tool `capabilities` is made here, from probes alone.
 *
 * @throws Error where two tools share a name or one is called `capabilities`
 */
export function defineServer(options: ServerOptions): ToolServer {
  requireDistinctNames(options.tools);
  const environment = options.environment ?? hostEnvironment();
  let probing: Promise<readonly ProbedTool[]> | undefined;
  const probe = () => (probing ??= probeTools(options.tools, environment));
  const readManifest = async () => toManifest(options.name, options.version, await probe());
  const tools = [capabilitiesTool(readManifest), ...options.tools];

  const call = async (name: string, args: unknown, signal: AbortSignal): Promise<Result<JsonObject, ToolError>> => {
    const found = tools.find((tool) => tool.name === name);
    if (found === undefined) return err(unknownTool(name, tools));
    try {
      const probed = (await probe()).find(({ tool }) => tool === found) ?? { tool: found, probe: null };
      return await runTool(probed, args, environment, signal);
    } catch (thrown) {
      return err(toToolError(thrown));
    }
  };

  let serving: ServingHandle | undefined;
  let state: 'new' | 'running' | 'stopped' = 'new';
  return {
    async start() {
      if (state !== 'new') throw new Error(`The server ${options.name} was already started: make a new one to start again.`);
      state = 'running';
      // Loaded only here: with the transport comes the guard on standard output, which a test must not get.
      const { openStdio } = await import('./serve-stdio');
      serving = openStdio({ ...options, tools, call, onClosed: () => (state = 'stopped') });
      process.stderr.write(`${describeStart(options, await probe())}\n`);
    },
    async stop() {
      state = 'stopped';
      await serving?.close();
    },
    get isRunning() {
      return state === 'running';
    },
    listTools: () => tools.map(({ name, description, input }) => ({ name, description, inputSchema: toInputSchema(input) })),
    async callTool(name, args = {}, signal = new AbortController().signal) {
      const answer = await call(name, args, signal);
      return answer.ok ? { ok: true, data: answer.value } : { ok: false, error: answer.error };
    },
  };
}

function capabilitiesTool(readManifest: () => Promise<ManifestWire>): Tool {
  return defineTool({
    name: 'capabilities',
    title: 'What works here',
    description: 'Says which tools of this server work on the machine it runs on, why the others do not, and how to mend that.',
    input: NO_ARGUMENTS,
    output: manifestWire,
    annotations: { readOnlyHint: true, openWorldHint: false },
    run: readManifest,
  });
}

const probeTools = (tools: readonly Tool[], environment: HostEnvironment): Promise<readonly ProbedTool[]> =>
  Promise.all(
    tools.map(async (tool) => ({ tool, probe: tool.needs === undefined ? null : await probeNeed(tool.needs, environment) })),
  );

function requireDistinctNames(tools: readonly Tool[]): void {
  const seen = new Set(['capabilities']);
  for (const { name } of tools) {
    if (seen.has(name)) throw new Error(`Two tools are called ${name} (the kit makes "capabilities" itself).`);
    seen.add(name);
  }
}

const unknownTool = (name: string, tools: readonly Tool[]): ToolError => ({
  code: 'bad_argument',
  message: `This server has no tool called ${JSON.stringify(name.slice(0, 128))}.`,
  remediation: `Call one of: ${tools.map((tool) => tool.name).join(', ')}.`,
});

function describeStart({ name, version }: ServerOptions, tools: readonly ProbedTool[]): string {
  const missing = tools.flatMap((probed) =>
    isAvailable(probed) || probed.probe === null || probed.probe.available ? [] : [`${probed.tool.name} (${probed.probe.reason})`],
  );
  return `${name} ${version} is ready; ${missing.length === 0 ? 'every tool works here' : `not available here: ${missing.join('; ')}`}.`;
}

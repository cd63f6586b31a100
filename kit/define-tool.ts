import type { z } from 'zod';

import type { JsonObject } from '@/lib/core';

import type { HostEnvironment } from './host';
import type { Need } from './needs';

export interface ToolAnnotations {
  readonly title?: string;
  readonly readOnlyHint?: boolean;
  readonly destructiveHint?: boolean;
  readonly idempotentHint?: boolean;
  readonly openWorldHint?: boolean;
}

/** What a handler is given beside its arguments. */
export interface ToolContext {
  /** Aborted when the caller cancels, the host disconnects or the tool's own clock runs out. */
  readonly signal: AbortSignal;
  /** What was found of `needs` (the program's full path); null where nothing is needed, or it is missing. */
  readonly dependency: string | null;
  readonly environment: HostEnvironment;
}

/** Names with underscores are those of the capability manifest (product section 4). */
interface ToolOptions<Input extends z.ZodType, Output extends z.ZodType> {
  readonly name: string;
  readonly title?: string;
  /** Read by a model and by a person: what it does, what it needs, what it answers. */
  readonly description: string;
  readonly input: Input;
  readonly output?: Output;
  readonly annotations?: ToolAnnotations;
  /** Probed when the server starts; availability is never stated by hand. */
  readonly needs?: Need;
  /** What the tool still answers while its need is missing; it is then called with `dependency: null`. */
  readonly without?: string;
  /** What a person does to get the missing dependency. */
  readonly remediation?: string;
  /** The tool's real timeout in seconds: the kit ends the call when it has passed. */
  readonly timeout_s?: number;
  readonly long_running?: boolean;
  readonly verify_with?: readonly string[];
  /** Where available, it passes on what it is given: the manifest's `external`. */
  readonly sends_elsewhere?: boolean;
  run(input: z.output<Input>, context: ToolContext): Promise<z.input<Output>> | z.input<Output>;
}

/** A tool with its types erased: what a server holds. */
export interface Tool extends Omit<ToolOptions<z.ZodType, z.ZodType>, 'run'> {
  /** Runs the handler on arguments that `input` has checked. */
  run(input: unknown, context: ToolContext): Promise<JsonObject>;
}

const TOOL_NAME = /^[A-Za-z0-9_.-]{1,128}$/;

/**
 * Declares a tool. Its arguments are checked against `input` before `run` is called, so the handler gets
 * exactly the parsed type; it answers an object, or throws (a `ToolFailure` to choose the error).
 *
 * @throws Error where the name is no tool name, or a promise of the manifest has nothing to stand on
 */
export function defineTool<Input extends z.ZodType, Output extends z.ZodType<JsonObject, JsonObject>>(
  options: ToolOptions<Input, Output>,
): Tool {
  if (!TOOL_NAME.test(options.name)) throw new Error(`"${options.name}" is no tool name: use A-Z a-z 0-9 _ . - only.`);
  if (options.needs === undefined && (options.without !== undefined || options.remediation !== undefined)) {
    throw new Error(`Tool ${options.name} declares "without" or "remediation" but nothing in "needs" that could be missing.`);
  }
  return {
    ...options,
    // The server parses with this tool's own `input` before it calls, so the erased type is that type.
    run: async (input, context) => options.run(input as z.output<Input>, context),
  };
}

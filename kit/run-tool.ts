import { err, ok, type JsonObject, type Result } from '@/lib/core';

import { checkArguments, describeArgumentErrors } from './check-arguments';
import { ToolFailure, toToolError, type ToolError } from './failure';
import type { HostEnvironment } from './host';
import { isAvailable, type ProbedTool } from './manifest';

/** Runs one tool on arguments as they came: checked first, ended by its own clock or by the signal. Never throws. */
export async function runTool(
  probed: ProbedTool,
  given: unknown,
  environment: HostEnvironment,
  signal: AbortSignal,
): Promise<Result<JsonObject, ToolError>> {
  const { tool } = probed;
  if (!isAvailable(probed) && tool.without === undefined) return err(toMissingError(probed));
  try {
    const checked = checkArguments(tool.input, given);
    if (!checked.ok) {
      const message = `${tool.name} cannot be called with these arguments. ${describeArgumentErrors(checked.error)}`;
      return err({ code: 'bad_argument', message, remediation: `Correct the arguments named, as the schema of ${tool.name} describes them.` });
    }
    const dependency = probed.probe?.available === true ? probed.probe.dependency : null;
    return ok(await runWithinClock(probed, signal, (clocked) => tool.run(checked.value, { signal: clocked, dependency, environment })));
  } catch (thrown) {
    return err(toToolError(thrown));
  }
}

/** The error of a call that cannot be carried out on this machine, with the remedy that the tool declares. */
function toMissingError({ tool, probe }: ProbedTool): ToolError {
  const reason = probe !== null && !probe.available ? probe.reason : 'what it needs is missing';
  return {
    code: tool.needs !== undefined && 'env' in tool.needs ? 'not_configured' : 'missing_dependency',
    message: `${tool.name} cannot run on this machine: ${reason}.`,
    remediation: tool.remediation ?? null,
  };
}

/** Ends the wait when the clock or the caller does, whether or not the handler listens to its signal. */
async function runWithinClock<Answer>(
  { tool }: ProbedTool,
  signal: AbortSignal,
  run: (signal: AbortSignal) => Promise<Answer>,
): Promise<Answer> {
  const ended = new AbortController();
  let failure = new ToolFailure('cancelled', `${tool.name} was cancelled.`);
  const onAbort = () => ended.abort(failure);
  const timer =
    tool.timeout_s === undefined
      ? undefined
      : setTimeout(() => {
          failure = new ToolFailure(
            'timeout',
            `${tool.name} did not finish within its ${tool.timeout_s} s.`,
            'Try a smaller file or narrower arguments.',
          );
          onAbort();
        }, tool.timeout_s * 1000);
  if (signal.aborted) onAbort();
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    ended.signal.throwIfAborted();
    const gaveUp = new Promise<never>((_resolve, reject) => {
      ended.signal.addEventListener('abort', () => reject(failure), { once: true });
    });
    return await Promise.race([run(ended.signal), gaveUp]);
  } catch (thrown) {
    // What a handler throws because it was stopped says less than why it was stopped.
    throw ended.signal.aborted ? failure : thrown;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
  }
}

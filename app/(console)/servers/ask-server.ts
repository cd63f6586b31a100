import type { Runtime } from '@/lib/boot';
import { AppError, assertNever, formatBytes, MiB, type JsonObject } from '@/lib/core';
import type { Connection, WireAnswer } from '@/lib/pool/node';
import type { ServerKey } from '@/lib/servers';

const ANSWER_MS = 60_000;
/** What one answer of an action may carry to the page. */
const MOST_BYTES = 16 * MiB;

/**
 * Asks a server for something that is no tool call, on its shared connection, within a minute.
 * @throws AppError `unavailable` with the failure and its remedy, `too_large`
 */
export async function askServer(
  runtime: Runtime,
  key: ServerKey,
  ask: (connection: Connection, signal: AbortSignal) => Promise<WireAnswer>,
): Promise<JsonObject> {
  const signal = AbortSignal.timeout(ANSWER_MS);
  const acquired = await runtime.pool.acquire(key, 'read', signal);
  if (!acquired.ok) throw unavailable(acquired.error.message, acquired.error.remediation);
  try {
    return requireResult(await ask(acquired.value.connection, signal));
  } finally {
    acquired.value.release();
  }
}

function requireResult(answer: WireAnswer): JsonObject {
  switch (answer.kind) {
    case 'result': {
      const sizeBytes = JSON.stringify(answer.result).length;
      if (sizeBytes <= MOST_BYTES) return answer.result;
      throw new AppError({ code: 'too_large', message: `The answer is ${formatBytes(sizeBytes)}, more than the ${formatBytes(MOST_BYTES)} that this page shows.` });
    }
    case 'rpc_error':
      throw unavailable(`The server refused: ${answer.message} (JSON-RPC ${answer.code}).`);
    case 'not_sent':
    case 'lost':
      throw unavailable(answer.failure.message, answer.failure.remediation);
    case 'aborted':
      throw unavailable(`The server did not answer within ${ANSWER_MS / 1000} s.`, 'Look at its log, then try again.');
    case 'protocol_error':
      throw unavailable(`The server's answer could not be read: ${answer.message}`);
    case 'too_large':
      throw new AppError({ code: 'too_large', message: `The answer is ${formatBytes(answer.sizeBytes)}, more than the ${formatBytes(answer.limitBytes)} that this server's limits allow.`, remedy: 'Raise max_message_bytes in its settings.' });
    default:
      return assertNever(answer);
  }
}

const unavailable = (message: string, remedy?: string): AppError => new AppError({ code: 'unavailable', message, remedy, retry: 'later' });

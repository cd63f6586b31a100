import { assertNever, callIds } from '@/lib/core';
import { manifestFromResult, noManifest, type ManifestReading } from '@/lib/manifests';
import type { Connection, WireAnswer } from '@/lib/pool/node';
import type { ServerKey } from '@/lib/servers';
import type { CallClocks, CallRequest } from '..';
import type { StopReason } from '../end-of-call';
import { guardLimits } from '../guard';
import { CallRecord } from './call-record';
import type { CarriedCall } from './carried-call';
import { toEnd, toGuardedEnd, toSlotRequest, type CallEnd } from './carry';
import type { CallPathOptions } from './ports';
import { sendOnce, type Attempt } from './send';
import type { Slots } from './slots';
import { CallTimers } from './timers';

const MANIFEST_TOOL = 'capabilities';

/** One clock for reading a manifest, whatever the server's limits say (product section 4). */
const CLOCKS: CallClocks = {
  idle: null,
  total: { ms: 10_000, source: 'default', field: 'the clock for reading the manifest' },
  shortOfMs: null,
};

/** Whether the server has the manifest's tool: one of that name that requires no argument. */
export function offersManifest(connection: Connection): boolean {
  const tool = connection.lists.toolList.tools.find(({ name }) => name === MANIFEST_TOOL);
  const required = tool?.inputSchema['required'];
  return tool !== undefined && !(Array.isArray(required) && required.length > 0);
}

/** The console's own call, as it goes on record. */
export const toManifestRequest = (serverKey: ServerKey, runId: CallRequest['runId']): CallRequest => ({
  callId: callIds.create(),
  serverKey,
  tool: MANIFEST_TOOL,
  arguments: {},
  runId,
  totalMs: CLOCKS.total.ms,
  tryAnyway: false,
  requiresExposure: false,
});

type Services = Pick<CallPathOptions, 'servers' | 'guards' | 'log'> & { readonly slots: Slots };

/**
 * Reads the manifest as a recorded call. It counts for the cap and the rest like any call, save that its answer does not
 * begin the count anew; it is not refused by a rest, since it is part of the connection that a trial call needs.
 */
export async function carryManifestCall(
  call: CarriedCall,
  connection: Connection,
  services: Services,
): Promise<{ readonly end: CallEnd; readonly reading: ManifestReading }> {
  const { request } = call;
  const limits = services.servers.find(request.serverKey)?.entry.limits ?? {};
  const pass = services.guards.passFor(connection.fingerprint, request.callId);
  const slot = await services.slots.take(toSlotRequest(call, connection.fingerprint, services), call.abort.signal);
  const timers = new CallTimers(CLOCKS, (reason) => {
    call.abort.abort(reason);
  });
  try {
    const attempt: Attempt =
      slot === undefined ? { answer: { kind: 'aborted', sent: false }, closedHere: false } : await sendOnce(
        {
          connection,
          request,
          record: call.record,
          timers,
          onLateProblem: (error) => {
            services.log.error({ err: error, callId: request.callId }, 'a late manifest could not be recorded');
          },
        },
        call.abort.signal,
      );
    const end = toEnd(call, null, attempt, true);
    // A server that tells its manifest at each new connection, and dies at each call, must come to its rest.
    if (end.verdict === 'unanswered') services.guards.settle(connection.fingerprint, pass, toGuardedEnd(request.tool, end), guardLimits(limits));
    return { end, reading: toReading(attempt.answer, connection) };
  } finally {
    timers.dispose();
    slot?.release();
  }
}

/** Reads the manifest of an unsaved form: evidence of its test, and no entry. */
export async function readUnrecorded(connection: Connection, signal: AbortSignal): Promise<ManifestReading> {
  const abort = new AbortController();
  const stop = (reason: StopReason): void => {
    abort.abort(reason);
  };
  const timers = new CallTimers(CLOCKS, stop);
  const record = new CallRecord(0, { writer: NOWHERE, clock: { now: () => Date.now() } });
  const request = { tool: MANIFEST_TOOL, arguments: {} };
  const combined = AbortSignal.any([signal, abort.signal]);
  try {
    const { answer } = await sendOnce({ connection, request, record, timers, onLateProblem: () => undefined }, combined);
    return toReading(answer, connection);
  } finally {
    timers.dispose();
  }
}

const NOWHERE = {
  append: (): void => undefined,
  commit: (): void => undefined,
  stored: () => Promise.resolve(),
  payloads: { store: async () => ({ kind: 'inline', json: 'null', sizeBytes: 4 }) as const },
};

/** What an answer says of the server, without the secrets that it was given: the reading is kept and shown. */
function toReading(answer: WireAnswer, { secrets }: Connection): ManifestReading {
  switch (answer.kind) {
    case 'result':
      return manifestFromResult(secrets.object(answer.result));
    case 'rpc_error':
    case 'protocol_error':
      return noManifest(`it answered with an error: ${secrets.text(answer.message)}`);
    case 'too_large':
      return noManifest('its answer is too large');
    case 'aborted':
      return noManifest(`it did not answer within ${CLOCKS.total.ms / 1000} s`);
    case 'not_sent':
    case 'lost':
      return noManifest(secrets.text(answer.failure.message));
    default:
      return assertNever(answer);
  }
}

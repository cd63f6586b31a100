import { may, roleFor, type Principal } from '@/lib/auth';
import { AppError, callIds, isObject, systemClock, type CallId, type Clock, type JsonObject } from '@/lib/core';
import type { DisclosurePlan, OutputEnd } from '@/lib/files';
import type { MakePlumbingCall, PlumbingCall } from '@/lib/files/node';
import type { LedgerEntry } from '@/lib/ledger';
import type { ManifestReading } from '@/lib/manifests';
import type { Connection } from '@/lib/pool/node';
import type { ServerKey } from '@/lib/servers';
import { toConsoleError, type CallError, type CallRequest, type CallResult } from '..';
import type { StopReason } from '../end-of-call';
import { decidePolicy, PLUMBING_WHY } from '../policy';
import { CallRecord } from './call-record';
import type { CarriedCall } from './carried-call';
import { carryCall, notSent, type CallEnd } from './carry';
import { carryManifestCall, offersManifest, readUnrecorded, toManifestRequest } from './manifest-call';
import { LoadTeller } from './load-teller';
import { readOutputs } from './outputs';
import { planDisclosure } from './plan-disclosure';
import type { CallPathOptions } from './ports';
import { Slots, type Load } from './slots';
import { SlowDowns } from './slow-downs';

export interface StartedCall {
  readonly sequence: number;
  readonly entryId: string;
  readonly callId: CallId;
}

export interface CallInFlight extends StartedCall {
  readonly serverKey: ServerKey;
  readonly tool: string;
  readonly actorName: string;
  /** How many wait ahead of it for a place; null where it does not wait. */
  readonly ahead: number | null;
}

interface RunningCall extends CarriedCall {
  readonly started: StartedCall;
  readonly startedAt: number;
  readonly result: Promise<CallResult>;
}

/** How long `close` waits for calls that were told to end, in ms: within the 8 s that the pool has. */
const DRAIN_MS = 4000;

/**
 * The one path of every call: policy, approval, guard, send, outcome, ledger (product section 6). A call belongs
 * to this process: whoever asked may go away, and only `cancel` or `close` ends it early.
 */
export class CallPath {
  private readonly running = new Map<CallId, RunningCall>();
  private readonly slots: Slots;
  private readonly loads: LoadTeller;
  private readonly slowDowns: SlowDowns;
  private readonly clock: Clock;
  private closed = false;

  constructor(private readonly options: CallPathOptions) {
    this.clock = options.clock ?? systemClock;
    this.slowDowns = new SlowDowns(this.clock);
    this.slots = new Slots((fingerprint) => this.loads.note(fingerprint));
    this.loads = new LoadTeller({ load: (fingerprint) => this.slots.load(fingerprint), keysOf: options.keysOf, bus: options.bus });
  }

  /**
   * Puts the call on record and returns at once; the rest goes on by itself. The same call id again is the same
   * call: nothing is sent twice.
   * @throws AppError `unavailable` while the process ends, `not_found` where the run does not exist
   */
  start(request: CallRequest, principal: Principal): StartedCall {
    const running = this.running.get(request.callId);
    if (running !== undefined) return running.started;
    if (this.closed) throw new AppError({ code: 'unavailable', message: 'The console is ending: no new call is begun.', retry: 'later' });
    const decision = decidePolicy(request, principal, this.options.servers.find(request.serverKey));
    const policy = decision.kind === 'allowed' ? decision.why : decision.error.message;
    const { started, existed } = this.open(request, principal, policy);
    if (!existed) this.run(started, request, principal, (call) => carryCall(call, this.services()));
    return started;
  }

  /** As `start`, and waits for the end. When the signal fires the call is cancelled, and its end still awaited. */
  async call(request: CallRequest, principal: Principal, signal: AbortSignal): Promise<CallResult> {
    const { sequence } = this.start(request, principal);
    const running = this.running.get(request.callId);
    if (running === undefined) return this.readResult(sequence);
    const cancel = (): void => {
      running.abort.abort({ kind: 'cancelled', by: principal.actor.name } satisfies StopReason);
    };
    if (signal.aborted) cancel();
    else signal.addEventListener('abort', cancel, { once: true });
    try {
      return await running.result;
    } finally {
      signal.removeEventListener('abort', cancel);
    }
  }

  /** Puts a call on record that is refused before a server can be asked: its entry says why. */
  async refuse(request: CallRequest, principal: Principal, error: CallError): Promise<CallResult> {
    const { started, existed } = this.open(request, principal, error.message);
    if (existed) return this.readResult(started.sequence);
    return this.run(started, request, principal, async () => notSent(error)).result;
  }

  /**
   * Asks for a stop; the server is told, and the entry says what became of the call.
   * @returns false where no such call is in flight in this process
   * @throws AppError `not_allowed` where the call is somebody else's and the role does not reach
   */
  cancel(callId: CallId, principal: Principal): boolean {
    const call = this.running.get(callId);
    if (call === undefined) return false;
    const { actor } = call.principal;
    const isOwn = actor.kind === principal.actor.kind && actor.name === principal.actor.name;
    if (!isOwn && !may(principal.role, 'calls.cancel_any')) {
      throw new AppError({
        code: 'not_allowed',
        message: `The call was made by ${actor.name}: to cancel it takes the role ${roleFor('calls.cancel_any')}.`,
      });
    }
    call.abort.abort({ kind: 'cancelled', by: principal.actor.name } satisfies StopReason);
    return true;
  }

  /**
   * What a call would hand to other servers; nothing is sent for it. Connects where nothing is known of the server yet.
   * @throws AppError `bad_input` where a reference names no file, `not_found`, `unavailable`
   */
  plan(request: Pick<CallRequest, 'serverKey' | 'arguments' | 'runId'>, signal: AbortSignal): Promise<DisclosurePlan> {
    return planDisclosure(request, this.options, signal);
  }

  inFlight(): readonly CallInFlight[] {
    return [...this.running.values()].map(({ started, request, principal }) => ({
      ...started, serverKey: request.serverKey, tool: request.tool, actorName: principal.actor.name,
      ahead: this.slots.findAhead(request.callId),
    }));
  }

  /** How many calls a server carries and how many wait for a place. */
  loadOf(key: ServerKey): Load {
    return this.slots.load(this.options.fingerprintOf(key) ?? '');
  }

  /**
   * Reads a server's `capabilities` on its new connection, as a recorded call of the console's.
   * @param key null for an unsaved form, whose reading is evidence of its test alone
   */
  async readManifest(connection: Connection, key: ServerKey | null, signal: AbortSignal): Promise<ManifestReading> {
    if (!offersManifest(connection)) return { manifest: null, problem: null };
    if (key === null) return readUnrecorded(connection, signal);
    const runId = this.options.consoleRun();
    const principal: Principal = { actor: { kind: 'console', name: 'console' }, role: 'admin', sessionRunId: runId };
    const request = toManifestRequest(key, runId);
    const { started } = this.open(request, principal, "The console reads the server's manifest itself; that needs no approval.");
    let reading: ManifestReading = { manifest: null, problem: 'The manifest could not be read: the console failed at it.' };
    const running = this.run(started, request, principal, async (call) => {
      const read = await carryManifestCall(call, connection, { ...this.options, slots: this.slots });
      reading = read.reading;
      return read.end;
    });
    const cancel = (): void => {
      running.abort.abort({ kind: 'cancelled', by: 'the console' } satisfies StopReason);
    };
    if (signal.aborted) cancel();
    else signal.addEventListener('abort', cancel, { once: true });
    await running.result;
    signal.removeEventListener('abort', cancel);
    return reading;
  }

  /** Ends: no call begins any more, those in flight are told to stop and their ends are put on record. */
  async close(): Promise<void> {
    this.closed = true;
    const calls = [...this.running.values()];
    for (const { abort } of calls) abort.abort({ kind: 'closing' } satisfies StopReason);
    let timer: NodeJS.Timeout | undefined;
    const deadline = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, DRAIN_MS);
    });
    await Promise.race([Promise.allSettled(calls.map(({ result }) => result)), deadline]);
    clearTimeout(timer);
    this.loads.dispose();
  }

  /** A call of the console's own for another call: its own entry, cap and clocks, that one's run and admission. */
  private async callPlumbing(ride: PlumbingCall, outer: CallRequest, signal: AbortSignal) {
    const principal: Principal = { actor: { kind: 'console', name: 'console' }, role: 'admin', sessionRunId: outer.runId };
    const request: CallRequest = {
      callId: callIds.create(), serverKey: outer.serverKey, tool: ride.tool, arguments: ride.arguments, runId: outer.runId,
      totalMs: null, tryAnyway: false, requiresExposure: false,
    };
    const { started } = this.open(request, principal, PLUMBING_WHY, ride.recorded);
    let value: CallEnd['value'] = null;
    const carry = async (call: CarriedCall): Promise<CallEnd> => {
      const end = await carryCall(call, this.services());
      value = end.value;
      return end;
    };
    const running = this.run(started, request, principal, carry, { ...ride, admittedAs: outer.callId });
    const stop = (): void => {
      running.abort.abort({ kind: 'cancelled', by: 'the console' } satisfies StopReason);
    };
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
    const { outcome, error } = await running.result.finally(() => signal.removeEventListener('abort', stop));
    return { outcome, error, value, sequence: started.sequence, entryId: started.entryId };
  }

  /** Takes the files that the answer names; by then the call's place is given on. */
  private async readOutputs(call: CarriedCall, end: CallEnd): Promise<readonly OutputEnd[]> {
    if (end.outcome !== 'ok' || call.request.outputs === undefined) return [];
    try {
      return await readOutputs(call, end.value, this.options);
    } catch (error) {
      this.options.log.error({ err: error, callId: call.request.callId }, 'the files of an answer could not be taken');
      return [];
    }
  }

  private services() {
    return {
      ...this.options,
      slots: this.slots,
      slowDowns: this.slowDowns,
      clock: this.clock,
    };
  }

  private open(request: CallRequest, { actor }: Principal, policy: string, recorded = request.arguments): { started: StartedCall; existed: boolean } {
    const { sequence, entryId, existed } = this.options.writer.open({
      callId: request.callId,
      runId: request.runId,
      step: null,
      actorKind: actor.kind,
      actorName: actor.name,
      serverKey: request.serverKey,
      tool: request.tool,
      exposedName: this.options.exposedNameOf(request.serverKey, request.tool),
      // A person who calls a plumbing tool by hand made a call like any other.
      plumbing: actor.kind === 'console',
      policy,
      arguments: recorded,
    });
    return { started: { sequence, entryId, callId: request.callId }, existed };
  }

  private run(
    started: StartedCall,
    request: CallRequest,
    principal: Principal,
    carry: (call: CarriedCall) => Promise<CallEnd>,
    plumbing: CarriedCall['plumbing'] = null,
  ): RunningCall {
    const record = new CallRecord(started.sequence, { writer: this.options.writer, clock: this.clock });
    const { sequence, entryId } = started;
    const makePlumbingCall: MakePlumbingCall = (ride, signal) => this.callPlumbing(ride, request, signal);
    const call: CarriedCall = { request, principal, record, entry: { sequence, entryId }, plumbing, makePlumbingCall, abort: new AbortController() };
    const startedAt = this.clock.now();
    const result = this.settle(call, carry)
      .then(async (end) => {
        const durationMs = this.clock.now() - startedAt;
        return this.toResult(started, call, end, durationMs, await this.readOutputs(call, end));
      })
      .finally(() => {
        this.running.delete(request.callId);
      });
    const running: RunningCall = { ...call, started, startedAt, result };
    this.running.set(request.callId, running);
    return running;
  }

  /** Carries the call and puts its end on record; whatever breaks on the way becomes an end too. */
  private async settle(call: CarriedCall, carry: (call: CarriedCall) => Promise<CallEnd>): Promise<CallEnd> {
    const { record, request } = call;
    let end: CallEnd;
    try {
      end = await carry(call);
    } catch (error) {
      this.options.log.error({ err: error, callId: request.callId }, 'a call broke inside the console');
      end = toBrokenEnd(call);
    }
    try {
      await record.finished(end.outcome, end.error, toKept(call, end));
    } catch (error) {
      this.options.log.error({ err: error, callId: request.callId }, 'the end of a call could not be recorded');
    }
    return end;
  }

  private toResult(started: StartedCall, { request, record, plumbing }: CarriedCall, end: CallEnd, durationMs: number, outputs: readonly OutputEnd[]): CallResult {
    const { payloads } = this.options.writer;
    return {
      sequence: started.sequence,
      entryId: started.entryId,
      runId: request.runId,
      outcome: end.outcome,
      error: end.error === null ? null : payloads.scrubError(end.error),
      // A part of a file is the console's own business: nobody is shown it, and its bytes are its bytes.
      result: end.result === null || plumbing !== null ? null : toObject(payloads.scrub(end.result)),
      sentAt: record.sentAt,
      durationMs,
      attempts: record.attempts,
      warnings: record.warnings,
      outputs,
    };
  }

  /** The end of a call that was on record already. */
  private async readResult(sequence: number): Promise<CallResult> {
    const entry = this.options.reader.find(sequence);
    if (entry === undefined) throw new AppError({ code: 'not_found', message: `There is no ledger entry ${sequence}.` });
    return toStoredResult(entry, entry.result === null ? null : toObject(JSON.parse(await this.options.reader.payload(entry.result))));
  }
}

/** What the entry keeps of a result. */
const toKept = ({ plumbing }: CarriedCall, { result, value }: CallEnd): JsonObject | null =>
  result === null || plumbing?.toKept === undefined ? result : plumbing.toKept(result, value);

function toBrokenEnd({ request, record }: CarriedCall): CallEnd {
  const facts = { serverKey: request.serverKey, tool: request.tool };
  return record.sentAt === null
    ? {
        outcome: 'not_sent',
        error: toConsoleError('not_connected', 'The console failed before the call was sent: it was not carried out.', facts),
        result: null,
        value: null,
        verdict: 'says_nothing',
      }
    : {
        outcome: 'unknown',
        error: toConsoleError('outcome_unknown', 'The console failed while the server was at it: the call may have been carried out.', facts),
        result: null,
        value: null,
        verdict: 'says_nothing',
      };
}

const toStoredResult = (entry: LedgerEntry, result: JsonObject | null): CallResult => ({
  sequence: entry.sequence,
  entryId: entry.entryId,
  runId: entry.runId,
  outcome: entry.outcome,
  error: entry.error,
  result,
  sentAt: entry.sentAt,
  durationMs: (entry.finishedAt ?? entry.requestedAt) - entry.requestedAt,
  attempts: entry.attempts,
  warnings: entry.warnings,
  outputs: entry.outputs,
});

/** A result is a JSON object, kept or not. */
const toObject = (value: unknown): JsonObject => (isObject(value) ? (value as JsonObject) : {}); // it came from JSON

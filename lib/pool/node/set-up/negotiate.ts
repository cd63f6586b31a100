import { SdkError, SdkErrorCode, type Client } from '@modelcontextprotocol/client';
import { err, ok, type Result } from '@/lib/core';
import { REVISIONS, type ConnectFailure, type ConnectFailureCode } from '../..';
import { findConnectMs } from './connect-clock';
import { createClient, NEVER_MS, type NegotiationMode } from './client';
import type { OpenConnectionOptions } from '../connection';
import { dial } from './dial';
import type { Hiding } from './dial-remote';
import { isElsewhere, mayFallBack, toBothFailed } from './fall-back';
import { RecordingTransport, type RecordingOptions } from '../seam/recording';
import { toSetUpFailure } from './set-up-failure';
import type { StageTracker } from './stages';

/** A transport, the seam over it, and the client on the seam: made for one attempt, never used for another. */
export interface Link {
  readonly seam: RecordingTransport;
  readonly client: Client;
}

export interface SetUp {
  readonly options: OpenConnectionOptions;
  readonly tracker: StageTracker;
  readonly hiding: Hiding;
  readonly recording: Omit<RecordingOptions, 'server' | 'clock' | 'scrub' | 'hideSession'>;
  /** Ends the attempt: the caller's signal or the clock. */
  readonly signal: AbortSignal;
  /** @param heldUpBy what was begun of an answer and not ended */
  readonly toInterruption: (heldUpBy?: string) => ConnectFailure;
}

/** `wasSilent`: the probe was not answered in its time. */
type Attempt =
  | { readonly link: Link; readonly failure: null }
  | { readonly link: Link | null; readonly failure: ConnectFailure; readonly wasSilent?: boolean };

/**
 * Opens a link in the era that the entry or an earlier verdict names, or finds the era by a probe on the one process.
 * A server that exits on the probe is started once more in the legacy era; never are there two of it at once. An
 * address that refuses Streamable HTTP as a server of the older transport does is tried over that.
 */
export async function negotiate(setUp: SetUp): Promise<Result<Link, ConnectFailure>> {
  const { resolved, eraVerdicts } = setUp.options;
  const verdict = eraVerdicts.find(resolved.fingerprint);
  const attempt = (verdict?.transport === 'sse' ? await tryRemembered(setUp) : null) ?? (await tryEras(setUp));
  if (attempt.failure === null) return ok(attempt.link);
  if (verdict !== undefined) eraVerdicts.forget(resolved.fingerprint);
  return err(attempt.failure);
}

/** The older transport, which the address spoke before; null where it does not any more. */
async function tryRemembered(setUp: SetUp): Promise<Attempt | null> {
  const attempt = await tryMode('legacy', setUp, true);
  if (attempt.failure === null || !isElsewhere(attempt.failure) || setUp.signal.aborted) return attempt;
  setUp.options.eraVerdicts.forget(setUp.options.resolved.fingerprint);
  return null;
}

async function tryEras(setUp: SetUp): Promise<Attempt> {
  const { resolved, eraVerdicts, clock } = setUp.options;
  const { era: wanted, transport, fingerprint } = resolved;
  const wasKept = wanted === 'auto' && eraVerdicts.find(fingerprint)?.era === 'legacy';
  // The older transport is older than the modern era.
  const first: NegotiationMode = wasKept || transport.kind === 'sse' ? 'legacy' : wanted;
  const modes = [first];
  let attempt = await tryMode(first, setUp, false);
  let wasSilent = false;
  // From a kept verdict to a probe, from a probe to what it showed: three at most.
  for (let next = decideNextMode(modes, wasKept, attempt, setUp.signal); next !== null; next = decideNextMode(modes, wasKept, attempt, setUp.signal)) {
    modes.push(next);
    wasSilent ||= attempt.failure !== null && attempt.wasSilent === true;
    // Never are there two of it at once.
    await attempt.link?.seam.close();
    attempt = await tryMode(next, setUp, false);
  }
  // Slow rather than old: now it is let take its time, and its refusal of `initialize` stands where that does not help.
  if (wasSilent && attempt.failure !== null && REFUSES_ERA.has(attempt.failure.code) && !setUp.signal.aborted) {
    const late = await tryMode('modern', setUp, false);
    if (late.failure === null) attempt = late;
  }
  const older = setUp.signal.aborted || attempt.failure === null ? [] : findOlderRevisions(attempt.failure);
  const final = older.length === 0 ? attempt : await tryMode('legacy', setUp, false, older);
  if (final.failure !== null) {
    // Who answered `initialize` speaks this transport, whatever it refuses after that.
    const speaksThis = final.link?.seam.handshake.isInitialized === true;
    return !speaksThis && !setUp.signal.aborted && mayFallBack(final.failure, resolved) ? fallBack(final.failure, setUp) : final;
  }
  const era = final.link.client.getProtocolEra();
  const wasProbed = modes.includes('auto');
  if (wasProbed && era !== undefined) {
    eraVerdicts.save(fingerprint, { era, decidedAt: clock.now() });
  }
  return final;
}

/** Tries the older transport, and keeps in mind that it works. */
async function fallBack(first: ConnectFailure, setUp: SetUp): Promise<Attempt> {
  const { resolved, eraVerdicts, clock } = setUp.options;
  const attempt = await tryMode('legacy', setUp, true);
  if (attempt.failure === null) {
    eraVerdicts.save(resolved.fingerprint, { era: 'legacy', transport: 'sse', refusal: first.message, decidedAt: clock.now() });
    return attempt;
  }
  return attempt.failure.code === 'cancelled' ? attempt : { link: attempt.link, failure: toBothFailed(first, attempt.failure) };
}

/** Revisions of the legacy era that a refusal names and that were not offered: the newest is offered by itself. */
function findOlderRevisions({ code, evidence }: ConnectFailure): readonly string[] {
  if (code !== 'no_shared_revision') return [];
  const named: readonly string[] = evidence.body?.match(/\b\d{4}-\d{2}-\d{2}\b/g) ?? [];
  return REVISIONS.slice(2).filter((revision) => named.includes(revision));
}

/** How a server answers that the era it is spoken to in is not one of its own. */
const REFUSES_ERA: ReadonlySet<ConnectFailureCode> = new Set(['protocol_error', 'no_shared_revision']);
const EXITED: ReadonlySet<ConnectFailureCode> = new Set(['exited_at_once', 'exited']);

/** What came of a probe over HTTP that an older server may have spoiled; a refused account, a slow-down and the network are not asked twice. */
const MAY_BE_OLDER: ReadonlySet<ConnectFailureCode> = new Set([
  'not_an_mcp_endpoint', 'forbidden', 'connection_reset', 'protocol_error', 'server_error', 'not_acceptable',
]);

/** The mode of one more attempt after those in `modes`, null where the last stands. `wasKept` says that the first is an earlier verdict. */
function decideNextMode(modes: readonly NegotiationMode[], wasKept: boolean, { link, failure }: Attempt, signal: AbortSignal): NegotiationMode | null {
  if (link === null || signal.aborted) return null;
  const { seam } = link;
  // It speaks the modern era and was slow to say so: what came of `initialize` was not what it would choose.
  if (modes.at(-1) === 'auto' && seam.handshake.sawLateDiscovery) return 'modern';
  if (failure === null) return null;
  // It is well and answers, but is no longer the server of the verdict.
  if (wasKept && modes.length === 1) return REFUSES_ERA.has(failure.code) ? 'auto' : null;
  if (modes.at(-1) !== 'auto') return null;
  const { ending, kind } = seam.inner;
  if (ending !== null && EXITED.has(ending.code)) return seam.handshake.isInitialized ? null : 'legacy';
  if (seam.handshake.isProbeOver) return null;
  // A WebSocket that is closed on the probe is what an exit on it is.
  if (kind === 'websocket') return ending?.evidence.closeCode === undefined || ending.code === 'unauthorized' ? null : 'legacy';
  return kind === 'http' && MAY_BE_OLDER.has(failure.code) ? 'legacy' : null;
}

/** @param isFallback the older transport instead of the one that the entry names @param revisions those to offer, null for all */
async function tryMode(mode: NegotiationMode, setUp: SetUp, isFallback: boolean, revisions: readonly string[] | null = null): Promise<Attempt> {
  const { options, tracker, signal } = setUp;
  if (signal.aborted) return { link: null, failure: setUp.toInterruption() };
  const dialled = await dial(options, tracker, setUp.hiding, isFallback);
  if (!dialled.ok) return { link: null, failure: dialled.error };
  const seam = new RecordingTransport(dialled.value, { ...setUp.recording, ...setUp.hiding, server: options.resolved.key, clock: options.clock });
  const { jobDirectory, onElicitation, onSampling } = options;
  const isKnownModern = options.eraVerdicts.find(options.resolved.fingerprint)?.era === 'modern';
  const connectMs = options.connectMs ?? findConnectMs(options.resolved);
  const client = createClient({ mode, kind: seam.inner.kind, isKnownModern, connectMs, revisions, jobDirectory, note: (text) => seam.note(text), onElicitation, onSampling });
  const link = { seam, client };
  const stop = () => void seam.close();
  signal.addEventListener('abort', stop, { once: true });
  try {
    if (signal.aborted) stop();
    await client.connect(seam, { timeout: NEVER_MS, ...(mode === 'legacy' && { prior: { kind: 'legacy' } }) });
    seam.isModern = client.getProtocolEra() === 'modern';
    return { link, failure: null };
  } catch (error) {
    const failure = signal.aborted ? (seam.inner.ending ?? setUp.toInterruption(seam.inner.describeDelay?.(null) ?? undefined)) : toSetUpFailure(error, seam, options.resolved.key);
    await seam.close();
    return { link, failure, wasSilent: error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout && !signal.aborted };
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

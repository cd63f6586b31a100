import { setTimeout as sleep } from 'node:timers/promises';
import { formatDuration } from '@/lib/core';
import { DecodeFailure } from './decode-body';
import type { RequestId } from './frame';
import { listEvents, Pace, readEvent } from './http-events';
import type { Carrier, MessageSink } from './http-messages';
import type { Sending } from './http-sending';
import { EventStreamReader } from './sse-reader';
import { WireRefusal } from './transport';
import { NotUtf8 } from './utf8';

/** How the waits between tries grow, in ms. */
export interface Pacing {
  readonly firstMs: number;
  readonly longestMs: number;
}

export const USUAL_PACING: Pacing = { firstMs: 1_000, longestMs: 30_000 };

export interface AnswerStreamOptions {
  readonly id: RequestId;
  readonly sending: Sending;
  readonly sink: MessageSink;
  readonly limitBytes: number;
  /** Opens the stream anew after an event (legacy era); null where streams cannot be resumed. */
  readonly reopen: ((lastEventId: string, signal: AbortSignal) => Promise<Response>) | null;
  readonly pacing: Pacing;
  /** The stream that should answer a handshake begins as one of the older HTTP+SSE transport does. */
  readonly onEndpoint: () => void;
  /** The stream ended without the answer, which may come on another from now on. */
  readonly onDropped: () => void;
  /** Fires when the connection ends. */
  readonly signal: AbortSignal;
}

/** Tries without a new event: a server that cannot be reached uses it up in five, one that closes empty streams in a thousand. */
const PATIENCE = 1_000;
const UNREACHABLE_COSTS = 200;
/** A server that asks to be asked at once is asked so often at most. */
const SHORTEST_WAIT_MS = 50;
/** One that asks to be asked much later is asked then: the clock of a call runs on meanwhile. */
const LONGEST_RETRY_MS = 60_000;
/** A stream that was held open so long was no haste, though nothing came. */
const AT_ONCE_MS = 1_000;
const ENDED_EARLY = 'the stream ended without the answer';

/** What one stream came to. */
interface Progress {
  lastEventId: string | null;
  retryMs: number | null;
  patience: number;
  /** Tries in a row that reached nothing. */
  failures: number;
  /** Streams in a row that ended at once and brought nothing new. */
  fruitless: number;
}

/**
 * Reads the stream that a POST was answered with until the answer has come. A stream that breaks off or is closed is
 * opened again after the last event, over any number of drops, as long as the server numbers its events; then its end
 * is told. Nothing is ever sent again.
 */
export async function readAnswerStream(first: Response, options: AnswerStreamOptions): Promise<void> {
  const { id, sink } = options;
  const progress: Progress = { lastEventId: null, retryMs: null, patience: PATIENCE, failures: 0, fruitless: 0 };
  let why = ENDED_EARLY;
  for (let response: Response | null = first; ; ) {
    if (response !== null) await readStream(response, progress, options);
    if (sink.listener?.findWaiting(id) === undefined) return;
    options.onDropped();
    const next = await resume(progress, options);
    if (sink.listener.findWaiting(id) === undefined) return;
    if (next.kind === 'over') {
      why = next.why;
      break;
    }
    response = next.response;
  }
  sink.listener.onStreamEnded(id, why);
}

async function readStream(response: Response, progress: Progress, options: AnswerStreamOptions): Promise<void> {
  const { id, sending, sink, limitBytes } = options;
  const pace = sending.method === 'subscriptions/listen' ? new Pace() : null;
  const before = progress.lastEventId;
  const openedAt = performance.now();
  const carrier: Carrier = { kind: 'stream', id, hasStrayed: false };
  const reader = new EventStreamReader(limitBytes);
  sending.events = reader;
  try {
    for await (const read of listEvents(response, reader, () => sink.listener?.onBytes?.(id))) {
      if (read.kind === 'retry') {
        progress.retryMs = capRetry(read.ms, LONGEST_RETRY_MS, sink);
        continue;
      }
      if (read.kind === 'event' && read.event.event === 'endpoint' && sending.isHandshake) return options.onEndpoint();
      const eventId = read.kind === 'event' ? read.event.id : read.id;
      if (eventId !== null) progress.lastEventId = eventId;
      readEvent(read, carrier, limitBytes, sink);
      // Answered: the stream has nothing more for us, and leaving it lets go of it.
      if (sink.listener?.findWaiting(id) === undefined) return;
      await pace?.step(options.signal);
    }
  } catch (error) {
    if (error instanceof DecodeFailure || error instanceof NotUtf8) sink.listener?.onUnusable(id, error.message, '');
    // Of any other break it matters only whether the answer came before it.
  } finally {
    sending.events = null;
  }
  if (progress.lastEventId !== before) progress.patience = PATIENCE;
  const isFruitless = progress.lastEventId === before && performance.now() - openedAt < AT_ONCE_MS;
  progress.fruitless = isFruitless ? progress.fruitless + 1 : 0;
}

type Resumed = { readonly kind: 'opened'; readonly response: Response | null } | { readonly kind: 'over'; readonly why: string };

/** Waits as long as the server asked for, and opens the stream again; `response` null where it should be tried once more. */
async function resume(progress: Progress, options: AnswerStreamOptions): Promise<Resumed> {
  const { reopen, sending, pacing } = options;
  const { lastEventId } = progress;
  if (reopen === null || lastEventId === null || !isSendable(lastEventId)) return { kind: 'over', why: ENDED_EARLY };
  const signal = AbortSignal.any([options.signal, sending.givenUp]);
  if (progress.patience <= 0) return { kind: 'over', why: `${ENDED_EARLY}, and it could not be resumed in several tries` };
  await sleep(decideWaitMs(progress, pacing), undefined, { signal }).catch(() => undefined);
  if (signal.aborted || options.sink.listener?.findWaiting(options.id) === undefined) return { kind: 'over', why: ENDED_EARLY };
  sending.reopened = new AbortController();
  try {
    const response = await reopen(lastEventId, AbortSignal.any([options.signal, sending.letGo, sending.reopened.signal]));
    if (response.ok && isEventStream(response)) {
      progress.patience -= 1;
      progress.failures = 0;
      return { kind: 'opened', response };
    }
    await response.body?.cancel().catch(() => undefined);
    const { status } = response;
    if (status < 500 && status !== 429) return { kind: 'over', why: `${ENDED_EARLY}, and the server did not resume it (HTTP ${status})` };
  } catch (error) {
    if (error instanceof WireRefusal) return { kind: 'over', why: `${ENDED_EARLY}, and could not be resumed: ${error.failure.message}` };
    // Not reachable just now: tried again below.
  }
  progress.patience -= UNREACHABLE_COSTS;
  progress.failures += 1;
  return { kind: 'opened', response: null };
}

/** Never sooner than the server asked for; ever later while nothing comes, as often as it asks to be asked. */
export function decideWaitMs({ retryMs, failures, fruitless }: Pick<Progress, 'retryMs' | 'failures' | 'fruitless'>, { firstMs, longestMs }: Pacing): number {
  const asked = retryMs === null ? firstMs : Math.max(retryMs, SHORTEST_WAIT_MS);
  const grown = Math.min(asked * 2 ** Math.min(fruitless, 30), Math.max(asked, longestMs));
  const unreached = failures === 0 ? 0 : Math.min(firstMs * 2 ** (failures - (retryMs === null ? 0 : 1)), longestMs);
  return Math.max(grown, unreached);
}

/** The time that a stream asks to be left alone for, bounded; that it was bounded is told. */
export function capRetry(ms: number, longestMs: number, { listener }: Pick<MessageSink, 'listener'>): number {
  if (ms <= longestMs) return ms;
  listener?.onRemark(`it asks to wait ${formatDuration(ms)} before its stream is opened again; it is opened after ${formatDuration(longestMs)}`, 'warning', 'retry');
  return longestMs;
}

const LONGEST_EVENT_ID = 4_096;

/** Whether an event's id can be said back in a header. */
export const isSendable = (eventId: string): boolean => eventId !== '' && eventId.length <= LONGEST_EVENT_ID && !/[\u0000-\u0008\u000a-\u001f\u007f]/.test(eventId);

export const isEventStream = (response: Response): boolean => findMediaType(response) === 'text/event-stream';

/** Lower case, without parameters; empty where there is none. */
export const findMediaType = (response: Response): string => (response.headers.get('content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';

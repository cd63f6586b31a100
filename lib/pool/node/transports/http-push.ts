import { setTimeout as sleep } from 'node:timers/promises';
import { listEvents, Pace, readEvent } from './http-events';
import type { Carrier, MessageSink } from './http-messages';
import { capRetry, findMediaType, isEventStream, isSendable, type Pacing } from './http-stream';
import { EventStreamReader } from './sse-reader';
import { WireRefusal } from './transport';
import { NotUtf8 } from './utf8';

export interface PushStreamOptions {
  readonly open: (lastEventId: string | null, signal: AbortSignal) => Promise<Response>;
  readonly sink: MessageSink;
  readonly limitBytes: number;
  readonly pacing: Pacing;
  readonly remark: (sentence: string) => void;
  /** It could not be opened, or broke; the stream decides nothing, and goes on trying unless it was closed meanwhile. */
  readonly onUnreachable: (error: unknown) => void;
  /** Nothing comes over it any more, though the connection goes on. */
  readonly onOver: () => void;
}

/** Reopenings in a row of streams that brought nothing, until it is left be. */
const MOST_FRUITLESS = 10;
/** What a server that has something to say now and then may ask to be left alone for. */
const LONGEST_RETRY_MS = 300_000;

/**
 * The stream over which a server of the legacy era says what nobody asked for. A server need not have one: any refusal
 * is told once and changes nothing else. One that ends is opened again after its last event, ever more slowly while
 * nothing comes, and in the end no more.
 */
export class PushStream {
  private readonly ending = new AbortController();
  private state: 'not_opened' | 'open' | 'over' = 'not_opened';

  constructor(private readonly options: PushStreamOptions) {}

  /** Whether something may come over it. */
  get isOpen(): boolean {
    return this.state === 'open';
  }

  start(): void {
    if (this.state !== 'not_opened') return;
    this.state = 'open';
    void this.run().then(() => {
      this.state = 'over';
      if (!this.ending.signal.aborted) this.options.onOver();
    });
  }

  close(): void {
    this.ending.abort();
  }

  private async run(): Promise<void> {
    const { signal } = this.ending;
    const { remark } = this.options;
    const progress: PushProgress = { lastEventId: null, retryMs: null, fruitless: 0, wasOpen: false };
    while (!signal.aborted) {
      const refusal = await this.readOnce(progress);
      if (signal.aborted) return;
      if (refusal !== null) return remark(progress.wasOpen ? `pushes nothing any more (${refusal})` : `pushes nothing (${refusal})`);
      if (progress.fruitless >= MOST_FRUITLESS) return remark('pushes nothing any more: its stream ended many times in a row and brought nothing');
      await sleep(decidePushWaitMs(progress, this.options.pacing), undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  /** Opens the stream and reads it to its end. @returns how it was refused for good; null where it may be tried again */
  private async readOnce(progress: PushProgress): Promise<string | null> {
    const { signal } = this.ending;
    let response: Response;
    try {
      response = await this.options.open(isSendable(progress.lastEventId ?? '') ? progress.lastEventId : null, signal);
    } catch (error) {
      if (error instanceof WireRefusal) return `HTTP ${error.failure.evidence.httpStatus ?? 'refusal'}`;
      progress.fruitless += 1;
      this.options.onUnreachable(error);
      return null;
    }
    if (response.ok && isEventStream(response)) {
      progress.wasOpen = true;
      await this.read(response, progress);
      return null;
    }
    await response.body?.cancel().catch(() => undefined);
    const { status } = response;
    progress.fruitless += 1;
    // A gateway in front of a server that is restarted; one that never had the stream is not asked again.
    if (progress.wasOpen && (status >= 500 || status === 429)) return null;
    return response.ok ? `HTTP ${status} with ${findMediaType(response) || 'no content type'} instead of a stream` : `HTTP ${status}`;
  }

  private async read(response: Response, progress: PushProgress): Promise<void> {
    const { sink, limitBytes } = this.options;
    const { signal } = this.ending;
    const pace = new Pace();
    const carrier: Carrier = { kind: 'push', hasStrayed: false };
    progress.fruitless += 1;
    try {
      for await (const read of listEvents(response, new EventStreamReader(limitBytes))) {
        if (read.kind === 'retry') {
          progress.retryMs = capRetry(read.ms, LONGEST_RETRY_MS, sink);
          continue;
        }
        progress.fruitless = 0;
        const eventId = read.kind === 'event' ? read.event.id : read.id;
        if (eventId !== null) progress.lastEventId = eventId;
        readEvent(read, carrier, limitBytes, sink);
        await pace.step(signal);
        if (signal.aborted) return;
      }
    } catch (error) {
      if (error instanceof NotUtf8) this.options.remark(`an event of its push stream was let go: ${error.message}`);
      if (!signal.aborted) this.options.onUnreachable(error);
    }
  }
}

interface PushProgress {
  lastEventId: string | null;
  retryMs: number | null;
  /** Streams in a row that brought nothing. */
  fruitless: number;
  wasOpen: boolean;
}

/** Never sooner than the server asked for, and never in haste. */
function decidePushWaitMs({ retryMs, fruitless }: Pick<PushProgress, 'retryMs' | 'fruitless'>, { firstMs, longestMs }: Pacing): number {
  return Math.max(retryMs ?? 0, Math.min(firstMs * 2 ** Math.max(0, fruitless - 1), longestMs));
}

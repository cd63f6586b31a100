import { setImmediate as nextTurn } from 'node:timers/promises';
import { assertNever } from '@/lib/core';
import { withoutRowContents } from '@/lib/ledger';
import type { LedgerReader } from '@/lib/ledger/node';
import type { LiveMessage } from '..';
import type { LiveBus } from './bus';

export interface LiveStreamOptions {
  readonly bus: Pick<LiveBus, 'subscribe'>;
  readonly reader: Pick<LedgerReader, 'rowsAfter' | 'newestCursor' | 'storeVersion' | 'isBeingWritten'>;
  /** The cursor to go on from; null begins with what comes next. */
  readonly after: number | null;
  /** Whether the reader may see what servers wrote: messages of errors, log lines, the evidence of tests. */
  readonly seesContents: boolean;
  /** Ends the stream: the request's signal. */
  readonly signal: AbortSignal;
  /** Whether whoever opened the stream may still read it with these rights; the stream ends once they may not. */
  isStillAllowed(): Promise<boolean>;
  /** How often that is asked, in ms. */
  readonly recheckMs?: number;
  /** How often the data file is asked whether another process wrote, in ms. */
  readonly pollMs?: number;
  readonly keepAliveMs?: number;
}

const BATCH_ROWS = 200;
/** Between two looks at the store, so that a burst of calls is read in batches. */
const REST_MS = 20;
/** How much waits for a slow reader before the stream stops reading the store. */
const BUFFERED_BYTES = 256 * 1024;
/** How many messages of the moment wait for a slow reader; beyond it is told to read everything again. */
const WAITING_MESSAGES = 1000;

/**
 * The one live stream, as `text/event-stream`. Rows of the ledger are read from the store after the cursor
 * and carry it as the event's id, so that a reader who comes back misses nothing and gets nothing twice; they
 * wait in the store, not in memory. What is only of the moment comes between them as it happens.
 */
export function openLiveStream(options: LiveStreamOptions): ReadableStream<Uint8Array> {
  const follower = new Follower(options);
  return new ReadableStream<Uint8Array>(
    {
      start: (controller) => {
        follower.run(controller).catch((error: unknown) => {
          controller.error(error);
        });
      },
      pull: () => {
        follower.wake();
      },
      cancel: () => {
        follower.leave();
      },
    },
    new ByteLengthQueuingStrategy({ highWaterMark: BUFFERED_BYTES }),
  );
}

class Follower {
  private readonly encoder = new TextEncoder();
  private readonly waiting: LiveMessage[] = [];
  private overflowed = false;
  private stopped = false;
  private left = false;
  private nudged = true;
  private resume: (() => void) | null = null;
  private cursor: number;
  private storeVersion: number;

  constructor(private readonly options: LiveStreamOptions) {
    const newest = options.reader.newestCursor();
    this.storeVersion = options.reader.storeVersion();
    // A cursor from another data file would wait for ever.
    this.cursor = Math.min(options.after ?? newest, newest);
  }

  wake(): void {
    this.resume?.();
  }

  stop(): void {
    this.stopped = true;
    this.wake();
  }

  /** The reader is gone and the stream closed: there is nothing left to close. */
  leave(): void {
    this.left = true;
    this.stop();
  }

  async run(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
    const { bus, signal, pollMs = 300, keepAliveMs = 15_000, recheckMs = 5000 } = this.options;
    const stop = (): void => {
      this.stop();
    };
    const unsubscribe = bus.subscribe((message) => {
      this.take(message);
    });
    const poll = setInterval(() => {
      try {
        this.lookForOthers();
      } catch {
        // The data file was closed under the stream: the process ends, and so does it.
        this.stop();
      }
    }, pollMs);
    const keepAlive = setInterval(() => {
      if (!this.stopped && (controller.desiredSize ?? 0) > 0) controller.enqueue(this.encoder.encode(': still here\n\n'));
    }, keepAliveMs);
    const recheck = setInterval(() => void this.checkRights(), recheckMs);
    poll.unref();
    recheck.unref();
    keepAlive.unref();
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) this.stop();
    try {
      controller.enqueue(this.encoder.encode('retry: 1000\n\n'));
      await this.follow(controller);
    } finally {
      unsubscribe();
      clearInterval(poll);
      clearInterval(recheck);
      clearInterval(keepAlive);
      signal.removeEventListener('abort', stop);
    }
    if (!this.left) controller.close();
  }

  private async follow(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
    let caughtUp = false;
    while (!this.stopped) {
      if ((controller.desiredSize ?? 0) <= 0) {
        await this.pause();
        continue;
      }
      this.sendWaiting(controller);
      if (this.nudged) {
        this.nudged = false;
        // What is told is on record: a reader who comes back after a crash finds nothing that was undone.
        while (this.options.reader.isBeingWritten()) await nextTurn();
        const { rows, cursor } = this.options.reader.rowsAfter(this.cursor, BATCH_ROWS);
        const messages: LiveMessage[] = rows.map(({ row, cursor: at }) => ({ type: 'ledger.row', cursor: at, row }));
        this.cursor = cursor;
        if (rows.length === BATCH_ROWS) this.nudged = true;
        else if (!caughtUp) {
          caughtUp = true;
          messages.push({ type: 'caught_up', cursor });
        }
        this.send(controller, messages);
        await rest(REST_MS);
      } else if (this.waiting.length === 0) {
        await this.pause();
      }
    }
  }

  /** Until something comes, the reader can take more, or the stream ends. */
  private async pause(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.resume = resolve;
    });
    this.resume = null;
  }

  private take(message: LiveMessage): void {
    if (message.type === 'ledger.row') this.nudged = true;
    else if (this.waiting.length < WAITING_MESSAGES) this.waiting.push(message);
    else this.overflowed = true;
    this.wake();
  }

  /** Rights are read when the stream opens, and outlive neither the sign-in nor the role. */
  private async checkRights(): Promise<void> {
    // Where it cannot be told, nothing more is shown: the reader comes back and is asked anew.
    const allowed = await this.options.isStillAllowed().catch(() => false);
    if (!allowed) this.stop();
  }

  private lookForOthers(): void {
    const version = this.options.reader.storeVersion();
    if (version === this.storeVersion) return;
    this.storeVersion = version;
    this.nudged = true;
    this.wake();
  }

  private sendWaiting(controller: ReadableStreamDefaultController<Uint8Array>): void {
    const messages = this.waiting.splice(0);
    if (this.overflowed) messages.push({ type: 'servers.changed' }, { type: 'caught_up', cursor: this.cursor });
    this.overflowed = false;
    this.send(controller, messages);
  }

  private send(controller: ReadableStreamDefaultController<Uint8Array>, messages: readonly LiveMessage[]): void {
    const shown = this.options.seesContents ? messages : messages.map(hideContents).filter((message) => message !== null);
    if (shown.length > 0) controller.enqueue(this.encoder.encode(shown.map(toEvent).join('')));
  }
}

/** Only what stands for a place in the feed carries an id: the reader comes back after the last one. */
function toEvent(message: LiveMessage): string {
  const id = message.type === 'ledger.row' || message.type === 'caught_up' ? `id: ${message.cursor}\n` : '';
  return `${id}data: ${JSON.stringify(message)}\n\n`;
}

/** What a viewer gets of a message; null where it is all contents. */
function hideContents(message: LiveMessage): LiveMessage | null {
  switch (message.type) {
    case 'ledger.row':
      return { ...message, row: withoutRowContents(message.row) };
    case 'server.log':
    case 'server.traffic':
    case 'test.event':
      return null;
    case 'server.changed':
    case 'servers.changed':
    case 'server.load':
    case 'caught_up':
      return message;
    default:
      return assertNever(message);
  }
}

const rest = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms).unref();
  });

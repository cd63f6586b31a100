import type { LiveMessage } from '..';

/** `lost`: the stream is down and is being joined again; what is shown may be stale. */
export type LiveStatus = 'connecting' | 'live' | 'lost';

type LiveListener = (message: LiveMessage) => void;
type RowMessage = Extract<LiveMessage, { type: 'ledger.row' }>;

interface LiveConnectionOptions {
  /** The cursor to begin from; null begins with what comes next. */
  readonly after: number | null;
  readonly open: (url: string) => EventSource;
}

const FIRST_RETRY_MS = 500;
const LONGEST_RETRY_MS = 15_000;
/** Rows that are kept for a page that was read before it could listen. */
const KEPT_ROWS = 2000;

/**
 * The one stream of a browser tab. It comes back by itself, with growing waits, from the cursor of the last row
 * that it got: nothing is missed and nothing comes twice.
 */
export class LiveConnection {
  private status: LiveStatus = 'connecting';
  private source: EventSource | null = null;
  private retry: ReturnType<typeof setTimeout> | undefined;
  private failures = 0;
  private cursor: number | null;
  private readonly open: LiveConnectionOptions['open'];
  private readonly listeners = new Set<LiveListener>();
  private readonly statusListeners = new Set<() => void>();
  private readonly kept: RowMessage[] = [];
  /** Rows at or before this cursor are no longer kept, or came before the stream began. */
  private keptAfter: number | null;

  constructor(options: LiveConnectionOptions) {
    this.cursor = options.after;
    this.keptAfter = options.after;
    this.open = options.open;
  }

  /** Joins the stream; joined already, it does nothing. */
  connect(): void {
    if (this.source !== null || this.retry !== undefined) return;
    const source = this.open(this.cursor === null ? '/api/live' : `/api/live?after=${this.cursor}`);
    this.source = source;
    source.onmessage = (event: MessageEvent<string>) => {
      if (source === this.source) this.receive(event.data);
    };
    source.onerror = () => {
      if (source === this.source) this.lose();
    };
  }

  /** Leaves the stream; `connect` goes on from where it was. */
  disconnect(): void {
    clearTimeout(this.retry);
    this.retry = undefined;
    this.source?.close();
    this.source = null;
  }

  /** @returns the way to stop */
  subscribe(listener: LiveListener): () => void {
    this.listeners.add(listener);
    return () => {
      this.listeners.delete(listener);
    };
  }

  /** @returns the rows that came after a cursor, or null where some of them are no longer kept */
  rowsSince(after: number): readonly RowMessage[] | null {
    if (this.keptAfter === null || after < this.keptAfter) return null;
    return this.kept.filter(({ cursor }) => cursor > after);
  }

  readonly getStatus = (): LiveStatus => this.status;

  readonly subscribeToStatus = (listener: () => void): (() => void) => {
    this.statusListeners.add(listener);
    return () => {
      this.statusListeners.delete(listener);
    };
  };

  private receive(data: string): void {
    // The stream is our own: what it carries is what the server's type says.
    const message = JSON.parse(data) as LiveMessage;
    if (message.type === 'ledger.row') this.keep(message);
    if (message.type === 'caught_up') {
      this.failures = 0;
      this.cursor = message.cursor;
      this.keptAfter ??= message.cursor;
      this.become('live');
    }
    for (const listener of [...this.listeners]) listener(message);
  }

  private keep(message: RowMessage): void {
    this.cursor = message.cursor;
    this.keptAfter ??= message.cursor - 1;
    this.kept.push(message);
    const dropped = this.kept.length > KEPT_ROWS ? this.kept.shift() : undefined;
    if (dropped !== undefined) this.keptAfter = dropped.cursor;
  }

  private lose(): void {
    this.source?.close();
    this.source = null;
    this.become('lost');
    // Half of the wait is chance, so that all tabs do not come back in one moment.
    const waitMs = Math.min(FIRST_RETRY_MS * 2 ** this.failures, LONGEST_RETRY_MS) * (0.5 + Math.random() / 2);
    this.failures += 1;
    this.retry = setTimeout(() => {
      this.retry = undefined;
      this.connect();
    }, waitMs);
  }

  private become(status: LiveStatus): void {
    if (this.status === status) return;
    this.status = status;
    for (const listener of [...this.statusListeners]) listener();
  }
}

import type { LedgerRetention } from './retention';

interface RetentionJobOptions {
  readonly retention: Pick<LedgerRetention, 'apply'>;
  readonly onFailed: (error: unknown) => void;
  readonly everyMs?: number;
}

const EVERY_MS = 10 * 60 * 1000;

/** Applies the retention again and again, one pass at a time. */
export class RetentionJob {
  private readonly closing = new AbortController();
  private readonly timer: NodeJS.Timeout;
  private passing: Promise<void> | null = null;
  private again = false;

  constructor(private readonly options: RetentionJobOptions) {
    this.timer = setInterval(() => this.wake(), options.everyMs ?? EVERY_MS);
    this.timer.unref();
  }

  /** Begins a pass now, or one more after that which goes on. */
  wake(): void {
    if (this.closing.signal.aborted) return;
    if (this.passing !== null) {
      this.again = true;
      return;
    }
    this.passing = this.options.retention
      .apply(this.closing.signal)
      .then(() => undefined, this.options.onFailed)
      .finally(() => {
        this.passing = null;
        if (!this.again) return;
        this.again = false;
        this.wake();
      });
  }

  /** Ends after the batch that is being deleted. */
  async close(): Promise<void> {
    clearInterval(this.timer);
    this.closing.abort();
    await this.passing;
  }
}

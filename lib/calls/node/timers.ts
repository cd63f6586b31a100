import type { CallClocks } from '../clocks';
import type { StopReason } from '../end-of-call';

/**
 * The clocks of one call, running from when it is sent. They are our own, and end the call by its signal, because
 * the protocol library's cancel nothing. A repeat runs under the same `total`.
 */
export class CallTimers {
  private idle: NodeJS.Timeout | undefined;
  private total: NodeJS.Timeout | undefined;

  constructor(
    private readonly clocks: CallClocks,
    private readonly stop: (reason: StopReason) => void,
  ) {}

  start(): void {
    const { total } = this.clocks;
    this.total ??= setTimeout(() => {
      this.stop({ kind: 'timeout', which: 'total', clock: total });
    }, total.ms);
    this.extend();
  }

  /** A byte or progress of this call: `idle` begins anew, `total` goes on. */
  extend(): void {
    const { idle } = this.clocks;
    clearTimeout(this.idle);
    if (idle === null || this.total === undefined) return;
    this.idle = setTimeout(() => {
      this.stop({ kind: 'timeout', which: 'idle', clock: idle });
    }, idle.ms);
  }

  /** Between two attempts nothing is awaited from the server. */
  pause(): void {
    clearTimeout(this.idle);
  }

  dispose(): void {
    clearTimeout(this.idle);
    clearTimeout(this.total);
  }
}

interface HeartbeatOptions {
  /** Between two pings; a peer from which nothing came for as long after one is dead. */
  readonly everyMs: number;
  readonly ping: () => void;
  /** Silence alone does not end a connection with a call in flight: that has clocks of its own. */
  readonly isBusy: () => boolean;
  readonly onDead: (silentMs: number) => void;
}

/** Notices a peer that is gone without a word, as a broken network or a sleeping machine leaves it. */
export class Heartbeat {
  private readonly timer: NodeJS.Timeout;
  private heardAt = performance.now();
  private isWaiting = false;

  constructor(private readonly options: HeartbeatOptions) {
    this.timer = setInterval(() => this.beat(), options.everyMs);
    this.timer.unref();
  }

  /** Something came. */
  hear(): void {
    this.heardAt = performance.now();
    this.isWaiting = false;
  }

  stop(): void {
    clearInterval(this.timer);
  }

  private beat(): void {
    const { isBusy, onDead, ping } = this.options;
    if (this.isWaiting && !isBusy()) {
      this.stop();
      onDead(Math.round(performance.now() - this.heardAt));
      return;
    }
    this.isWaiting = true;
    ping();
  }
}

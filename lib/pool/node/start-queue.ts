/** How many servers are started at once (product section 2). */
const STARTS_AT_ONCE = 8;
/** A start that takes longer waits for its server rather than for this machine: its place goes to the next. */
const PLACE_MS = 1_500;

/**
 * Runs jobs a few at a time, in order. The places bound the work of starting, not the waiting: a job that hangs gives
 * its place up after a while, so that no number of hanging ones holds the others back. Jobs never reject.
 */
export class StartQueue {
  private readonly waiting: (() => Promise<unknown>)[] = [];
  private taken = 0;

  constructor(
    private readonly places = STARTS_AT_ONCE,
    /** How long a job may hold its place, ms. */
    private readonly placeMs = PLACE_MS,
  ) {}

  add(job: () => Promise<unknown>): void {
    this.waiting.push(job);
    this.next();
  }

  /** As `add`, and answers what the job does. */
  run<T>(job: () => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => this.add(() => job().then(resolve, reject)));
  }

  /** Lets go of what was not begun. */
  clear(): void {
    this.waiting.length = 0;
  }

  private next(): void {
    if (this.taken >= this.places) return;
    const job = this.waiting.shift();
    if (!job) return;
    this.taken += 1;
    const giveUp = this.once(() => {
      clearTimeout(timer);
      this.taken -= 1;
      this.next();
    });
    const timer = setTimeout(giveUp, this.placeMs);
    timer.unref();
    void job().finally(giveUp);
    this.next();
  }

  private once(action: () => void): () => void {
    let isDone = false;
    return () => {
      if (isDone) return;
      isDone = true;
      action();
    };
  }
}

/** Runs jobs a few at a time, in order; a job that hangs holds one place and no other's. Jobs never reject. */
export class StartQueue {
  private readonly waiting: (() => Promise<unknown>)[] = [];
  private running = 0;

  constructor(private readonly mostAtOnce: number) {}

  add(job: () => Promise<unknown>): void {
    this.waiting.push(job);
    this.next();
  }

  clear(): void {
    this.waiting.length = 0;
  }

  private next(): void {
    if (this.running >= this.mostAtOnce) return;
    const job = this.waiting.shift();
    if (!job) return;
    this.running += 1;
    void job().finally(() => {
      this.running -= 1;
      this.next();
    });
  }
}

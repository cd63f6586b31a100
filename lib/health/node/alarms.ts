/** The longest that a timer waits (2^31 - 1 ms); a later alarm would ring at once. */
const LONGEST_MS = 2_147_483_647;

/** One alarm for each key; none of them keeps the process alive. */
export class Alarms<Key> {
  private readonly timers = new Map<Key, NodeJS.Timeout>();

  get size(): number {
    return this.timers.size;
  }

  keys(): Key[] {
    return [...this.timers.keys()];
  }

  has(key: Key): boolean {
    return this.timers.has(key);
  }

  /** Rings once, after `ms`, in place of the alarm that was set before; it counts as set until it is stopped. */
  set(key: Key, ms: number, ring: () => void): void {
    clearTimeout(this.timers.get(key));
    const timer = setTimeout(ring, Math.min(LONGEST_MS, Math.max(0, ms)));
    timer.unref();
    this.timers.set(key, timer);
  }

  stop(key: Key): void {
    clearTimeout(this.timers.get(key));
    this.timers.delete(key);
  }

  clear(): void {
    for (const timer of this.timers.values()) clearTimeout(timer);
    this.timers.clear();
  }
}

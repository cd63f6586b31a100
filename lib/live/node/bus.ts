import type { LiveMessage } from '..';

export type LiveListener = (message: LiveMessage) => void;

/** Tells the open streams of this process what happened; holds nothing itself. */
export class LiveBus {
  private readonly listeners = new Set<LiveListener>();

  /** Listeners are called at once, in order; they must not throw. */
  publish(message: LiveMessage): void {
    for (const listener of [...this.listeners]) listener(message);
  }

  /** @returns the way to stop */
  subscribe(listener: LiveListener): () => void {
    this.listeners.add(listener);
    return () => {
      this.listeners.delete(listener);
    };
  }
}

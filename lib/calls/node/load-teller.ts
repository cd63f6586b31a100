import type { LiveMessage } from '@/lib/live';
import type { ServerKey } from '@/lib/servers';
import type { Load } from './slots';

/** The load changes with each call; pages are told so often at most, in ms. */
const TELL_EVERY_MS = 500;

interface LoadTellerOptions {
  readonly load: (fingerprint: string) => Load;
  readonly keysOf: (fingerprint: string) => readonly ServerKey[];
  readonly bus: { publish(message: LiveMessage): void };
}

/** Tells pages how many calls a server carries and how many wait, gathered over a short time. */
export class LoadTeller {
  private readonly waiting = new Map<string, NodeJS.Timeout>();

  constructor(private readonly options: LoadTellerOptions) {}

  /** The load of a configuration changed. */
  note(fingerprint: string): void {
    if (this.waiting.has(fingerprint)) return;
    const timer = setTimeout(() => {
      this.waiting.delete(fingerprint);
      const { load, keysOf, bus } = this.options;
      for (const key of keysOf(fingerprint)) bus.publish({ type: 'server.load', key, ...load(fingerprint) });
    }, TELL_EVERY_MS);
    timer.unref();
    this.waiting.set(fingerprint, timer);
  }

  dispose(): void {
    for (const timer of this.waiting.values()) clearTimeout(timer);
    this.waiting.clear();
  }
}

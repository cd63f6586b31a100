import { isObject } from '@/lib/core';
import type { Link } from '../set-up/negotiate';

/** Changes that come together are read once; a change is never put off by the ones after it. */
const GATHER_MS = 300;
/** A server that says so again as soon as its lists were read is read ever more rarely, though never not at all. */
const LONGEST_GATHER_MS = 30_000;
const LONGEST_PAUSE_MS = 60_000;

/** Reads the lists again when the server says that they changed: by notification, in the modern era by subscription. */
export class ListFollower {
  private timer: NodeJS.Timeout | null = null;
  private isReading = false;
  private isMarked = false;
  private isStopped = false;
  private isStarted = false;
  private failures = 0;
  private gatherMs = GATHER_MS;
  private readAt = -Infinity;

  constructor(
    private readonly link: Link,
    private readonly readAgain: () => Promise<void>,
  ) {}

  start(): void {
    this.isStarted = true;
    if (this.isMarked) this.mark();
    if (this.link.seam.isModern) void this.subscribe();
  }

  /** A list changed. */
  mark(): void {
    this.isMarked = true;
    if (!this.isStarted || this.isStopped || this.isReading || this.timer !== null) return;
    const isRestless = performance.now() - this.readAt < this.gatherMs;
    this.gatherMs = isRestless ? Math.min(this.gatherMs * 2, LONGEST_GATHER_MS) : GATHER_MS;
    this.timer = setTimeout(() => void this.read(), this.gatherMs);
    this.timer.unref();
  }

  stop(): void {
    this.isStopped = true;
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
  }

  private async read(): Promise<void> {
    this.timer = null;
    this.isMarked = false;
    this.isReading = true;
    try {
      await this.readAgain();
    } finally {
      this.isReading = false;
      this.readAt = performance.now();
      if (this.isMarked) this.mark();
    }
  }

  /** Keeps a subscription open as long as the connection lasts, asking ever more rarely while it does not hold. */
  private async subscribe(): Promise<void> {
    const { client } = this.link;
    const capabilities: Readonly<Record<string, unknown>> = client.getServerCapabilities() ?? {};
    const changes = (kind: string) => isObject(capabilities[kind]) && capabilities[kind].listChanged === true;
    const filter = {
      ...(changes('tools') && { toolsListChanged: true }),
      ...(changes('resources') && { resourcesListChanged: true }),
      ...(changes('prompts') && { promptsListChanged: true }),
    };
    if (Object.keys(filter).length === 0) return;
    while (!this.isStopped) {
      const openedAt = performance.now();
      try {
        const subscription = await client.listen(filter, { timeout: 30_000 });
        if ((await subscription.closed) === 'graceful') return;
      } catch {
        // A server that does not serve subscriptions is read again by hand.
      }
      if (performance.now() - openedAt > LONGEST_PAUSE_MS) this.failures = 0;
      const pauseMs = Math.min(1_000 * 2 ** this.failures, LONGEST_PAUSE_MS);
      this.failures += 1;
      if (this.failures > 6) return;
      await new Promise<void>((resolve) => setTimeout(resolve, pauseMs).unref());
    }
  }
}

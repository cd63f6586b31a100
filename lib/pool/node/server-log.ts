import type { LiveMessage } from '@/lib/live';
import type { ServerKey } from '@/lib/servers';
import type { PrintedLine } from './connection';
import { MOST_LINES } from './line-ring';

export type ServerLogLine = Extract<LiveMessage, { type: 'server.log' }>['line'];

/** A server that floods its stderr must not flood every open page: beyond this the ring has the rest. */
const MOST_TOLD = 100;
const TOLD_WITHIN_MS = 250;

/** What one server printed, kept across its connections and told as it comes. */
export class ServerLog {
  private readonly kept: ServerLogLine[] = [];
  private next = 1;
  private windowEndsAt = 0;
  private toldInWindow = 0;

  constructor(
    private readonly key: ServerKey,
    private readonly publish: (message: LiveMessage) => void,
  ) {}

  add(printed: PrintedLine): void {
    const line: ServerLogLine = { number: this.next, ...printed };
    this.next += 1;
    this.kept.push(line);
    // Cut in steps: to shift at each line would copy the ring each time.
    if (this.kept.length > MOST_LINES + 500) this.kept.splice(0, this.kept.length - MOST_LINES);
    const now = performance.now();
    if (now > this.windowEndsAt) {
      this.windowEndsAt = now + TOLD_WITHIN_MS;
      this.toldInWindow = 0;
    }
    this.toldInWindow += 1;
    if (this.toldInWindow <= MOST_TOLD) this.publish({ type: 'server.log', key: this.key, line });
  }

  list(): readonly ServerLogLine[] {
    return this.kept.slice(-MOST_LINES);
  }
}

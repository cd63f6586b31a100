import type { Writable } from 'node:stream';

/** More than this is not kept for a server that does not read; one message always finds room. */
const MOST_WAITING_BYTES = 16 * 1_048_576;
/** A pipe that broke is mostly a child that just ended: why is told by its exit, which comes a moment later. */
const BROKEN_PIPE_MS = 500;

/** The standard input of a child: bounded, and every write settles, at the latest when it is ended. */
export class ChildInput {
  private readonly waiting = new Set<(error: Error) => void>();
  private readonly timers = new Set<NodeJS.Timeout>();
  private endedBy: Error | null = null;

  constructor(private readonly stream: Writable) {}

  /** Bytes that were written and that the child has not taken. */
  get waitingBytes(): number {
    return this.stream.writableLength;
  }

  get isFull(): boolean {
    return this.waitingBytes >= MOST_WAITING_BYTES;
  }

  /** Resolves when the pipe has it; rejects with the system's error, or with that of the end. */
  write(text: string): Promise<void> {
    if (this.endedBy !== null) return Promise.reject(this.endedBy);
    return new Promise((resolve, reject) => {
      this.waiting.add(reject);
      const settle = (error: Error | null | undefined) => {
        this.waiting.delete(reject);
        if (error) reject(error);
        else resolve();
      };
      this.stream.write(text, (error) => {
        if (!error) return settle(null);
        const timer = setTimeout(() => {
          this.timers.delete(timer);
          settle(error);
        }, BROKEN_PIPE_MS);
        this.timers.add(timer);
      });
    });
  }

  end(error: Error): void {
    this.endedBy ??= error;
    for (const timer of this.timers) clearTimeout(timer);
    this.timers.clear();
    for (const reject of this.waiting) reject(error);
    this.waiting.clear();
  }
}

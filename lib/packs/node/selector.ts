import { Worker } from 'node:worker_threads';
import { err, isObject, ok, type Json, type Result } from '@/lib/core';

interface Waiting {
  settle(result: Result<Json, string>): void;
}

interface SelectorOptions {
  /** The worker's file, as it was bundled. */
  readonly workerFile: string;
  /** The longest that one selection may take, in ms. */
  readonly limitMs?: number;
}

const LIMIT_MS = 2_000;
const LONGEST_PATH = 2_000;
const MEMORY_MIB = 512;

/**
 * Evaluates JMESPath over values that servers gave, in a thread of its own that is ended when it takes too long or too
 * much memory: an expression can do both (product section 10).
 */
export class Selector {
  private worker: Worker | null = null;
  private readonly waiting = new Map<number, Waiting>();
  private last = 0;

  constructor(private readonly options: SelectorOptions) {}

  /** The error is words, the end of a sentence. */
  select(path: string, value: Json, signal: AbortSignal): Promise<Result<Json, string>> {
    if (path.length > LONGEST_PATH) return Promise.resolve(err(`the path is longer than ${LONGEST_PATH} characters`));
    if (signal.aborted) return Promise.resolve(err('it was stopped'));
    const { limitMs = LIMIT_MS } = this.options;
    const id = (this.last += 1);
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.end(`${path} took longer than ${limitMs / 1000} s`), limitMs);
      const stop = (): void => this.end('it was stopped');
      const settle = (result: Result<Json, string>): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', stop);
        this.waiting.delete(id);
        resolve(result);
      };
      this.waiting.set(id, { settle });
      signal.addEventListener('abort', stop, { once: true });
      this.open().postMessage({ id, path, value });
    });
  }

  async close(): Promise<void> {
    const { worker } = this;
    this.end('the console is ending');
    await worker?.terminate();
  }

  private open(): Worker {
    if (this.worker !== null) return this.worker;
    const worker = new Worker(this.options.workerFile, { resourceLimits: { maxOldGenerationSizeMb: MEMORY_MIB }, stdout: true, stderr: true });
    worker.unref();
    worker.on('message', (message: unknown) => this.settle(message));
    worker.on('error', (error) => {
      if (this.worker === worker) this.end(`it could not be evaluated: ${error.message}`);
    });
    this.worker = worker;
    return worker;
  }

  private settle(message: unknown): void {
    if (!isObject(message) || typeof message.id !== 'number') return;
    const waiting = this.waiting.get(message.id);
    if (typeof message.words === 'string') waiting?.settle(err(message.words));
    // The library makes JSON of JSON.
    else waiting?.settle(ok(message.selected as Json));
  }

  /** Ends the thread; what it was at ends with it, the next selection gets a new one. */
  private end(words: string): void {
    void this.worker?.terminate();
    this.worker = null;
    for (const waiting of [...this.waiting.values()]) waiting.settle(err(words));
  }
}

import { parentPort } from 'node:worker_threads';
import { search } from '@jmespath-community/jmespath';

/** Evaluates what it is sent, one after the other; whoever started it ends it when one takes too long. */
parentPort?.on('message', ({ id, path, value }: { id: number; path: string; value: Parameters<typeof search>[0] }) => {
  try {
    parentPort?.postMessage({ id, selected: search(value, path) ?? null });
  } catch (error) {
    parentPort?.postMessage({ id, words: error instanceof Error ? error.message : String(error) });
  }
});

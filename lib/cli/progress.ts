import type { Terminal } from './terminal';

const EVERY_MS = 1_000;
const LONGEST = 200;

/**
 * Says what a package runner is doing while a command waits for it: its last line, where it is a new one, at most once
 * a second. Returns the way to stop.
 * @param find the last line that it printed; null while it prints nothing
 */
export function followProgress(key: string, find: () => string | null, terminal: Terminal): () => void {
  let said: string | null = null;
  const timer = setInterval(() => {
    const line = find();
    if (line === null || line === said) return;
    said = line;
    terminal.note(`${key} is starting: ${line.trim().slice(0, LONGEST)}`);
  }, EVERY_MS);
  timer.unref();
  return () => clearInterval(timer);
}

import { toVisibleText } from '@/lib/core';

/** Where a command writes: the answer on stdout, everything else on stderr. */
export interface Terminal {
  /** A line of the answer. Text of strangers loses nothing but its hidden characters, which are written out. */
  line(text: string): void;
  /** The one JSON document of `--json`. */
  document(value: unknown): void;
  /** A message for the person, never part of the answer. */
  note(text: string): void;
}

export function openTerminal(streams: { readonly stdout: NodeJS.WritableStream; readonly stderr: NodeJS.WritableStream }): Terminal {
  // `signalbox … | head` closes our stdout early: what is left to say has no reader.
  streams.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
  return {
    line: (text) => void streams.stdout.write(`${toVisibleText(text)}\n`),
    document: (value) => void streams.stdout.write(`${JSON.stringify(value, null, 2)}\n`),
    note: (text) => void streams.stderr.write(`${toVisibleText(text)}\n`),
  };
}

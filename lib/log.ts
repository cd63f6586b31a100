import pino, { type Logger } from 'pino';
import type { Redactor } from '@/lib/core';

export type { Logger };

interface LoggerOptions {
  readonly level: string;
  readonly redactor: Redactor;
  /** Standard output belongs to answers (and to the protocol, in a stdio gateway). */
  readonly destination: 'stderr';
  /** Takes each finished line instead of standard error, for tests. */
  readonly write?: (line: string) => void;
}

/** A logger whose every line, whatever it is made of, passes the redactor on its way out. */
export function createLogger(options: LoggerOptions): Logger {
  const write = options.write ?? ((line: string) => void process.stderr.write(line));
  return pino(
    { level: options.level, base: null, timestamp: pino.stdTimeFunctions.isoTime },
    { write: (line: string) => write(`${scrubLine(line, options.redactor)}\n`) },
  );
}

/** The line is read again, so that fields with secret names are found wherever they stand. */
function scrubLine(line: string, redactor: Redactor): string {
  try {
    return JSON.stringify(redactor.value(JSON.parse(line)));
  } catch {
    return redactor.text(line.trimEnd());
  }
}

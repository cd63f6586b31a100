import { isObject } from '@/lib/core';

const LEVELS: ReadonlySet<string> = new Set(['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency']);
/** What other logging libraries call the levels of the protocol. */
const NEAREST: Readonly<Record<string, string>> = {
  trace: 'debug', verbose: 'debug', silly: 'debug', fine: 'debug', log: 'info', information: 'info', warn: 'warning', err: 'error', fatal: 'critical',
  panic: 'emergency', emerg: 'emergency', crit: 'critical',
};
const LONGEST_TEXT = 2_000;
const LONGEST_NAME = 100;

/** `warning server: text` of a log message, whatever its shape; a level that the protocol does not know is kept beside the nearest one. */
export function toLogText(params: Readonly<Record<string, unknown>> | undefined): string {
  const { level, logger, data } = params ?? {};
  return [toLevel(level), typeof logger === 'string' && logger !== '' ? `${logger.slice(0, LONGEST_NAME)}:` : '', toText(data)]
    .filter((part) => part !== '')
    .join(' ')
    .slice(0, LONGEST_TEXT);
}

function toLevel(level: unknown): string {
  if (typeof level !== 'string') return 'info:';
  if (LEVELS.has(level)) return `${level}:`;
  const lower = level.toLowerCase();
  const nearest = LEVELS.has(lower) ? lower : Object.hasOwn(NEAREST, lower) ? NEAREST[lower] : 'info';
  return `${nearest} ("${level.slice(0, LONGEST_NAME)}"):`;
}

function toText(data: unknown): string {
  if (typeof data === 'string') return data;
  if (isObject(data) && typeof data.message === 'string') return data.message;
  try {
    return JSON.stringify(data ?? null) === 'null' ? '(it says nothing)' : JSON.stringify(data);
  } catch {
    return '(nested too deep to be shown)';
  }
}

import type { Json } from '@/lib/core';

/** A call as a command line, for any POSIX shell. Its arguments must be scrubbed: command lines are kept in histories. */
export function toCallLine(call: { readonly serverKey: string; readonly tool: string; readonly arguments: Json }): string {
  const target = [call.serverKey, call.tool];
  const args = ['--args', JSON.stringify(call.arguments)];
  // A name that begins as an option does stands behind the end of the options.
  const words = target.some((word) => word.startsWith('-')) ? [...args, '--', ...target] : [...target, ...args];
  return ['signalbox', 'call', ...words].map(toShellWord).join(' ');
}

/** Between single quotes a shell takes everything as it is. */
const toShellWord = (word: string): string => (/^[A-Za-z0-9_./:@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`);

import { readArgumentsText, type JsonObject } from '@/lib/core';
import { UsageError } from './exit-codes';

/** The arguments of a call as somebody wrote them; a fault names its line and column. */
export function parseArguments(text: string, flag: string): JsonObject {
  // Files of some systems begin with a mark that is no part of the text.
  const read = readArgumentsText(text.replace(/^\uFEFF/, ''));
  if (read.ok) return read.value;
  throw new UsageError(`${flag}, line ${read.error.line}, column ${read.error.column}: ${read.error.message}`);
}

import { z } from 'zod';

import { ToolFailure, defineTool } from '@/kit';

import { boundedCount, pathArgument, READS_ONLY, readAsAnswer } from '../arguments';
import { findPattern, parseHexPattern, type BytePattern } from '../byte-pattern';
import { withFile } from '../open-file';
import { describeReadAs, readAs } from '../read-as';

const ENCODINGS = { 'utf-8': 'utf8', 'utf-16le': 'utf16le' } as const;

export const findBytes = defineTool({
  name: 'find_bytes',
  title: 'Find bytes',
  description:
    'Finds where a byte sequence stands in a file: `hex` (such as "4d 5a ?? 00", where ?? is any byte) or `text`, exactly one of them. ' +
    'Answers offsets from the start of the file and how many there are in all.',
  input: z.strictObject({
    path: pathArgument,
    hex: z.string().max(2048).optional().describe('Bytes in hexadecimal, with or without spaces; ?? stands for any byte.'),
    text: z.string().max(1024).optional().describe('Text to look for, capitals and small letters told apart. Quotes around the whole are not looked for.'),
    encoding: z.enum(['utf-8', 'utf-16le']).default('utf-8').describe('How `text` is written in the file.'),
    max_results: boundedCount('Offsets to answer', { fallback: 100, most: 10_000 }),
  }),
  output: z.object({
    read_as: readAsAnswer,
    pattern: z.string().describe('What was looked for, in hexadecimal.'),
    offsets: z.array(z.int()),
    total: z.int(),
    truncated: z.boolean(),
  }),
  annotations: READS_ONLY,
  long_running: true,
  run: ({ path, hex, text, encoding, max_results }, context) => {
    const pattern = toPattern(hex, text === undefined ? undefined : Buffer.from(readAs(text), ENCODINGS[encoding]));
    return withFile(path, context, async (file) => {
      const { offsets, total } = await findPattern(file.chunks(), pattern, max_results);
      return { ...describeReadAs({ text }), pattern: pattern.written, offsets, total, truncated: total > offsets.length };
    });
  },
});

function toPattern(hex: string | undefined, text: Buffer | undefined): BytePattern {
  if ((hex === undefined) === (text === undefined)) {
    throw new ToolFailure('bad_argument', 'find_bytes looks for either /hex or /text, and for exactly one of them.', 'Give hex or text, not both.');
  }
  if (text?.length === 0) throw new ToolFailure('bad_argument', '/text: there is nothing to look for.', 'Give at least one character.');
  const pattern = parseHexPattern(hex ?? text?.toString('hex') ?? '');
  if (!pattern.ok) throw new ToolFailure('bad_argument', `/hex: ${pattern.error}`, 'Write pairs of hexadecimal digits, such as "4d 5a ?? 00".');
  return pattern.value;
}

import { z } from 'zod';

import { defineTool } from '@/kit';

import { boundedCount, pathArgument, READS_ONLY, readAsAnswer } from '../arguments';
import { withFile } from '../open-file';
import { describeReadAs, readAs } from '../read-as';
import { ENCODINGS, MAX_SHOWN, StringScanner, type FoundString } from '../string-scanner';

export const strings = defineTool({
  name: 'strings',
  title: 'Strings',
  description:
    'Finds the readable texts in a file (ASCII and UTF-16 in both byte orders) with their offsets. ' +
    'Narrow it with `contains`, for instance "http" for addresses; `total` says how many there are beyond those answered.',
  input: z.strictObject({
    path: pathArgument,
    min_length: z.int().min(1).max(1024).default(4).describe('Shortest text to answer, in characters (default 4).'),
    encoding: z.enum(['all', ...ENCODINGS]).default('all').describe('Only texts written so.'),
    contains: z.string().max(1024).optional().describe('Only texts that contain this. Quotes around the whole are not looked for.'),
    ignore_case: z.boolean().default(false).describe('Whether `contains` takes capitals and small letters as the same.'),
    max_results: boundedCount('Texts to answer', { fallback: 200, most: 5000 }),
  }),
  output: z.object({
    read_as: readAsAnswer,
    strings: z.array(
      z.object({
        offset: z.int(),
        encoding: z.enum(ENCODINGS),
        text: z.string().describe(`At most the first ${MAX_SHOWN} characters.`),
        length: z.int().describe('Characters in the whole text.'),
      }),
    ),
    total: z.int().describe('How many there are, those not answered included.'),
    truncated: z.boolean(),
  }),
  annotations: READS_ONLY,
  long_running: true,
  run: ({ path, min_length, encoding, contains, ignore_case, max_results }, context) =>
    withFile(path, context, async (file) => {
      const found: FoundString[] = [];
      let total = 0;
      const scanner = new StringScanner(
        encoding === 'all' ? ENCODINGS : [encoding],
        { minLength: min_length, contains: contains === undefined ? undefined : readAs(contains), ignoreCase: ignore_case },
        (string) => {
          if (total < max_results) found.push(string);
          total += 1;
        },
      );
      for await (const chunk of file.chunks()) scanner.read(chunk);
      scanner.finish();
      const ordered = found.sort((a, b) => a.offset - b.offset).map((string) => ({ ...string }));
      return { ...describeReadAs({ contains }), strings: ordered, total, truncated: total > found.length };
    }),
});

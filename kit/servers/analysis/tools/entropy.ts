import { z } from 'zod';

import { defineTool } from '@/kit';

import { boundedCount, pathArgument, READS_ONLY } from '../arguments';
import { withFile, type AnalysedFile } from '../open-file';

const LEAST_BLOCK_BYTES = 256;

export const entropy = defineTool({
  name: 'entropy',
  title: 'Entropy',
  description:
    'Measures Shannon entropy in bits per byte (0 to 8) over the whole file and in equal blocks along it. ' +
    'About 4 to 5 is text, 5 to 7 programs and data; above 7.5 is compressed, packed or encrypted.',
  input: z.strictObject({ path: pathArgument, blocks: boundedCount('Into how many blocks the file is cut', { fallback: 64, most: 1024 }) }),
  output: z.object({
    size: z.int(),
    entropy: z.number(),
    reading: z.string().describe('What such a value usually means.'),
    block_size: z.int(),
    highest: z.object({ offset: z.int(), entropy: z.number() }).nullable(),
    lowest: z.object({ offset: z.int(), entropy: z.number() }).nullable(),
    blocks: z.array(z.object({ offset: z.int(), size: z.int(), entropy: z.number() })),
  }),
  annotations: READS_ONLY,
  long_running: true,
  run: ({ path, blocks }, context) => withFile(path, context, (file) => measureEntropy(file, blocks)),
});

/** Shannon entropy of a histogram of bytes, in bits per byte, to four decimals. */
export function shannon(counts: Float64Array, total: number): number {
  let bits = 0;
  for (const count of counts) {
    if (count > 0) bits -= (count / total) * Math.log2(count / total);
  }
  // A file of one value would otherwise measure -0.
  return Math.round(bits * 1e4) / 1e4 + 0;
}

async function measureEntropy(file: AnalysedFile, blockCount: number) {
  const blockSize = Math.max(LEAST_BLOCK_BYTES, Math.ceil(file.sizeBytes / blockCount));
  const whole = new Float64Array(256);
  const inBlock = new Float64Array(256);
  const blocks: { offset: number; size: number; entropy: number }[] = [];
  let position = 0;
  let blockStart = 0;
  const closeBlock = () => {
    if (position === blockStart) return;
    blocks.push({ offset: blockStart, size: position - blockStart, entropy: shannon(inBlock, position - blockStart) });
    inBlock.forEach((count, byte) => (whole[byte] = (whole[byte] ?? 0) + count));
    inBlock.fill(0);
    blockStart = position;
  };
  for await (const chunk of file.chunks()) {
    for (let from = 0; from < chunk.length; ) {
      const to = Math.min(chunk.length, from + blockSize - (position - blockStart));
      // Indexed, not `for of`: this loop sees every byte of the file.
      for (let index = from; index < to; index += 1) inBlock[chunk[index] ?? 0]! += 1;
      position += to - from;
      from = to;
      if (position - blockStart === blockSize) closeBlock();
    }
  }
  closeBlock();
  const ranked = blocks.map(({ offset, entropy }) => ({ offset, entropy })).sort((a, b) => a.entropy - b.entropy);
  const total = position === 0 ? 0 : shannon(whole, position);
  return {
    size: position,
    entropy: total,
    reading: describeEntropy(position, total),
    block_size: blockSize,
    highest: ranked.at(-1) ?? null,
    lowest: ranked[0] ?? null,
    blocks,
  };
}

function describeEntropy(size: number, bits: number): string {
  if (size === 0) return 'The file is empty.';
  if (size < 1024) return 'Too small a file for its entropy to mean much.';
  if (bits > 7.5) return 'Almost no pattern: compressed, packed or encrypted data.';
  if (bits > 6) return 'Dense data, as in programs, or a mixture with compressed parts.';
  if (bits > 3.5) return 'As text, source code or plain structured data.';
  return 'Very repetitive: padding, or few different values.';
}

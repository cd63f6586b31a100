import { createHash } from 'node:crypto';
import { z } from 'zod';

import { defineTool } from '@/kit';

import { pathArgument, READS_ONLY } from '../arguments';
import { withFile } from '../open-file';

export const hashes = defineTool({
  name: 'hashes',
  title: 'Hashes',
  description: 'Computes the MD5, SHA-1 and SHA-256 of a file, to name it or to look it up. Reads any size.',
  input: z.strictObject({ path: pathArgument }),
  output: z.object({ size: z.int(), md5: z.string(), sha1: z.string(), sha256: z.string() }),
  annotations: READS_ONLY,
  long_running: true,
  run: ({ path }, context) =>
    withFile(path, context, async (file) => {
      const digests = [createHash('md5'), createHash('sha1'), createHash('sha256')] as const;
      let size = 0;
      for await (const chunk of file.chunks()) {
        size += chunk.length;
        for (const digest of digests) digest.update(chunk);
      }
      const [md5, sha1, sha256] = digests;
      return { size, md5: md5.digest('hex'), sha1: sha1.digest('hex'), sha256: sha256.digest('hex') };
    }),
});

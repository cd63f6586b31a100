import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { z } from 'zod';

import { defineTool, type ToolContext } from '@/kit';

import { memberWire } from '../archives/listing';
import { realRoot, withFile } from '../open-file';
import { requireHarmless, unpackInto } from '../programs/seven-zip';
import { archiveArguments, listMembers } from './list-archive';

export const unpack = defineTool({
  name: 'unpack',
  title: 'Unpack an archive',
  description:
    'Unpacks an archive (7z, zip, rar, tar, gzip, bzip2, xz, cab and more) into a new folder of the job directory and answers the files written. ' +
    'Archives with links, with names outside that folder, or too large are refused. Without 7-Zip it lists the members of zip, tar and gzip instead.',
  input: z.strictObject({
    ...archiveArguments,
    password: z.string().max(256).default('').describe('Password of an encrypted archive.'),
  }),
  output: z.object({
    unpacked: z.boolean().describe('False where 7-Zip is missing and only members were listed.'),
    folder: z.string().nullable(),
    files: z.array(z.object({ path: z.string(), size: z.int() })).describe('Paths that the other tools can open.'),
    members: z.array(memberWire).nullable().describe('Members, where they were only listed.'),
    total: z.int(),
    truncated: z.boolean(),
  }),
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  needs: { binary: ['7zz', '7z', '7za'] },
  without: 'lists the members of zip, tar and gzip archives',
  remediation: 'Install 7-Zip (Debian and Ubuntu: apt-get install 7zip; macOS: brew install sevenzip), then restart this server.',
  timeout_s: 300,
  run: ({ path: given, max_members, password }, context) =>
    withFile(given, context, async (file) => {
      const program = context.dependency;
      if (program === null) {
        const { members, total, truncated } = await listMembers(file, max_members);
        return { unpacked: false, folder: null, files: [], members, total, truncated };
      }
      const request = { program, descriptor: file.descriptor, name: file.name, password, signal: context.signal };
      await requireHarmless(request);
      const folder = await makeFolder(context);
      try {
        const files = await unpackInto(request, folder);
        const named = files.slice(0, max_members).map(({ path: relative, size }) => ({ path: path.join(folder, relative), size }));
        return { unpacked: true, folder, files: named, members: null, total: files.length, truncated: files.length > named.length };
      } catch (thrown) {
        await rm(folder, { recursive: true, force: true });
        throw thrown;
      }
    }),
});

/** A new folder in the job directory, or in the temporary one where there is no job. */
async function makeFolder({ environment }: ToolContext): Promise<string> {
  const root = (await realRoot(environment.SIGNALBOX_JOB_DIR)) ?? tmpdir();
  return mkdtemp(path.join(root, 'unpacked-'));
}

import { z } from 'zod';

import { ToolFailure, defineTool } from '@/kit';

import { fileSource } from '../archives/byte-source';
import { listGzip } from '../archives/gzip';
import { ListingBuilder, listingWire, type Listing } from '../archives/listing';
import { isTarHeader, listTar } from '../archives/tar';
import { listZip } from '../archives/zip';
import { boundedCount, pathArgument, READS_ONLY } from '../arguments';
import { withFile, type AnalysedFile } from '../open-file';

export const archiveArguments = {
  path: pathArgument,
  max_members: boundedCount('Members to answer', { fallback: 200, most: 5000 }),
};

export const listArchive = defineTool({
  name: 'list_archive',
  title: 'Archive members',
  description:
    'Lists the members of a zip, tar, gzip or tar.gz archive (names, sizes, dates, encrypted or not) without unpacking anything. ' +
    'Documents such as docx and jar are zips too.',
  input: z.strictObject(archiveArguments),
  output: listingWire,
  annotations: READS_ONLY,
  long_running: true,
  run: ({ path, max_members }, context) => withFile(path, context, (file) => listMembers(file, max_members)),
});

/**
 * Lists an archive by what it is, whatever its name.
 *
 * @throws ToolFailure unsupported_format where it is none of zip, tar and gzip, or is damaged from the start
 */
export async function listMembers(file: AnalysedFile, most: number): Promise<Listing> {
  const head = await file.read(0, 512);
  if (head.length >= 2 && head[0] === 0x1f && head[1] === 0x8b) return listGzip(file, most);
  if (isTarHeader(head)) {
    const builder = new ListingBuilder('tar', most);
    await listTar(fileSource(file), builder);
    return builder.toListing();
  }
  const signature = head.toString('latin1', 0, 4);
  // A zip of nothing begins with its end (in either form), a part of a set with a mark; a self-extracting program ends as a zip.
  const beginsAsZip = ['PK\x03\x04', 'PK\x05\x06', 'PK\x06\x06', 'PK\x07\x08'].includes(signature);
  if (beginsAsZip || head.toString('latin1', 0, 2) === 'MZ') {
    try {
      return await listZip(file, most);
    } catch (thrown) {
      if (beginsAsZip || !(thrown instanceof ToolFailure)) throw thrown;
    }
  }
  throw new ToolFailure(
    'unsupported_format',
    head.length === 0 ? `${file.name} is empty.` : `${file.name} is no zip, tar or gzip archive.`,
    'identify_file says what it is; unpack reads 7z, rar, xz and more where 7-Zip is installed.',
  );
}

import { createWriteStream, writeFileSync } from 'node:fs';
import { createGzip, gzipSync } from 'node:zlib';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import { writeTar } from '@/kit/servers/analysis/testing/write-tar';
import { writeZip } from '@/kit/servers/analysis/testing/write-zip';

/** The committed samples, by file name; `npx tsx e2e/samples/make.ts --write` writes them anew. */
export const samples: Readonly<Record<string, () => Buffer>> = {
  'cut-off.zip': () => writeZip([{ name: 'report.txt', content: 'quarterly figures\n'.repeat(40), method: 'deflated' }]).subarray(0, 90),
  'folder.tar.gz': () =>
    gzipSync(
      writeTar([
        { name: 'folder/', type: '5' },
        { name: 'folder/readme.txt', content: 'Read me first.\n' },
        { name: 'folder/latest', type: '2', link: 'readme.txt' },
      ]),
    ),
  'utf16.txt': () => Buffer.from('\ufeffAn address in UTF-16: http://example.org/wide\r\n', 'utf16le'),
  'header-only.exe': fakeProgram,
};

/** The headers of a Windows console program for x86-64, and nothing that could run. */
function fakeProgram(): Buffer {
  const bytes = Buffer.alloc(512);
  bytes.write('MZ', 0, 'latin1');
  bytes.writeUInt32LE(0x80, 0x3c);
  bytes.write('PE\0\0', 0x80, 'latin1');
  bytes.writeUInt16LE(0x8664, 0x84);
  bytes.writeUInt16LE(0x0022, 0x96);
  bytes.writeUInt16LE(0x020b, 0x98);
  bytes.writeUInt16LE(3, 0x98 + 68);
  return bytes;
}

/** Writes a gzip file of a few hundred KiB or MiB that inflates to `inflatedBytes` of zeros. */
export async function writeGzipBomb(file: string, inflatedBytes: number): Promise<void> {
  const block = Buffer.alloc(1024 * 1024);
  function* zeros(): Generator<Buffer> {
    for (let left = inflatedBytes; left > 0; left -= block.length) yield block.subarray(0, Math.min(left, block.length));
  }
  await pipeline(Readable.from(zeros()), createGzip({ level: 9 }), createWriteStream(file));
}

if (process.argv[2] === '--write') {
  for (const [name, make] of Object.entries(samples)) writeFileSync(new URL(name, import.meta.url), make());
}

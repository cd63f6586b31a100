import { fileTypeFromBuffer } from 'file-type';
import path from 'node:path';
import { z } from 'zod';

import { MiB } from '@/lib/core';
import { defineTool } from '@/kit';

import { pathArgument, READS_ONLY } from '../arguments';
import { fitsExtension } from '../extensions';
import type { Identity } from '../identity';
import { recogniseProgram } from '../programs/recognise';
import { recogniseText, recogniseWideText } from '../text-kind';
import { withFile, type AnalysedFile } from '../open-file';

/** Enough for every signature, the first members of a document included. */
const HEAD_BYTES = MiB;

export const identifyFile = defineTool({
  name: 'identify_file',
  title: 'Identify a file',
  description:
    'Says what a file is by its content, not by its name: type, MIME type, size, and whether its extension fits. ' +
    'Knows Windows and Linux programs, scripts and text encodings beside the usual media, documents and archives.',
  input: z.strictObject({ path: pathArgument }),
  output: z.object({
    name: z.string(),
    size: z.int(),
    kind: z.enum(['empty', 'program', 'script', 'text', 'known', 'unknown']),
    type: z.string().describe('In words.'),
    mime: z.string(),
    extension: z.string().nullable().describe('The usual extension of this type.'),
    name_extension: z.string().nullable().describe('The extension of the name.'),
    extension_fits: z.boolean().nullable().describe('Null where there is no extension or nothing to compare it with.'),
  }),
  annotations: READS_ONLY,
  run: ({ path: given }, context) =>
    withFile(given, context, async (file) => {
      const identity = await identify(file);
      const written = path.extname(file.name).slice(1).toLowerCase();
      return {
        name: file.name,
        size: file.sizeBytes,
        ...identity,
        name_extension: written === '' ? null : written,
        extension_fits: written === '' ? null : fitsExtension(identity, written),
      };
    }),
});

async function identify(file: AnalysedFile): Promise<Identity> {
  if (file.sizeBytes === 0) return { kind: 'empty', type: 'empty file', mime: 'application/x-empty', extension: null };
  const head = await file.read(0, HEAD_BYTES);
  const isCut = file.sizeBytes > head.length;
  return (
    (await recogniseProgram(file, head)) ??
    // Its byte-order mark is also how some MPEG audio begins.
    recogniseWideText(head, isCut) ??
    (await recogniseSignature(head)) ??
    recogniseText(head, isCut) ?? {
      kind: 'unknown',
      type: 'data of no known type',
      mime: 'application/octet-stream',
      extension: null,
    }
  );
}

async function recogniseSignature(head: Buffer): Promise<Identity | undefined> {
  try {
    const found = await fileTypeFromBuffer(head);
    // XML is better told by what it holds, as text; two letters alone make no program.
    if (found === undefined || found.ext === 'xml' || found.ext === 'exe') return undefined;
    return { kind: 'known', type: describeKnown(found.ext), mime: found.mime, extension: found.ext };
  } catch {
    // A signature whose inside is damaged or contradicts itself is no signature.
    return undefined;
  }
}

const KNOWN_TYPES: Readonly<Record<string, string>> = {
  '7z': '7-Zip archive',
  apk: 'Android package',
  bz2: 'bzip2-compressed data',
  cab: 'Windows cabinet archive',
  cfb: 'Microsoft compound document (old Office, installer or message)',
  class: 'Java class',
  docx: 'Word document',
  elf: 'ELF program',
  gif: 'GIF image',
  gz: 'gzip-compressed data',
  jar: 'Java archive',
  jpg: 'JPEG image',
  lnk: 'Windows shortcut',
  macho: 'Mach-O program (macOS)',
  mp3: 'MP3 audio',
  mp4: 'MP4 video',
  pcap: 'network capture (pcap)',
  pdf: 'PDF document',
  png: 'PNG image',
  pptx: 'PowerPoint presentation',
  rar: 'RAR archive',
  rtf: 'RTF document',
  sqlite: 'SQLite database',
  tar: 'tar archive',
  'tar.gz': 'gzip-compressed tar archive',
  wasm: 'WebAssembly module',
  xlsx: 'Excel workbook',
  xz: 'xz-compressed data',
  zip: 'zip archive',
  zst: 'Zstandard-compressed data',
};

const describeKnown = (extension: string): string => KNOWN_TYPES[extension] ?? `${extension.toUpperCase()} file`;

import { ToolFailure } from '@/kit';

import type { AnalysedFile } from '../open-file';
import { fromCp437 } from './cp437';
import { decodeName, ListingBuilder, toIsoOrNull, type Listing, type Member } from './listing';

const END = 0x06054b50;
const END64 = 0x06064b50;
const LOCATOR64 = 0x07064b50;
const ENTRY = 0x02014b50;
const END_BYTES = 22;
const ENTRY_BYTES = 46;
const MOST_COMMENT_BYTES = 0xffff;
const READ_BYTES = 256 * 1024;
const FULL16 = 0xffff;
const FULL32 = 0xffffffff;

/** Lists a zip by its central directory, which is the only place that has every size. */
export async function listZip(file: AnalysedFile, most: number): Promise<Listing> {
  const end = await findEnd(file);
  const builder = new ListingBuilder('zip', most);
  const at = await findDirectory(file, end);
  if (at === null) {
    throw new ToolFailure(
      'unsupported_format',
      'The file has the end of a zip, but its directory of members is missing or damaged.',
      'Get a whole copy, and compare its hashes with those of the source.',
    );
  }
  await readDirectory(file, at, end.position, builder);
  if (builder.count !== end.entries) {
    builder.breakOff(`The archive says that it has ${end.entries} members, and its directory lists ${builder.count}.`);
  }
  return builder.toListing();
}

interface ZipEnd {
  /** Where the directory must have ended. */
  readonly position: number;
  readonly entries: number;
  readonly directoryBytes: number;
  readonly directoryAt: number;
}

async function findEnd(file: AnalysedFile): Promise<ZipEnd> {
  const tailAt = Math.max(0, file.sizeBytes - END_BYTES - MOST_COMMENT_BYTES);
  const tail = await file.read(tailAt, END_BYTES + MOST_COMMENT_BYTES);
  for (let at = tail.length - END_BYTES; at >= 0; at -= 1) {
    if (tail.readUInt32LE(at) !== END) continue;
    // A comment may hold the signature: the right one is followed by exactly the comment it states, or less after a cut.
    if (at + END_BYTES + tail.readUInt16LE(at + 20) > tail.length) continue;
    const position = tailAt + at;
    const end = {
      position,
      entries: tail.readUInt16LE(at + 10),
      directoryBytes: tail.readUInt32LE(at + 12),
      directoryAt: tail.readUInt32LE(at + 16),
    };
    const isFull = end.entries === FULL16 || end.directoryBytes === FULL32 || end.directoryAt === FULL32;
    return isFull ? ((await readEnd64(file, position)) ?? end) : end;
  }
  throw new ToolFailure(
    'unsupported_format',
    'The file begins as a zip, but the record that ends every zip is missing: it is cut off, or part of a set.',
    'Get a whole copy, and compare its size and hashes with those of the source.',
  );
}

async function readEnd64(file: AnalysedFile, endAt: number): Promise<ZipEnd | null> {
  const locator = await file.read(Math.max(0, endAt - 20), 20);
  if (locator.length < 20 || locator.readUInt32LE(0) !== LOCATOR64) return null;
  const position = Number(locator.readBigUInt64LE(8));
  const record = await file.read(position, 56);
  if (record.length < 56 || record.readUInt32LE(0) !== END64) return null;
  return {
    position,
    entries: Number(record.readBigUInt64LE(32)),
    directoryBytes: Number(record.readBigUInt64LE(40)),
    directoryAt: Number(record.readBigUInt64LE(48)),
  };
}

/** Where the directory begins; with something before the zip (a self-extracting program) every offset is off. */
async function findDirectory(file: AnalysedFile, end: ZipEnd): Promise<number | null> {
  if (end.entries === 0) return end.position;
  for (const at of [end.directoryAt, end.position - end.directoryBytes]) {
    if (at < 0 || at >= end.position) continue;
    const signature = await file.read(at, 4);
    if (signature.length === 4 && signature.readUInt32LE(0) === ENTRY) return at;
  }
  return null;
}

async function readDirectory(file: AnalysedFile, from: number, to: number, builder: ListingBuilder): Promise<void> {
  let window: Buffer = Buffer.alloc(0);
  let windowAt = from;
  for (let at = from; at < to; ) {
    const ensure = async (length: number): Promise<Buffer> => {
      if (at + length > windowAt + window.length) {
        window = await file.read(at, Math.max(READ_BYTES, length));
        windowAt = at;
      }
      return window.subarray(at - windowAt, at - windowAt + length);
    };
    const head = await ensure(ENTRY_BYTES);
    if (head.length < ENTRY_BYTES || head.readUInt32LE(0) !== ENTRY) return;
    const length = ENTRY_BYTES + head.readUInt16LE(28) + head.readUInt16LE(30) + head.readUInt16LE(32);
    const entry = await ensure(length);
    if (entry.length < length) return;
    builder.add(toMember(entry));
    at += length;
  }
}

function toMember(entry: Buffer): Member {
  const nameBytes = entry.readUInt16LE(28);
  const rawName = entry.subarray(ENTRY_BYTES, ENTRY_BYTES + nameBytes);
  const extra = entry.subarray(ENTRY_BYTES + nameBytes, ENTRY_BYTES + nameBytes + entry.readUInt16LE(30));
  const { size, compressedSize, modified } = readExtra(extra, entry.readUInt32LE(24), entry.readUInt32LE(20));
  // Most writers use UTF-8 without setting its flag; what is no valid UTF-8 is the DOS code page.
  const name = decodeName(rawName, fromCp437);
  return {
    name,
    kind: kindOf(name, entry.readUInt8(5), entry.readUInt32LE(38)),
    size,
    compressed_size: compressedSize,
    modified: modified ?? fromDosTime(entry.readUInt16LE(14), entry.readUInt16LE(12)),
    encrypted: (entry.readUInt16LE(8) & 0x0001) !== 0,
    link_target: null,
  };
}

const UNIX = 3;
const FILE_TYPE = 0o170000;
const SYMBOLIC_LINK = 0o120000;

function kindOf(name: string, madeOn: number, attributes: number): Member['kind'] {
  if (madeOn === UNIX && ((attributes >>> 16) & FILE_TYPE) === SYMBOLIC_LINK) return 'link';
  return name.endsWith('/') ? 'folder' : 'file';
}

/** Sizes of zip64 and the time of Info-ZIP, where the extra fields have them. */
function readExtra(extra: Buffer, size32: number, compressed32: number) {
  let size: number = size32;
  let compressedSize: number = compressed32;
  let modified: string | null = null;
  for (let at = 0; at + 4 <= extra.length; ) {
    const id = extra.readUInt16LE(at);
    const body = extra.subarray(at + 4, at + 4 + extra.readUInt16LE(at + 2));
    at += 4 + extra.readUInt16LE(at + 2);
    if (id === 0x0001) {
      let field = 0;
      // The field holds only those values that did not fit, in this order.
      if (size32 === FULL32 && body.length >= field + 8) {
        size = Number(body.readBigUInt64LE(field));
        field += 8;
      }
      if (compressed32 === FULL32 && body.length >= field + 8) compressedSize = Number(body.readBigUInt64LE(field));
    } else if (id === 0x5455 && body.length >= 5 && ((body[0] ?? 0) & 1) !== 0) {
      modified = toIsoOrNull(body.readInt32LE(1) * 1000);
    }
  }
  return { size, compressedSize, modified };
}

/** DOS date and time are local to whoever packed: ISO 8601 without a zone. */
function fromDosTime(date: number, time: number): string | null {
  const month = (date >> 5) & 0x0f;
  const day = date & 0x1f;
  if (month < 1 || month > 12 || day < 1) return null;
  const pad = (value: number) => String(value).padStart(2, '0');
  return `${(date >> 9) + 1980}-${pad(month)}-${pad(day)}T${pad(time >> 11)}:${pad((time >> 5) & 0x3f)}:${pad((time & 0x1f) * 2)}`;
}

import path from 'node:path';

import { formatBytes, MiB } from '@/lib/core';
import { ToolFailure } from '@/kit';

import type { AnalysedFile } from '../open-file';
import { gunzipSource, TooMuchData, type ByteSource } from './byte-source';
import { decodeName, ListingBuilder, toIsoOrNull, type Listing } from './listing';
import { isTarHeader, listTar } from './tar';

/** A bomb inflates a thousandfold: beyond this the listing stops and says so. */
const MOST_INFLATED_BYTES = 512 * MiB;

const LONGEST_HEADER = 64 * 1024;

/** Lists what a gzip file holds: the members of the tar inside it, or the one file. */
export async function listGzip(file: AnalysedFile, most: number, mostBytes = MOST_INFLATED_BYTES): Promise<Listing> {
  const peeked = gunzipSource(file, mostBytes);
  let isTar: boolean;
  try {
    isTar = isTarHeader(await peeked.read(512));
  } catch (cause) {
    throw damaged(cause);
  } finally {
    peeked.close();
  }
  const builder = new ListingBuilder(isTar ? 'tar.gz' : 'gzip', most);
  const source = gunzipSource(file, mostBytes);
  try {
    await (isTar ? listTar(source, builder) : addOnlyMember(file, source, builder));
  } catch (cause) {
    if (cause instanceof ToolFailure) throw cause;
    builder.breakOff(describeEnd(cause, mostBytes));
  } finally {
    source.close();
  }
  return builder.toListing();
}

async function addOnlyMember(file: AnalysedFile, source: ByteSource, builder: ListingBuilder): Promise<void> {
  const { name, modified } = readHeader(await file.read(0, LONGEST_HEADER));
  const member = {
    name: name ?? path.basename(file.name).replace(/\.gz$/i, ''),
    kind: 'file' as const,
    compressed_size: file.sizeBytes,
    modified,
    encrypted: false,
    link_target: null,
  };
  try {
    builder.add({ ...member, size: await source.skip(Number.POSITIVE_INFINITY) });
  } catch (cause) {
    builder.add({ ...member, size: null });
    throw cause;
  }
}

/** Name and time from the header of RFC 1952. */
function readHeader(bytes: Buffer): { name: string | null; modified: string | null } {
  const flags = bytes[3] ?? 0;
  const modifiedS = bytes.length >= 8 ? bytes.readUInt32LE(4) : 0;
  const modified = modifiedS === 0 ? null : toIsoOrNull(modifiedS * 1000);
  let at = 10;
  if ((flags & 0x04) !== 0 && bytes.length >= at + 2) at += 2 + bytes.readUInt16LE(at);
  if ((flags & 0x08) === 0) return { name: null, modified };
  const end = bytes.indexOf(0, at);
  return { name: end === -1 ? null : decodeName(bytes.subarray(at, end), (raw) => Buffer.from(raw).toString('latin1')), modified };
}

const damaged = (cause: unknown): ToolFailure =>
  new ToolFailure(
    'unsupported_format',
    `The file begins as gzip, but its data cannot be inflated: ${cause instanceof Error ? cause.message : String(cause)}.`,
    'It is damaged or cut off near its beginning: get a whole copy, and compare its hashes with those of the source.',
    { cause },
  );

function describeEnd(cause: unknown, mostBytes: number): string {
  if (cause instanceof TooMuchData) return `It inflates to more than ${formatBytes(mostBytes)}; reading stopped there.`;
  return `The compressed data is damaged or cut off (${cause instanceof Error ? cause.message : String(cause)}); reading stopped there.`;
}

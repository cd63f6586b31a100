import { toIsoOrNull, decodeName, type ListingBuilder, type Member } from './listing';
import type { ByteSource } from './byte-source';

const BLOCK = 512;
/** Long names and pax headers stand in members of their own; none of them is honestly larger. */
const MOST_HEADER_BYTES = 1024 * 1024;

const latin1 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1');

/** Whether a block of 512 bytes is the header of a tar member: its checksum says so. */
export function isTarHeader(block: Buffer): boolean {
  if (block.length < BLOCK || block.every((byte) => byte === 0)) return false;
  const stated = parseNumber(block.subarray(148, 156));
  if (stated === null) return false;
  let unsigned = 8 * 0x20;
  let signed = 8 * 0x20;
  for (let index = 0; index < BLOCK; index += 1) {
    if (index >= 148 && index < 156) continue;
    unsigned += block[index] ?? 0;
    signed += block.readInt8(index);
  }
  // Some old writers summed signed bytes.
  return stated === unsigned || stated === signed;
}

/** Lists a tar: ustar, GNU long names and pax headers. Damage ends the listing with a warning, what came before stays. */
export async function listTar(source: ByteSource, builder: ListingBuilder): Promise<void> {
  /** What headers before a member say of it. */
  let ahead: Overrides = {};
  for (;;) {
    const block = await source.read(BLOCK);
    if (block.length === 0) {
      if (Object.keys(ahead).length > 0) builder.breakOff('The archive ends in the middle of a member’s header.');
      return;
    }
    if (block.length < BLOCK) return builder.breakOff('The archive ends in the middle of a header: it is cut off.');
    if (block.every((byte) => byte === 0)) return;
    if (!isTarHeader(block)) return builder.breakOff(`The header after ${builder.count} members is damaged; what follows cannot be listed.`);

    const stated = parseNumber(block.subarray(124, 136));
    const type = String.fromCharCode(block[156] ?? 0);
    const size = ahead.size ?? stated;
    if (size === null) return builder.breakOff(`The size of the member after ${builder.count} members is unreadable.`);
    if (type === 'L' || type === 'K' || type === 'x' || type === 'g') {
      const headerBytes = stated ?? 0;
      if (headerBytes > MOST_HEADER_BYTES) return builder.breakOff('A member’s extended header is implausibly large; the archive is damaged.');
      const body = await source.read(headerBytes);
      if (body.length < headerBytes) return builder.breakOff('The archive ends in the middle of an extended header: it is cut off.');
      await source.skip(padding(headerBytes));
      // A global header (g) sets defaults that no listing needs.
      ahead = { ...ahead, ...readAhead(type, body) };
      continue;
    }
    const member = toMember(block, type, size, ahead);
    builder.add(member);
    ahead = {};
    // Links and folders may state a size, but only files have bytes.
    const bytes = member.kind === 'file' || member.kind === 'other' ? size : 0;
    const passed = await source.skip(bytes);
    if (passed < bytes) return builder.breakOff(`The archive ends in the middle of its last member: ${bytes - passed} bytes are missing.`);
    await source.skip(padding(bytes));
  }
}

interface Overrides {
  readonly name?: string;
  readonly link?: string;
  readonly size?: number;
  readonly modified?: string | null;
}

function readAhead(type: string, body: Buffer): Overrides {
  if (type === 'L') return { name: text(body) };
  if (type === 'K') return { link: text(body) };
  return type === 'x' ? readPax(body) : {};
}

/** `<length> <key>=<value>\n` records; one that does not fit its length ends the reading. */
function readPax(body: Buffer): Overrides {
  let overrides: Overrides = {};
  for (let at = 0; at < body.length; ) {
    const space = body.indexOf(0x20, at);
    const length = space === -1 ? Number.NaN : Number(body.toString('latin1', at, space));
    if (!Number.isInteger(length) || length <= space - at || at + length > body.length) break;
    const record = body.subarray(space + 1, at + length - 1);
    at += length;
    const equals = record.indexOf(0x3d);
    if (equals === -1) continue;
    const value = decodeName(record.subarray(equals + 1), latin1);
    switch (record.toString('latin1', 0, equals)) {
      case 'path':
        overrides = { ...overrides, name: value };
        break;
      case 'linkpath':
        overrides = { ...overrides, link: value };
        break;
      case 'size':
        if (/^\d{1,15}$/.test(value)) overrides = { ...overrides, size: Number(value) };
        break;
      case 'mtime':
        overrides = { ...overrides, modified: toIsoOrNull(Math.floor(Number(value) * 1000)) };
        break;
    }
  }
  return overrides;
}

function toMember(block: Buffer, type: string, size: number, ahead: Overrides): Member {
  const prefix = block.toString('latin1', 257, 262) === 'ustar' && block[263] === 0x30 ? text(block.subarray(345, 500)) : '';
  const short = text(block.subarray(0, 100));
  const name = ahead.name ?? (prefix === '' ? short : `${prefix}/${short}`);
  const kind = kindOf(type, name);
  const modifiedS = parseNumber(block.subarray(136, 148));
  const link = ahead.link ?? text(block.subarray(157, 257));
  return {
    name,
    kind,
    size: kind === 'file' || kind === 'other' ? size : 0,
    compressed_size: null,
    modified: ahead.modified !== undefined ? ahead.modified : modifiedS === null ? null : toIsoOrNull(modifiedS * 1000),
    encrypted: false,
    link_target: kind === 'link' ? link : null,
  };
}

function kindOf(type: string, name: string): Member['kind'] {
  switch (type) {
    case '\0':
    case '0':
    case '7':
      // Before ustar a folder was a file whose name ends in a slash.
      return name.endsWith('/') ? 'folder' : 'file';
    case '1':
    case '2':
      return 'link';
    case '5':
      return 'folder';
    default:
      return 'other';
  }
}

const padding = (size: number): number => (BLOCK - (size % BLOCK)) % BLOCK;

function text(field: Buffer): string {
  const end = field.indexOf(0);
  return decodeName(end === -1 ? field : field.subarray(0, end), latin1);
}

/** An octal number, or GNU's base-256 where the first bit is set; null where it is neither. */
function parseNumber(field: Buffer): number | null {
  if (((field[0] ?? 0) & 0x80) !== 0) {
    let value = (field[0] ?? 0) & 0x7f;
    for (const byte of field.subarray(1)) value = value * 256 + byte;
    return Number.isSafeInteger(value) ? value : null;
  }
  const octal = field.toString('latin1').replace(/[\0 ]+$/, '').replace(/^[\0 ]+/, '');
  if (octal === '') return 0;
  return /^[0-7]+$/.test(octal) ? Number.parseInt(octal, 8) : null;
}

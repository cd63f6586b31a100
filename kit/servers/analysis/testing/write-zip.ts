import { crc32, deflateRawSync } from 'node:zlib';

/** A member of a zip that a test or a sample is made of. */
export interface ZipMember {
  readonly name: string | Buffer;
  readonly content: Buffer | string;
  readonly method?: 'stored' | 'deflated';
  readonly encrypted?: boolean;
  /** Sizes after the data, zero in the header, as writers to a pipe do. */
  readonly withDescriptor?: boolean;
  /** Sizes in the extra field of zip64. */
  readonly zip64?: boolean;
  /** Info-ZIP's time, in seconds since 1970. */
  readonly modifiedS?: number;
  readonly isLink?: boolean;
}

const DOS_DATE = ((2024 - 1980) << 9) | (2 << 5) | 29;
const DOS_TIME = (12 << 11) | (30 << 5) | (10 >> 1);
const FULL32 = 0xffffffff;

/** Writes a zip whole; only what tests and samples need. */
export function writeZip(members: readonly ZipMember[], options: { comment?: string; prefix?: Buffer; zip64?: boolean } = {}): Buffer {
  const locals: Buffer[] = [options.prefix ?? Buffer.alloc(0)];
  const entries: Buffer[] = [];
  // Offsets count from the beginning of the zip itself, as a self-extracting program has them.
  let offset = 0;
  for (const member of members) {
    const written = writeMember(member, offset);
    locals.push(written.local);
    entries.push(written.entry);
    offset += written.local.length;
  }
  const directory = Buffer.concat(entries);
  return Buffer.concat([...locals, directory, writeEnd(members.length, directory.length, offset, options)]);
}

function writeMember(member: ZipMember, offset: number): { local: Buffer; entry: Buffer } {
  const name = typeof member.name === 'string' ? Buffer.from(member.name) : member.name;
  const content = typeof member.content === 'string' ? Buffer.from(member.content) : member.content;
  const isDeflated = member.method === 'deflated';
  const data = isDeflated ? deflateRawSync(content) : content;
  const flags = (member.encrypted ? 1 : 0) | (member.withDescriptor ? 8 : 0);
  const sizes = { crc: crc32(content), packed: data.length, size: content.length };
  const extra = Buffer.concat([member.zip64 ? zip64Extra(sizes) : Buffer.alloc(0), timeExtra(member.modifiedS)]);
  const inEntry = member.zip64 ? { ...sizes, packed: FULL32, size: FULL32 } : sizes;
  const common = (shown: typeof sizes): Buffer => {
    const bytes = Buffer.alloc(26);
    bytes.writeUInt16LE(20, 0);
    bytes.writeUInt16LE(flags, 2);
    bytes.writeUInt16LE(isDeflated ? 8 : 0, 4);
    bytes.writeUInt16LE(DOS_TIME, 6);
    bytes.writeUInt16LE(DOS_DATE, 8);
    bytes.writeUInt32LE(shown.crc, 10);
    bytes.writeUInt32LE(shown.packed, 14);
    bytes.writeUInt32LE(shown.size, 18);
    bytes.writeUInt16LE(name.length, 22);
    bytes.writeUInt16LE(extra.length, 24);
    return bytes;
  };
  const head = common(member.withDescriptor ? { crc: 0, packed: 0, size: 0 } : inEntry);
  const descriptor = Buffer.alloc(member.withDescriptor ? 16 : 0);
  if (member.withDescriptor) {
    descriptor.write('PK\x07\x08', 'latin1');
    [sizes.crc, sizes.packed, sizes.size].forEach((value, index) => descriptor.writeUInt32LE(value, 4 + index * 4));
  }
  const rest = Buffer.alloc(14);
  if (member.isLink) rest.writeUInt32LE(0o120777 * 0x10000, 6);
  rest.writeUInt32LE(offset, 10);
  const madeBy = Buffer.from([20, 3]);
  return {
    local: Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), head, name, extra, data, descriptor]),
    entry: Buffer.concat([Buffer.from('PK\x01\x02', 'latin1'), madeBy, common(inEntry), rest, name, extra]),
  };
}

function zip64Extra({ size, packed }: { size: number; packed: number }): Buffer {
  const bytes = Buffer.alloc(20);
  bytes.writeUInt16LE(0x0001, 0);
  bytes.writeUInt16LE(16, 2);
  bytes.writeBigUInt64LE(BigInt(size), 4);
  bytes.writeBigUInt64LE(BigInt(packed), 12);
  return bytes;
}

function timeExtra(modifiedS: number | undefined): Buffer {
  if (modifiedS === undefined) return Buffer.alloc(0);
  const bytes = Buffer.alloc(9);
  bytes.writeUInt16LE(0x5455, 0);
  bytes.writeUInt16LE(5, 2);
  bytes.writeUInt8(1, 4);
  bytes.writeInt32LE(modifiedS, 5);
  return bytes;
}

function writeEnd(entries: number, bytes: number, at: number, { comment = '', prefix, zip64 = false }: { comment?: string; prefix?: Buffer; zip64?: boolean }): Buffer {
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(zip64 ? 0xffff : entries, 8);
  end.writeUInt16LE(zip64 ? 0xffff : entries, 10);
  end.writeUInt32LE(zip64 ? FULL32 : bytes, 12);
  end.writeUInt32LE(zip64 ? FULL32 : at, 16);
  end.writeUInt16LE(comment.length, 20);
  if (!zip64) return Buffer.concat([end, Buffer.from(comment, 'latin1')]);
  const record = Buffer.alloc(56);
  record.write('PK\x06\x06', 'latin1');
  record.writeBigUInt64LE(44n, 4);
  record.writeBigUInt64LE(BigInt(entries), 24);
  record.writeBigUInt64LE(BigInt(entries), 32);
  record.writeBigUInt64LE(BigInt(bytes), 40);
  record.writeBigUInt64LE(BigInt(at), 48);
  const locator = Buffer.alloc(20);
  locator.write('PK\x06\x07', 'latin1');
  locator.writeBigUInt64LE(BigInt((prefix?.length ?? 0) + at + bytes), 8);
  locator.writeUInt32LE(1, 16);
  return Buffer.concat([record, locator, end, Buffer.from(comment, 'latin1')]);
}

/** A member of a tar that a test or a sample is made of; `type` is the flag of its header. */
export interface TarMember {
  readonly name: string;
  readonly content?: Buffer | string;
  readonly type?: string;
  readonly link?: string;
  readonly prefix?: string;
  /** The size field as it is written, in place of the content's length. */
  readonly sizeField?: Buffer;
}

const MODIFIED_S = 1_709_209_810;

/** Writes a tar whole, with its two blocks of zeros at the end. */
export const writeTar = (members: readonly TarMember[]): Buffer =>
  Buffer.concat([...members.map(writeMember), Buffer.alloc(1024)]);

/** `path=…` and the like as pax writes them, each record with its own length. */
export function paxRecords(values: Readonly<Record<string, string>>): Buffer {
  const records = Object.entries(values).map(([key, value]) => {
    const rest = Buffer.byteLength(` ${key}=${value}\n`);
    let length = rest;
    while (String(length).length + rest !== length) length = String(length).length + rest;
    return `${length} ${key}=${value}\n`;
  });
  return Buffer.from(records.join(''));
}

function writeMember({ name, content = '', type = '0', link = '', prefix = '', sizeField }: TarMember): Buffer {
  const data = Buffer.from(content);
  const header = Buffer.alloc(512);
  header.write(name, 0, 100);
  header.write('0000644\0', 100);
  header.write('0000000\0', 108);
  header.write('0000000\0', 116);
  if (sizeField) sizeField.copy(header, 124);
  else header.write(`${data.length.toString(8).padStart(11, '0')}\0`, 124);
  header.write(`${MODIFIED_S.toString(8).padStart(11, '0')}\0`, 136);
  header.write('        ', 148);
  header.write(type, 156);
  header.write(link, 157, 100);
  header.write('ustar\x0000', 257);
  header.write(prefix, 345, 155);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return Buffer.concat([header, data, Buffer.alloc((512 - (data.length % 512)) % 512)]);
}

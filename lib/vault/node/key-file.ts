import { randomBytes } from 'node:crypto';
import { existsSync, linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';

/** Bytes of a key. */
const KEY_BYTES = 32;

/**
 * The key in a file that only its owner may read; made on first use. A process that starts at the same moment
 * gets the same key: the file appears with its content, under one name, once.
 * @throws Error where the file holds something else
 */
export function readOrMakeKeyFile(file: string): Buffer {
  if (!existsSync(file)) makeKeyFile(file);
  const key = Buffer.from(readFileSync(file, 'utf8').trim(), 'base64');
  if (key.length !== KEY_BYTES) throw new Error(`${file} does not hold a key of ${KEY_BYTES} bytes in base64`);
  return key;
}

function makeKeyFile(file: string): void {
  const draft = `${file}.${process.pid}.${randomBytes(4).toString('hex')}`;
  writeFileSync(draft, `${randomBytes(KEY_BYTES).toString('base64')}\n`, { mode: 0o600, flag: 'wx' });
  try {
    linkSync(draft, file);
  } catch (cause) {
    if (!existsSync(file)) throw cause;
  } finally {
    rmSync(draft);
  }
}

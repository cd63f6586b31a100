import { AppError } from '@/lib/core';

const MAX_NAME_BYTES = 200;

/**
 * The name that a file of a person gets in a job directory: as it is, but for characters that terminals and
 * programs take for something else.
 * @throws AppError `bad_input` where the name points elsewhere: separators, `.`, `..`, nothing.
 */
export function requireFileName(name: string): string {
  if (name === '' || name === '.' || name === '..' || /[/\\]/.test(name)) {
    throw new AppError({
      code: 'bad_input',
      message: `"${name.slice(0, 100)}" is no file name: write a name without folders.`,
      fields: [{ field: 'name', message: 'Write a name without "/" and "\\", and not "." or "..".' }],
    });
  }
  const plain = name.normalize('NFC').replace(/[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g, '_');
  // A leading dash is read as an option by the programs that get the path.
  return cutToBytes(plain.replace(/^-/, '_'), MAX_NAME_BYTES);
}

/** `report (2).pdf`: the name that a clashing file gets. */
export function toNumberedName(name: string, number: number): string {
  if (number === 1) return name;
  const dot = name.lastIndexOf('.');
  return dot > 0 ? `${name.slice(0, dot)} (${number})${name.slice(dot)}` : `${name} (${number})`;
}

/** Cuts the stem, so that the extension, which programs go by, stays. */
function cutToBytes(name: string, maxBytes: number): string {
  if (Buffer.byteLength(name) <= maxBytes) return name;
  const dot = name.lastIndexOf('.');
  const extension = dot > 0 && Buffer.byteLength(name.slice(dot)) <= 20 ? name.slice(dot) : '';
  let stem = '';
  for (const character of name) {
    if (Buffer.byteLength(stem + character + extension) > maxBytes) break;
    stem += character;
  }
  return stem + extension;
}

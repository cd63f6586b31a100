/** Where a character stands, as editors count: lines and columns from 1. */
export function positionAt(text: string, offset: number): { readonly line: number; readonly column: number } {
  const before = text.slice(0, offset);
  const lineStart = Math.max(before.lastIndexOf('\n'), /\r(?!\n)[^\r\n]*$/.exec(before)?.index ?? -1) + 1;
  return { line: before.split(/\r\n|\n|\r/).length, column: offset - lineStart + 1 };
}

/** A byte-order mark at the start of a file belongs to the file, not to its text. */
export const withoutByteOrderMark = (text: string): string => (text.startsWith('\uFEFF') ? text.slice(1) : text);

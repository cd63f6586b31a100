/** Base64 that was looked at and not decoded: in the standard letters, padded. */
export interface Base64 {
  readonly letters: string;
  readonly sizeBytes: number;
}

/** Reads base64 of either alphabet, with or without padding and line breaks; null where it is none. */
export function readBase64(text: string): Base64 | null {
  const bare = text.replace(/[\s]+/g, '').replace(/-/g, '+').replace(/_/g, '/').replace(/=+$/, '');
  if (bare.length % 4 === 1 || !/^[A-Za-z0-9+/]*$/.test(bare)) return null;
  return { letters: bare.padEnd(Math.ceil(bare.length / 4) * 4, '='), sizeBytes: Math.floor((bare.length * 3) / 4) };
}

/** @throws RangeError where the data is larger than memory takes */
export function toBlob(data: Base64, mimeType: string): Blob {
  const pieces: BlobPart[] = [];
  // A multiple of four letters at a time, so that no piece is cut within a byte.
  for (let at = 0; at < data.letters.length; at += 1 << 20) {
    pieces.push(Uint8Array.from(atob(data.letters.slice(at, at + (1 << 20))), (letter) => letter.charCodeAt(0)));
  }
  return new Blob(pieces, { type: mimeType });
}

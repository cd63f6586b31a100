import { createHash, randomUUID } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import type { StreamedContent } from '@/lib/pool/node';
import { CHUNK_BYTES, SINGLE_TOOL, type DisclosedEntry, type HandedFile } from '..';
import { toFileReference, type MakePlumbingCall } from './plumbing';
import { fail, readMember, type SequenceEnd } from './upload-answer';

export interface SendOptions {
  readonly file: HandedFile;
  /** The content, open for reading. */
  readonly content: FileHandle;
  readonly call: MakePlumbingCall;
  /** A call goes out with so many bytes of the file. */
  readonly onSending: (entry: DisclosedEntry, bytes: number) => void;
  /** So many of those did not go. */
  readonly onUnsent: (bytes: number) => void;
}

/** A multiple of three, so that a piece is encoded without a rest. */
const PIECE_BYTES = 3 * 256 * 1024;

/** Sends a file by the three chunked calls; its digest is compared before the last of them. */
export async function sendInChunks({ file, content, call, onSending }: SendOptions, signal: AbortSignal): Promise<SequenceEnd> {
  const { sha256, sizeBytes } = file;
  const named = { filename: file.name, sha256, size: sizeBytes };
  const begin = await call({ tool: 'put_sample_begin', arguments: named, recorded: named, onSending: (entry) => onSending(entry, 0) }, signal);
  const begun = readMember('put_sample_begin', begin, 'upload_id', toText);
  if (!begun.ok) return begun;
  const id = { upload_id: begun.member };
  const hash = createHash('sha256');
  const chunk = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, Math.max(sizeBytes, 1)));
  for (let seq = 0, offset = 0; offset < sizeBytes; seq += 1) {
    const bytes = await readFull(content, chunk, offset, Math.min(CHUNK_BYTES, sizeBytes - offset));
    if (bytes === null) return fail(CHANGED);
    hash.update(bytes);
    const token = toToken();
    const sent = await call(
      {
        tool: 'put_sample_chunk',
        arguments: { ...id, seq, content_b64: token },
        recorded: { ...id, seq, content_b64: toFileReference(sha256, offset, bytes.byteLength) },
        content: { token, sizeBytes: bytes.byteLength, open: () => toPieces(bytes) },
        onSending: (entry) => onSending(entry, bytes.byteLength),
      },
      signal,
    );
    const answered = readMember('put_sample_chunk', sent, 'seq', (member) => (typeof member === 'number' ? member : undefined));
    if (!answered.ok) return answered;
    if (answered.member !== seq) return fail(`put_sample_chunk answered for chunk ${answered.member} when chunk ${seq} was sent`);
    offset += bytes.byteLength;
  }
  if (hash.digest('hex') !== sha256) return fail(CHANGED);
  const finish = await call({ tool: 'put_sample_finish', arguments: id, recorded: id, onSending: (entry) => onSending(entry, 0) }, signal);
  return toPathEnd('put_sample_finish', readMember('put_sample_finish', finish, 'path', toText));
}

/** Sends a file in the one call, whatever its size: the request is never whole if the file's digest is not its record's. */
export async function sendAtOnce({ file, content, call, onSending, onUnsent }: SendOptions, signal: AbortSignal): Promise<SequenceEnd> {
  const { sha256, sizeBytes } = file;
  const token = toToken();
  const named = { filename: file.name, sha256 };
  let hasChanged = false;
  const streamed: StreamedContent = {
    token,
    sizeBytes,
    open: () => readChecked(content, file, { onUnsent, onChanged: () => (hasChanged = true) }),
  };
  const answer = await call(
    {
      tool: SINGLE_TOOL,
      arguments: { ...named, content_b64: token },
      recorded: { ...named, content_b64: toFileReference(sha256, 0, sizeBytes) },
      content: streamed,
      onSending: (entry) => onSending(entry, sizeBytes),
    },
    signal,
  );
  if (hasChanged) return fail(CHANGED);
  return toPathEnd(SINGLE_TOOL, readMember(SINGLE_TOOL, answer, 'path', toText));
}

const CHANGED = 'the file changed in the store since it was added, so the upload was not finished';

/** The content piece by piece; its last piece goes only when the digest of the whole is the file's. */
async function* readChecked(
  content: FileHandle,
  { sha256, sizeBytes }: HandedFile,
  { onUnsent, onChanged }: { readonly onUnsent: (bytes: number) => void; readonly onChanged: () => void },
): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256');
  let taken = 0;
  try {
    for (let offset = 0; offset < sizeBytes; ) {
      const bytes = await readFull(content, Buffer.allocUnsafe(PIECE_BYTES), offset, Math.min(PIECE_BYTES, sizeBytes - offset));
      if (bytes !== null) hash.update(bytes);
      offset += bytes?.byteLength ?? 0;
      if (bytes === null || (offset >= sizeBytes && hash.digest('hex') !== sha256)) {
        onChanged();
        throw new Error(CHANGED);
      }
      yield bytes;
      taken = offset;
    }
  } finally {
    // What was asked for after a piece is the proof that the piece was taken.
    onUnsent(sizeBytes - taken);
  }
}

/** Exactly so many bytes from a place; null where the file has fewer. */
async function readFull(content: FileHandle, into: Buffer, position: number, length: number): Promise<Buffer | null> {
  for (let filled = 0; filled < length; ) {
    const { bytesRead } = await content.read(into, filled, length - filled, position + filled);
    if (bytesRead === 0) return null;
    filled += bytesRead;
  }
  return into.subarray(0, length);
}

async function* toPieces(bytes: Buffer): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < bytes.byteLength; start += PIECE_BYTES) yield bytes.subarray(start, start + PIECE_BYTES);
}

const toPathEnd = (tool: string, read: ReturnType<typeof readMember<string>>): SequenceEnd => {
  if (!read.ok) return read;
  return read.member === '' ? fail(`${tool} answered without a usable path`) : { ok: true, path: read.member };
};

const toText = (member: unknown): string | undefined => (typeof member === 'string' && member !== '' ? member : undefined);

const toToken = (): string => `signalbox-content-${randomUUID()}`;

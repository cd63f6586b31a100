import { createHash } from 'node:crypto';
import { isObject, type Json, type JsonObject } from '@/lib/core';
import { CHUNK_BYTES, READ_BACK_TOOL } from '..';
import { NotTaken } from './not-taken';
import { toFileReference, type MakePlumbingCall, type PlumbingAnswer } from './plumbing';

interface Part {
  readonly bytes: Buffer;
  readonly size: number;
  readonly sha256: string | null;
}

/**
 * Reads a file of a server by `get_artifact`, part after part until its stated size is read.
 * @throws NotTaken with the words of product section 8 where the answers do not make a file
 */
export async function* readArtefact(path: string, call: MakePlumbingCall, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256');
  let size: number | null = null;
  let digest: string | null = null;
  for (let offset = 0; size === null || offset < size; ) {
    const length = size === null ? CHUNK_BYTES : Math.min(CHUNK_BYTES, size - offset);
    const part = readPart(await askFor(path, offset, length, call, signal));
    if (size !== null && part.size !== size) throw new NotTaken(`the server stated another size than at first: ${part.size} bytes after ${size}`);
    if (digest !== null && part.sha256 !== null && part.sha256 !== digest) throw new NotTaken('the digest that the server stated changed while the file was read');
    size = part.size;
    digest ??= part.sha256;
    const end = offset + part.bytes.byteLength;
    if (end > size) throw new NotTaken(`a chunk went past the stated size: ${end} bytes of ${size}`);
    if (part.bytes.byteLength === 0 && offset < size) throw new NotTaken(`an empty chunk came at ${offset} of ${size} bytes, before the end of the file`);
    hash.update(part.bytes);
    if (part.bytes.byteLength > 0) yield part.bytes;
    offset = end;
  }
  if (digest === null) throw new NotTaken('no answer stated a digest, so that what came cannot be checked');
  const found = hash.digest('hex');
  if (found !== digest) throw new NotTaken(`the bytes that came do not match the stated digest: they make ${found}, stated was ${digest}`);
}

function askFor(path: string, offset: number, length: number, call: MakePlumbingCall, signal: AbortSignal): Promise<PlumbingAnswer> {
  const asked = { path, offset, length };
  return call({ tool: READ_BACK_TOOL, arguments: asked, recorded: asked, toKept: (result, value) => withoutContent(result, value, offset) }, signal);
}

function readPart({ outcome, error, value }: PlumbingAnswer): Part {
  if (isObject(value) && value.error !== undefined && value.error !== null) throw new NotTaken(`the server answered: ${toWords(value.error)}`);
  if (outcome !== 'ok') throw new NotTaken(error === null ? `${READ_BACK_TOOL} ended ${outcome}` : `${READ_BACK_TOOL} ended ${outcome}: ${error.message}`);
  const { size, sha256, content_b64: content } = isObject(value) ? value : {};
  if (typeof size !== 'number' || !Number.isSafeInteger(size) || size < 0) throw new NotTaken('the server answered without a size');
  if (typeof content !== 'string') throw new NotTaken('the server answered without content');
  const bytes = decodeStrictly(content);
  if (bytes === null) throw new NotTaken('the content that the server sent is not valid base64');
  return { bytes, size, sha256: typeof sha256 === 'string' && /^[0-9a-f]{64}$/i.test(sha256) ? sha256.toLowerCase() : null };
}

/** Null where the text is no base64: Node's own decoder skips what it does not know. */
function decodeStrictly(text: string): Buffer | null {
  const bytes = Buffer.from(text, 'base64');
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  return text.length % 4 === 0 && bytes.byteLength === (text.length / 4) * 3 - padding ? bytes : null;
}

/** What the entry keeps: the bytes are in the store once, by their digest. */
function withoutContent(result: JsonObject, value: Json, offset: number): JsonObject {
  if (!isObject(value) || typeof value.content_b64 !== 'string') return result;
  const { sha256, content_b64: content } = value;
  const length = decodedBytes(content);
  const kept = { ...value, content_b64: toFileReference(typeof sha256 === 'string' ? sha256 : null, offset, length) }; // an object of Json stays one
  const blocks = Array.isArray(result.content) ? (result.content as readonly Json[]) : []; // a list of Json has Json items
  return {
    ...result,
    ...('structuredContent' in result && { structuredContent: kept }),
    content: blocks.map((block) => (holds(block, content) ? { ...(block as JsonObject), text: JSON.stringify(kept) } : block)),
  };
}

const holds = (block: Json, content: string): boolean =>
  isObject(block) && typeof block.text === 'string' && block.text.length >= content.length && content !== '' && block.text.includes(content.slice(0, 256));

const decodedBytes = (text: string): number => Math.floor((text.length / 4) * 3) - (text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0);

function toWords(error: unknown): string {
  if (typeof error === 'string') return error;
  return isObject(error) && typeof error.message === 'string' ? error.message : JSON.stringify(error);
}

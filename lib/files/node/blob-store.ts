import { createHash, randomUUID } from 'node:crypto';
import { closeSync, createReadStream, existsSync, fsyncSync, mkdirSync, openSync, readSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { mkdir, open, readFile, rename, rm, type FileHandle } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { eq } from 'drizzle-orm';
import type { Database } from '@/db/client';
import { blobs } from '@/db/schema';
import { MiB, systemClock, type Clock } from '@/lib/core';

export interface StoredBlob {
  readonly sha256: string;
  readonly sizeBytes: number;
}

interface BlobStoreOptions {
  /** `<home>/blobs`; made when it is first written to. */
  readonly directory: string;
  readonly database: Database;
  readonly clock?: Clock;
}

/** How much of a text is encoded and written in one turn of the event loop. */
const PIECE_CHARACTERS = 1 * MiB;

/**
 * Contents by their SHA-256: each is kept once, whoever stores it. A file appears under its name whole or not
 * at all: it is written beside, synced, and renamed.
 */
export class BlobStore {
  private readonly directory: string;
  private readonly database: Database;
  private readonly clock: Clock;

  constructor(options: BlobStoreOptions) {
    this.directory = options.directory;
    this.database = options.database;
    this.clock = options.clock ?? systemClock;
  }

  /** Stores a content of any size in constant memory, piece by piece, so that other work goes on. */
  async put(source: Uint8Array | string | AsyncIterable<Uint8Array>): Promise<StoredBlob> {
    const temporary = await this.makeTemporary();
    let file: FileHandle | undefined;
    try {
      file = await open(temporary, 'wx', 0o600);
      const hash = createHash('sha256');
      let sizeBytes = 0;
      for await (const piece of toPieces(source)) {
        hash.update(piece);
        sizeBytes += piece.byteLength;
        await file.writeFile(piece);
      }
      await file.sync();
      await file.close();
      file = undefined;
      const sha256 = hash.digest('hex');
      const path = this.pathOf(sha256);
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      const blob = this.record({ sha256, sizeBytes });
      await rename(temporary, path);
      return blob;
    } finally {
      await file?.close();
      await rm(temporary, { force: true });
    }
  }

  /** As `put`, for callers that cannot wait; holds the event loop, so for moderate sizes. */
  putSync(content: Uint8Array | string): StoredBlob {
    const bytes = typeof content === 'string' ? Buffer.from(content, 'utf8') : content;
    const blob = { sha256: createHash('sha256').update(bytes).digest('hex'), sizeBytes: bytes.byteLength };
    // On record first: whoever removes what is no longer held then leaves it.
    this.record(blob);
    if (this.has(blob.sha256)) return blob;
    mkdirSync(this.temporaryDirectory, { recursive: true, mode: 0o700 });
    const temporary = join(this.temporaryDirectory, randomUUID());
    const path = this.pathOf(blob.sha256);
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    try {
      writeFileSynced(temporary, bytes);
      renameSync(temporary, path);
    } finally {
      rmSync(temporary, { force: true });
    }
    return blob;
  }

  async read(sha256: string): Promise<Buffer> {
    return readFile(this.pathOf(sha256));
  }

  /** Opens a content for reading piece by piece; whoever opened it closes it. */
  open(sha256: string): Promise<FileHandle> {
    return open(this.pathOf(sha256), 'r');
  }

  /** Its first bytes, at once: for callers that cannot wait. Empty where it is not there. */
  readHeadSync(sha256: string, bytes: number): Buffer {
    if (!this.has(sha256)) return Buffer.alloc(0);
    const file = openSync(this.pathOf(sha256), 'r');
    try {
      const head = Buffer.alloc(bytes);
      return head.subarray(0, readSync(file, head, 0, bytes, 0));
    } finally {
      closeSync(file);
    }
  }

  /** @param range first and last byte, both included */
  stream(sha256: string, range?: { readonly start: number; readonly end: number }): Readable {
    return createReadStream(this.pathOf(sha256), range);
  }

  has(sha256: string): boolean {
    return existsSync(this.pathOf(sha256));
  }

  /**
   * Removes a content that was last stored before a time. Inside a transaction of the caller's, which checks that
   * nothing holds it: whoever stores it again waits for its end and finds it gone.
   * @returns whether it is gone
   */
  removeIf(sha256: string, storedBefore: number): boolean {
    const row = this.database.orm.select({ storedAt: blobs.storedAt }).from(blobs).where(eq(blobs.sha256, sha256)).get();
    if (row !== undefined && row.storedAt >= storedBefore) return false;
    rmSync(this.pathOf(sha256), { force: true });
    this.database.orm.delete(blobs).where(eq(blobs.sha256, sha256)).run();
    return true;
  }

  private get temporaryDirectory(): string {
    return join(this.directory, 'incoming');
  }

  private async makeTemporary(): Promise<string> {
    await mkdir(this.temporaryDirectory, { recursive: true, mode: 0o700 });
    return join(this.temporaryDirectory, randomUUID());
  }

  /** Two letters of the digest make the folder, so that none holds too many files. */
  private pathOf(sha256: string): string {
    if (!/^[0-9a-f]{64}$/.test(sha256)) throw new Error('a blob is named by 64 hex digits');
    return join(this.directory, sha256.slice(0, 2), sha256.slice(2));
  }

  private record(blob: StoredBlob): StoredBlob {
    const storedAt = this.clock.now();
    this.database.orm.insert(blobs).values({ ...blob, storedAt }).onConflictDoUpdate({ target: blobs.sha256, set: { storedAt } }).run();
    return blob;
  }
}

async function* toPieces(source: Uint8Array | string | AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  if (typeof source !== 'string') {
    if (source instanceof Uint8Array) yield source;
    else yield* source;
    return;
  }
  let start = 0;
  while (start < source.length) {
    const end = endOfPiece(source, start + PIECE_CHARACTERS);
    yield Buffer.from(source.slice(start, end), 'utf8');
    start = end;
    await nextTurn();
  }
}

/** Never between the two halves of a surrogate pair: each alone would be encoded as a replacement. */
function endOfPiece(text: string, end: number): number {
  const last = text.charCodeAt(end - 1);
  return end < text.length && last >= 0xd800 && last <= 0xdbff ? end + 1 : end;
}

function writeFileSynced(path: string, bytes: Uint8Array): void {
  const file = openSync(path, 'wx', 0o600);
  try {
    writeFileSync(file, bytes);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

import { createHash, randomUUID } from 'node:crypto';
import { lstatSync, mkdirSync } from 'node:fs';
import { chmod, link, lstat, open, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '@/lib/core';
import { requireFileName, toNumberedName } from './file-name';

/** The job that calls by hand share. */
export const CONSOLE_JOB = 'console';

export interface JobFile {
  readonly name: string;
  /** Absolute, as a local server can open it. */
  readonly path: string;
  readonly sizeBytes: number;
  readonly modifiedAt: number;
}

export interface StoredJobFile {
  readonly name: string;
  readonly path: string;
  readonly sizeBytes: number;
  readonly sha256: string;
}

/** A copy as it was left; a server may write in its job directory. */
interface PlacedCopy {
  readonly path: string;
  readonly ino: number;
  readonly size: number;
  readonly mtimeMs: number;
  readonly ctimeMs: number;
}

const INCOMING = '.incoming-';

/** A folder for each run, and the standing one of calls by hand; what local servers are told is theirs to read. */
export class JobDirectories {
  private readonly directory: string;
  private readonly placed = new Map<string, PlacedCopy>();

  /** @param options.directory `<home>/jobs` */
  constructor(options: { readonly directory: string }) {
    this.directory = options.directory;
  }

  /**
   * The job's folder, made (0700) when it is not there.
   * @throws AppError where the name is none, or where something else stands in the folder's place.
   */
  path(job: string): string {
    if (!/^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/.test(job)) {
      throw new AppError({ code: 'bad_input', message: 'A job is named by letters, digits, "-" and "_".' });
    }
    const path = join(this.directory, job);
    const standing = lstatSync(path, { throwIfNoEntry: false });
    if (standing === undefined) mkdirSync(path, { recursive: true, mode: 0o700 });
    else if (!standing.isDirectory()) {
      throw new AppError({ code: 'unavailable', message: `The folder of the job "${job}" is not a folder: something else stands in its place.` });
    }
    return path;
  }

  /**
   * Streams a file into the job's folder and says where it is. Never overwrites: a name that is taken gets a
   * number. The file appears whole or, when the stream fails or the signal fires, not at all.
   */
  async put(job: string, filename: string, source: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<StoredJobFile> {
    const wanted = requireFileName(filename);
    const directory = this.path(job);
    const temporary = join(directory, `${INCOMING}${randomUUID()}`);
    try {
      const written = await writeStream(temporary, source, signal);
      const name = await linkUnderFreeName(temporary, directory, wanted);
      // The comment keeps the build from taking this path for any file of the project, and the whole project into the output.
      return { name, path: join(/* turbopackIgnore: true */ directory, name), ...written };
    } finally {
      await rm(temporary, { force: true });
    }
  }

  /**
   * Puts a copy of a stored content into the job's folder, readable alone, and says where it is. What was put there
   * before and is untouched is used again.
   */
  async place(job: string, file: { readonly sha256: string; readonly name: string }, open: () => AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<string> {
    const key = `${job} ${file.sha256}`;
    const before = this.placed.get(key);
    if (before !== undefined && (await isUntouched(before))) return before.path;
    const stored = await this.put(job, file.name, open(), signal);
    if (stored.sha256 !== file.sha256) {
      await rm(stored.path, { force: true });
      throw new AppError({ code: 'unavailable', message: `${file.name} changed in the store since it was added: its digest is another.` });
    }
    await chmod(stored.path, 0o400);
    const { ino, mtimeMs, size, ctimeMs } = await lstat(stored.path);
    this.placed.set(key, { path: stored.path, ino, mtimeMs, size, ctimeMs });
    return stored.path;
  }

  /** The regular files of the job's folder, newest first; links are not followed and not listed. */
  async list(job: string): Promise<readonly JobFile[]> {
    const directory = this.path(job);
    const entries = await readdir(directory, { withFileTypes: true });
    const names = entries.filter((entry) => entry.isFile() && !entry.name.startsWith(INCOMING)).map((entry) => entry.name);
    const files = (await Promise.all(names.map((name) => findFile(directory, name)))).filter((file) => file !== undefined);
    return files.sort((a, b) => b.modifiedAt - a.modifiedAt);
  }
}

/** Undefined where a server removed it meanwhile. */
async function findFile(directory: string, name: string): Promise<JobFile | undefined> {
  const path = join(directory, name);
  const facts = await lstat(path).catch(() => undefined);
  return facts?.isFile() === true ? { name, path, sizeBytes: facts.size, modifiedAt: Math.round(facts.mtimeMs) } : undefined;
}

async function isUntouched({ path, ...left }: PlacedCopy): Promise<boolean> {
  const now = await lstat(path).catch(() => undefined);
  return now?.isFile() === true && now.ino === left.ino && now.size === left.size && now.mtimeMs === left.mtimeMs && now.ctimeMs === left.ctimeMs;
}

async function writeStream(path: string, source: AsyncIterable<Uint8Array>, signal: AbortSignal) {
  const file = await open(path, 'wx', 0o600);
  try {
    const hash = createHash('sha256');
    let sizeBytes = 0;
    for await (const piece of source) {
      signal.throwIfAborted();
      hash.update(piece);
      sizeBytes += piece.byteLength;
      await file.writeFile(piece);
    }
    signal.throwIfAborted();
    await file.sync();
    return { sizeBytes, sha256: hash.digest('hex') };
  } finally {
    await file.close();
  }
}

/** A hard link fails where the name is taken, also by a link: nothing is overwritten or followed. */
async function linkUnderFreeName(temporary: string, directory: string, wanted: string): Promise<string> {
  for (let number = 1; ; number += 1) {
    const name = toNumberedName(wanted, number);
    try {
      await link(temporary, join(directory, name));
      return name;
    } catch (cause) {
      if (!(cause instanceof Error && 'code' in cause && cause.code === 'EEXIST')) throw cause;
    }
  }
}

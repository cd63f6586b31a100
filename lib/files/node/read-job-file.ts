import { constants } from 'node:fs';
import { open, readlink, realpath, stat, type FileHandle } from 'node:fs/promises';
import { resolve, sep } from 'node:path';
import { NotTaken } from './not-taken';

const PIECE_BYTES = 1024 * 1024;

/**
 * Reads a file that a local server wrote into its job directory; a relative path is relative to that. What is looked at
 * is what was opened, so that nothing can be put in its place meanwhile.
 * @throws NotTaken `path_outside_job` and the like
 */
export async function* readJobFile(directory: string, path: string, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const job = await realpath(directory);
  const named = resolve(job, path);
  if (!isInside(named, job) && !isInside(named, resolve(directory))) throw outside(path);
  const file = await openRegular(await toReal(named, job, path), job, path);
  try {
    const { size } = await file.stat();
    let read = 0;
    for (const buffer = Buffer.allocUnsafe(PIECE_BYTES); ; ) {
      signal.throwIfAborted();
      const { bytesRead } = await file.read(buffer, 0, PIECE_BYTES, read);
      if (bytesRead === 0) break;
      read += bytesRead;
      yield Buffer.from(buffer.subarray(0, bytesRead));
      if (read > size) break;
    }
    if (read !== size) throw new NotTaken(`${path} changed its size while it was read`);
  } finally {
    await file.close();
  }
}

/** Where links within the job lead; those that lead out of it are not followed. */
async function toReal(named: string, job: string, path: string): Promise<string> {
  const real = await realpath(named).catch((error: unknown) => {
    throw explain(error, path);
  });
  if (!isInside(real, job)) throw outside(path);
  return real;
}

/** Opens without waiting (a pipe would) and without following a link that came there since. */
async function openRegular(real: string, job: string, path: string): Promise<FileHandle> {
  const file = await open(real, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch((error: unknown) => {
    throw explain(error, path);
  });
  try {
    if (!(await file.stat()).isFile()) throw new NotTaken(`path_outside_job: ${path} is no regular file`);
    if (!(await isStillInside(file, real, job))) throw outside(path);
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** A folder on the way may have become a link between the look and the opening: what is open is asked where it is. */
async function isStillInside(file: FileHandle, real: string, job: string): Promise<boolean> {
  const opened = await readlink(`/proc/self/fd/${file.fd}`).catch(() => null);
  if (opened !== null) return isInside(opened, job);
  const [held, found] = await Promise.all([file.stat(), realpath(real).then((again) => (isInside(again, job) ? stat(again) : null), () => null)]);
  return found !== null && held.ino === found.ino && held.dev === found.dev;
}

const isInside = (path: string, directory: string): boolean => path.startsWith(directory + sep);

const outside = (path: string): NotTaken => new NotTaken(`path_outside_job: ${path} lies outside the job directory`);

function explain(error: unknown, path: string): NotTaken {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'ENOENT' || code === 'ENOTDIR') return new NotTaken(`no_such_file: there is no ${path} in the job directory`);
  if (code === 'ELOOP') return new NotTaken(`path_outside_job: ${path} is a link`);
  if (code === 'EACCES') return new NotTaken(`${path} may not be read by the console`);
  return new NotTaken(`${path} could not be read: ${error instanceof Error ? error.message : String(error)}`);
}

import { constants } from 'node:fs';
import { lstat, open, readlink, realpath, type FileHandle } from 'node:fs/promises';
import path from 'node:path';

import { KiB } from '@/lib/core';
import { ToolFailure, type ToolContext } from '@/kit';

const CHUNK_BYTES = 256 * KiB;

/** A regular file, open for reading, that lies where this server may read. */
export interface AnalysedFile {
  /** Its real path, links resolved. */
  readonly path: string;
  readonly name: string;
  readonly sizeBytes: number;
  /** For a child process that gets the file as its standard input. */
  readonly descriptor: number;
  /** Up to `length` bytes from `position`; fewer only at the end of the file. */
  read(position: number, length: number): Promise<Buffer>;
  /** The whole file in order; each chunk is valid until the next is asked for. */
  chunks(): AsyncGenerator<Buffer>;
}

/**
 * Opens the file that an argument names, gives it to `work`, and closes it. With SIGNALBOX_JOB_DIR set a
 * relative path is relative to it and only regular files inside it are opened.
 *
 * @throws ToolFailure path_outside_job, no_such_file, bad_argument, tool_failed (not readable)
 */
export async function withFile<Answer>(
  given: string,
  { environment, signal }: ToolContext,
  work: (file: AnalysedFile) => Promise<Answer>,
): Promise<Answer> {
  const root = await realRoot(environment.SIGNALBOX_JOB_DIR);
  const { handle, file } = await openRegular(given, root);
  try {
    const { size } = await handle.stat();
    return await work(toAnalysedFile(handle, file, size, signal));
  } finally {
    await handle.close();
  }
}

/** The job directory with links resolved; null where the server is not confined. */
export async function realRoot(jobDirectory: string | undefined): Promise<string | null> {
  if (jobDirectory === undefined) return null;
  try {
    // An empty name would resolve to the working directory, and so open what nobody meant to open.
    if (!path.isAbsolute(jobDirectory)) throw new Error('it is not an absolute path');
    return await realpath(jobDirectory);
  } catch (cause) {
    throw new ToolFailure(
      'not_configured',
      'SIGNALBOX_JOB_DIR does not name a folder that exists, so there is nothing that this server may open.',
      'Make that folder, or start the server from the console, which sets the variable itself.',
      { cause },
    );
  }
}

async function openRegular(given: string, root: string | null): Promise<{ handle: FileHandle; file: string }> {
  if (given.includes('\0')) throw new ToolFailure('bad_argument', '/path: a path cannot hold a NUL character.', 'Give the path of one file.');
  const wanted = path.resolve(root ?? process.cwd(), given);
  const file = await resolveWithin(wanted, given, root);
  let handle: FileHandle;
  try {
    // NONBLOCK: a named pipe must not hold the call; NOFOLLOW: links were resolved, so a link here is new.
    handle = await open(file, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  } catch (cause) {
    throw toOpenFailure(cause, given, root);
  }
  try {
    const stats = await handle.stat();
    if (root !== null && !isWithin(root, await openedPath(handle, file))) throw outsideJob(given, root);
    if (stats.isDirectory()) {
      throw new ToolFailure('bad_argument', `/path: ${given} is a folder, and this tool reads one file.`, 'Name a file inside it.');
    }
    if (!stats.isFile()) {
      throw new ToolFailure('bad_argument', `/path: ${given} is not a regular file (a device, pipe or socket).`, 'Name a regular file.');
    }
    return { handle, file };
  } catch (thrown) {
    await handle.close();
    throw thrown;
  }
}

/** The real path of what is wanted, or the refusal; what is outside the job is refused whether it exists or not. */
async function resolveWithin(wanted: string, given: string, root: string | null): Promise<string> {
  try {
    const file = await realpath(wanted);
    if (root !== null && !isWithin(root, file)) throw outsideJob(given, root);
    return file;
  } catch (thrown) {
    if (thrown instanceof ToolFailure) throw thrown;
    if (root !== null && !isWithin(root, await nearestReal(wanted))) throw outsideJob(given, root);
    throw toOpenFailure(thrown, given, root);
  }
}

async function nearestReal(wanted: string): Promise<string> {
  for (let folder = wanted; ; folder = path.dirname(folder)) {
    try {
      return path.join(await realpath(folder), path.relative(folder, wanted));
    } catch (cause) {
      if (folder === path.dirname(folder)) throw cause;
    }
  }
}

const isWithin = (root: string, file: string): boolean => {
  const relative = path.relative(root, file);
  return relative !== '..' && !relative.startsWith(`..${path.sep}`) && !path.isAbsolute(relative);
};

/**
 * Where the file that was really opened lies. A folder on the way may have become a link between the
 * check and the opening; the kernel's own word on the descriptor cannot be raced. Without /proc the path
 * is resolved again and must still lead to the very file that is open.
 */
async function openedPath(handle: FileHandle, file: string): Promise<string> {
  try {
    return await readlink(`/proc/self/fd/${handle.fd}`);
  } catch {
    const again = await realpath(file);
    const [opened, there] = await Promise.all([handle.stat({ bigint: true }), lstat(again, { bigint: true })]);
    return opened.ino === there.ino && opened.dev === there.dev ? again : path.parse(file).root;
  }
}

const outsideJob = (given: string, root: string): ToolFailure =>
  new ToolFailure(
    'path_outside_job',
    `${given} does not lie in the job directory, and this server opens nothing else.`,
    `Put the file into the job directory (${root}) and give its path there.`,
  );

function toOpenFailure(cause: unknown, given: string, root: string | null): ToolFailure {
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  const where = root === null ? 'Check the path; a relative one is taken from the folder the server was started in.' : `Check the path; a relative one is taken from the job directory (${root}).`;
  switch (code) {
    case 'ENOENT':
    case 'ENOTDIR':
      return new ToolFailure('no_such_file', `There is no file ${given}.`, where, { cause });
    case 'ELOOP':
      return new ToolFailure('no_such_file', `${given} is a link that leads to no file.`, where, { cause });
    case 'EACCES':
    case 'EPERM':
      return new ToolFailure('tool_failed', `${given} cannot be read: permission denied.`, 'Give the user who runs this server permission to read the file (chmod +r).', { cause });
    default:
      return new ToolFailure('bad_argument', `/path: ${given} cannot be opened${typeof code === 'string' ? ` (${code})` : ''}.`, 'Name a regular file.', { cause });
  }
}

function toAnalysedFile(handle: FileHandle, file: string, sizeBytes: number, signal: AbortSignal): AnalysedFile {
  const read = async (position: number, length: number) => {
    const bytes = Buffer.allocUnsafe(Math.max(0, Math.min(length, sizeBytes - position)));
    const filled = await fill(handle, bytes, position, signal);
    return bytes.subarray(0, filled);
  };
  return {
    path: file,
    name: path.basename(file),
    sizeBytes,
    descriptor: handle.fd,
    read,
    async *chunks() {
      const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
      for (let position = 0; ; ) {
        const filled = await fill(handle, buffer, position, signal);
        if (filled === 0) return;
        position += filled;
        yield buffer.subarray(0, filled);
      }
    },
  };
}

/** Reads until the buffer is full or the file ends. */
async function fill(handle: FileHandle, buffer: Buffer, position: number, signal: AbortSignal): Promise<number> {
  let filled = 0;
  while (filled < buffer.length) {
    signal.throwIfAborted();
    const { bytesRead } = await handle.read(buffer, filled, buffer.length - filled, position + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return filled;
}

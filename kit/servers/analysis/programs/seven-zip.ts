import { lstat, readdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';

import { formatBytes, GiB, MiB } from '@/lib/core';
import { ToolFailure } from '@/kit';

import { isEscaping } from '../archives/listing';
import { runProgram, type ProgramRun } from './run-program';

const MOST_MEMBERS = 10_000;
const MOST_UNPACKED_BYTES = GiB;

const MOST_LIST_BYTES = 16 * MiB;
const WATCH_MS = 250;
/** The name under which 7-Zip unpacks single compressed files that it reads from standard input. */
const NAMELESS = 'stdin~';

export interface UnpackRequest {
  readonly program: string;
  /** The archive, open. */
  readonly descriptor: number;
  readonly name: string;
  readonly password: string;
  readonly signal: AbortSignal;
}

/**
 * Refuses, before anything is written, an archive that could write elsewhere or fill the disk: links,
 * names that leave the folder, too many members, too many bytes.
 *
 * @throws ToolFailure unsupported_format, bad_argument (a wrong password)
 */
export async function requireHarmless({ program, descriptor, name, password, signal }: UnpackRequest): Promise<void> {
  const run = await runProgram(program, ['l', '-slt', '-ba', `-p${password}`, '--', '/dev/stdin'], {
    input: descriptor,
    signal,
    mostBytes: MOST_LIST_BYTES,
  });
  if (run.isCut) throw tooMuch(name, `more than ${MOST_MEMBERS} members`);
  if (run.exitCode !== 0) throw toFailure(name, run);
  const records = run.stdout.split(/\n(?=Path = )/).filter((record) => record.startsWith('Path = '));
  if (records.length > MOST_MEMBERS) throw tooMuch(name, `more than ${MOST_MEMBERS} members`);
  const stated = records.reduce((sum, record) => sum + Number(/^Size = (\d+)$/m.exec(record)?.[1] ?? 0), 0);
  if (stated > MOST_UNPACKED_BYTES) throw tooMuch(name, formatBytes(stated));
  const unsafe = records.find((record) => isLink(record) || isEscaping(/^Path = (.*)$/m.exec(record)?.[1] ?? ''));
  if (unsafe !== undefined) {
    throw new ToolFailure(
      'unsupported_format',
      `${name} holds links, or names outside the folder it would be unpacked into, so it was not unpacked.`,
      'Unpack it by hand, in a place of its own, if you need what is inside.',
    );
  }
}

const isLink = (record: string): boolean => /^(?:Attributes|Mode) = .*\bl[rwxsStT-]{9}/m.test(record) || /^(?:Symbolic|Hard) Link = ./m.test(record);

/**
 * Unpacks into an empty folder and answers the files there. What grows beyond the bound is ended.
 *
 * @throws ToolFailure as 7-Zip failed
 */
export async function unpackInto(request: UnpackRequest, folder: string): Promise<UnpackedFile[]> {
  const { program, descriptor, name, password, signal } = request;
  const tooLarge = new AbortController();
  const watch = setInterval(() => {
    void listFiles(folder).then((files) => {
      if (files.reduce((sum, file) => sum + file.size, 0) > MOST_UNPACKED_BYTES) tooLarge.abort();
    }, () => undefined);
  }, WATCH_MS);
  try {
    const run = await runProgram(program, ['x', '-y', '-bd', '-snl-', `-p${password}`, `-o${folder}`, '--', '/dev/stdin'], {
      input: descriptor,
      signal: AbortSignal.any([signal, tooLarge.signal]),
    });
    if (run.exitCode !== 0) throw toFailure(name, run);
  } catch (thrown) {
    if (tooLarge.signal.aborted) throw tooMuch(name, `more than ${formatBytes(MOST_UNPACKED_BYTES)}`);
    throw thrown;
  } finally {
    clearInterval(watch);
  }
  await nameNameless(folder, name);
  return listFiles(folder);
}

export interface UnpackedFile {
  /** Relative to the folder. */
  readonly path: string;
  readonly size: number;
}

/** Regular files under a folder, in order of name; whatever else was written (a link) is taken away. */
async function listFiles(folder: string, within = ''): Promise<UnpackedFile[]> {
  const files: UnpackedFile[] = [];
  for (const entry of (await readdir(path.join(folder, within))).sort()) {
    const relative = path.join(within, entry);
    const stats = await lstat(path.join(folder, relative)).catch(() => undefined);
    if (stats === undefined) continue;
    if (stats.isDirectory()) files.push(...(await listFiles(folder, relative)));
    else if (stats.isFile()) files.push({ path: relative, size: stats.size });
    else await rm(path.join(folder, relative), { force: true });
  }
  return files;
}

async function nameNameless(folder: string, archive: string): Promise<void> {
  const entries = await readdir(folder);
  if (entries.length !== 1 || entries[0] !== NAMELESS) return;
  const { name, ext } = path.parse(archive);
  const named = name === '' || name === '..' ? 'unpacked' : /^\.t(?:gz|bz2?|xz|zst)$/i.test(ext) ? `${name}.tar` : name;
  await rename(path.join(folder, NAMELESS), path.join(folder, named));
}

const tooMuch = (name: string, what: string): ToolFailure =>
  new ToolFailure(
    'unsupported_format',
    `${name} would unpack to ${what}; this tool unpacks at most ${MOST_MEMBERS} members and ${formatBytes(MOST_UNPACKED_BYTES)}.`,
    'Unpack it by hand where there is room for it.',
  );

function toFailure(name: string, { stdout, stderr, exitCode }: ProgramRun): ToolFailure {
  const said = `${stderr}\n${stdout}`;
  if (/wrong password|encrypted (?:archive|file)/i.test(said)) {
    return new ToolFailure('bad_argument', `/password: ${name} is encrypted, and this is not its password.`, 'Give the archive’s password in password; shared malware samples often use "infected".');
  }
  if (/cannot open the file as|is not (?:an )?archive|open ERROR/i.test(said)) {
    return new ToolFailure('unsupported_format', `${name} is no archive that 7-Zip can read, or it is damaged.`, 'identify_file says what it is; compare its hashes with those of the source.');
  }
  const words = stderr === '' ? `it ended with code ${exitCode}` : (stderr.split('\n').find((line) => /error/i.test(line)) ?? stderr);
  return new ToolFailure('tool_failed', `7-Zip could not unpack ${name}: ${words}`, 'The archive may be damaged: get a whole copy and compare its hashes.');
}

import { constants } from 'node:fs';
import { access, open, stat } from 'node:fs/promises';
import { delimiter, isAbsolute, join, resolve } from 'node:path';
import { err, ok, type Result } from '@/lib/core';
import { explainFailure, type ConnectFailure } from '../..';
import { decideForeign, findProgramKind } from './architecture';

interface CommandToResolve {
  readonly server: string;
  readonly command: string;
  readonly cwd: string | null;
  /** The child's environment, whose PATH is the one in force. */
  readonly env: Readonly<Record<string, string>>;
}

/**
 * Finds the program that a command starts, so that what is missing is told before a spawn would say ENOENT for
 * any of it: working directory, program, right to run it, machine it was built for.
 */
export async function resolveCommand(wanted: CommandToResolve): Promise<Result<string, ConnectFailure>> {
  const { server, command, cwd, env } = wanted;
  const facts = { stage: 'resolve', server, program: command } as const;
  if (cwd !== null && !(await isFolder(cwd))) {
    return err(explainFailure('cwd_missing', { ...facts, folder: cwd, evidence: { path: cwd } }));
  }
  // Windows decides by file extensions and its registry; there the spawn itself tells.
  if (process.platform === 'win32') return ok(command);

  const searchPath = env.PATH ?? '';
  let forbidden: string | null = null;
  for (const candidate of listCandidates(command, searchPath, cwd)) {
    const found = await findKind(candidate);
    if (found === 'executable') return checkArchitecture(candidate, facts);
    if (found === 'forbidden') forbidden ??= candidate;
  }
  if (forbidden !== null) {
    return err(explainFailure('not_executable', { ...facts, program: forbidden, evidence: { path: forbidden } }));
  }
  if (command.includes('/')) {
    const detail = `there is no file ${command}`;
    return err({
      ...explainFailure('program_missing', { ...facts, searchPath, evidence: { path: searchPath, detail } }),
      message: `There is no program at ${command}.`,
      remediation: 'Correct the path of the command, or install the program there.',
    });
  }
  return err(explainFailure('program_missing', { ...facts, searchPath, evidence: { path: searchPath } }));
}

function listCandidates(command: string, searchPath: string, cwd: string | null): string[] {
  if (isAbsolute(command)) return [command];
  if (command.includes('/')) return [resolve(cwd ?? '.', command)];
  return searchPath.split(delimiter).filter((folder) => folder !== '').map((folder) => join(folder, command));
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch {
    return false;
  }
}

async function findKind(path: string): Promise<'executable' | 'forbidden' | 'absent'> {
  try {
    if (!(await stat(path)).isFile()) return 'absent';
  } catch {
    return 'absent';
  }
  try {
    await access(path, constants.X_OK);
    return 'executable';
  } catch {
    return 'forbidden';
  }
}

async function checkArchitecture(
  path: string,
  facts: { readonly stage: 'resolve'; readonly server: string },
): Promise<Result<string, ConnectFailure>> {
  const foreign = decideForeign(findProgramKind(await readHead(path)), process);
  if (foreign === null) return ok(path);
  return err(explainFailure('wrong_architecture', { ...facts, program: path, said: foreign, evidence: { path, detail: foreign } }));
}

/** The first bytes; empty where the file may be run but not read. */
async function readHead(path: string): Promise<Uint8Array> {
  try {
    const file = await open(path, 'r');
    try {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(64), 0, 64, 0);
      return buffer.subarray(0, bytesRead);
    } finally {
      await file.close();
    }
  } catch {
    return new Uint8Array();
  }
}

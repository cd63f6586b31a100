import { spawn } from 'node:child_process';

import { MiB } from '@/lib/core';

const MOST_OUTPUT_BYTES = 8 * MiB;
const MOST_ERROR_CHARACTERS = 4096;

export interface ProgramRun {
  /** Null where a signal ended it: it printed too much, or ours. */
  readonly exitCode: number | null;
  readonly stdout: string;
  /** Whether it was ended because it printed more than is read. */
  readonly isCut: boolean;
  /** The beginning of what it said on standard error. */
  readonly stderr: string;
}

/**
 * Runs a program without a shell and reads its output, bounded.
 *
 * @param input the descriptor of the file it works on: handed over as its standard input, so that no
 *   other file can take the path's place between our check and its opening; null for none
 * @throws the signal's reason when aborted; Error where it cannot be started
 */
export function runProgram(
  program: string,
  args: readonly string[],
  { input, signal, mostBytes = MOST_OUTPUT_BYTES }: { input: number | null; signal: AbortSignal; mostBytes?: number },
): Promise<ProgramRun> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      stdio: [input ?? 'ignore', 'pipe', 'pipe'],
      // It needs nothing of our environment, least of all keys; the locale keeps names UTF-8.
      env: { NODE_ENV: 'production', PATH: '/usr/bin:/bin', LC_ALL: 'C.UTF-8' },
      signal,
      killSignal: 'SIGKILL',
    });
    const chunks: Buffer[] = [];
    let bytes = 0;
    let isCut = false;
    let stderr = '';
    child.stdout?.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= mostBytes) return void chunks.push(chunk);
      isCut = true;
      child.kill('SIGKILL');
    });
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      if (stderr.length < MOST_ERROR_CHARACTERS) stderr = (stderr + text).slice(0, MOST_ERROR_CHARACTERS);
    });
    child.on('error', reject);
    child.on('close', (exitCode) => resolve({ exitCode, stdout: Buffer.concat(chunks).toString('utf8'), isCut, stderr: stderr.trim() }));
  });
}

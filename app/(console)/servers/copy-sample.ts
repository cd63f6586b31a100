import { createReadStream } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Runtime } from '@/lib/boot';
import { AppError } from '@/lib/core';
import { CONSOLE_JOB } from '@/lib/files/node';

/**
 * Puts the sample of this installation into the standing job, once: the same name is the same file.
 * @returns its path, as a local server opens it
 */
export async function copySample(runtime: Runtime): Promise<string> {
  const folder = join(runtime.env.packageRoot, 'kit', 'servers', 'analysis', 'sample');
  const names = await readdir(folder).catch(() => []);
  const name = names.filter((each) => /^[^.].*\.(?!ts$)/.test(each)).sort()[0];
  if (name === undefined) {
    throw new AppError({ code: 'not_found', message: 'This installation has no sample file.', remedy: 'Choose a file of your own in a tool’s form.' });
  }
  const present = (await runtime.jobs.list(CONSOLE_JOB)).find((file) => file.name === name);
  if (present !== undefined) return present.path;
  const stored = await runtime.jobs.put(CONSOLE_JOB, name, createReadStream(join(folder, name)), AbortSignal.timeout(30_000));
  return stored.path;
}

import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import type { ToolServer } from '@/kit';

import { analysisServer } from '../server';

/** A server confined to a job directory of its own. */
export interface Job {
  readonly directory: string;
  readonly server: ToolServer;
  /** Writes a file into the job directory and answers its path. */
  put(name: string, content: Buffer | string): Promise<string>;
  remove(): Promise<void>;
}

/** @param environment variables beside SIGNALBOX_JOB_DIR; the PATH is empty unless given */
export async function openJob(environment: Readonly<Record<string, string>> = {}): Promise<Job> {
  const directory = await realpath(await mkdtemp(path.join(tmpdir(), 'analysis-job-')));
  return {
    directory,
    server: analysisServer({ PATH: '', SIGNALBOX_JOB_DIR: directory, ...environment }),
    async put(name, content) {
      const file = path.join(directory, name);
      await mkdir(path.dirname(file), { recursive: true });
      await writeFile(file, content);
      return file;
    },
    remove: () => rm(directory, { recursive: true, force: true }),
  };
}

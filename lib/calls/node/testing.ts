import { join } from 'node:path';
import { ok, systemClock } from '@/lib/core';
import { JobDirectories, openCallFiles } from '@/lib/files/node';
import { isRunning, thisProcess } from '@/lib/ledger/node';
import type { TestLedger } from '@/lib/ledger/node/testing';
import type { ServerEntry } from '@/lib/servers';

type FilesOptions = Parameters<typeof openCallFiles>[0];

/** The parts that move the files of calls, on a test's ledger; a remote server is where its entry says. */
export const openTestFiles = ({ database, blobs, directory }: TestLedger, more: Partial<FilesOptions> = {}) =>
  openCallFiles({
    database, blobs, clock: systemClock, owner: thisProcess(), isRunning,
    jobs: new JobDirectories({ directory: join(directory, 'jobs') }),
    findAddress: (entry: ServerEntry) => (entry.transport === 'stdio' ? { url: null, sampleMount: null } : { url: new URL(entry.url), sampleMount: entry.sample_mount ?? null }),
    select: async (path, value) => ok(path.split('.').reduce<typeof value>((at, name) => (typeof at === 'object' && at !== null && !Array.isArray(at) ? ((at as Record<string, typeof value>)[name] ?? null) : null), value)),
    ...more,
  });

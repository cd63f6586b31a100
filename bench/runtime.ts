import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Principal } from '@/lib/auth';
import { openRuntime, type Runtime } from '@/lib/boot';
import { readEnvironment } from '@/lib/env';
import { createLogger } from '@/lib/log';
import { FileServers } from '@/lib/servers/node';

/** How a server of a benchmark is configured: the keys of a configuration file. */
export type BenchServer = Readonly<Record<string, unknown>>;

export interface BenchRuntime {
  readonly runtime: Runtime;
  readonly principal: Principal;
  /** The folder that is gone with the benchmark. */
  readonly directory: string;
}

/** The whole of a process, as a command has it, over these servers and an empty data directory; closed afterwards. */
export async function withRuntime<T>(servers: Readonly<Record<string, BenchServer>>, work: (bench: BenchRuntime) => Promise<T>): Promise<T> {
  const directory = mkdtempSync(join(tmpdir(), 'signalbox-bench-'));
  const file = join(directory, 'servers.json');
  writeFileSync(file, JSON.stringify({ mcpServers: servers }));
  const read = FileServers.read(file);
  if (!read.ok) throw new Error(`the servers of the benchmark cannot be read: ${read.error.message}`);
  const variables = { PATH: process.env['PATH'], HOME: process.env['HOME'], SIGNALBOX_HOME: join(directory, 'home') };
  const runtime = await openRuntime({
    env: readEnvironment(variables, join(import.meta.dirname, '..', 'bin', 'signalbox')),
    use: 'command',
    servers: () => read.value,
    log: (redactor) => createLogger({ level: 'error', redactor, destination: 'stderr' }),
  });
  try {
    const actor = { kind: 'cli', name: 'bench' } as const;
    return await work({ runtime, directory, principal: { actor, role: 'admin', sessionRunId: runtime.runs.sessionRun('bench', actor) } });
  } finally {
    await runtime.close();
    rmSync(directory, { recursive: true, force: true });
  }
}

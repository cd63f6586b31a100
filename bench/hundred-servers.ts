import { join } from 'node:path';
import { toServerKey } from '@/lib/servers';
import type { Benchmark, BenchmarkResult } from './benchmark';
import { withRuntime, type BenchServer } from './runtime';
import { findPercentile, round, timeMs } from './statistics';

const SERVERS = 99;
const ROUNDS = 5;
const AIM = 1.15;

/** A server in a shell, which costs next to nothing itself; with `hang` it starts and never answers. */
const toTiny = (key: string, ...mode: readonly string[]): BenchServer => ({
  command: '/bin/sh', args: [join(import.meta.dirname, '..', 'e2e', 'servers', 'tiny-stdio.sh'), ...mode], env: { BENCH_SERVER: key }, era: 'legacy',
});

const KEYS = Array.from({ length: SERVERS }, (_, index) => `s${index}`);
const ANSWERING = Object.fromEntries(KEYS.map((key) => [key, toTiny(key)]));

export const hundredServersBenchmark: Benchmark = {
  name: 'hundred-servers',
  about: '99 servers connected from cold while a hundredth hangs, against the same without it',
  run: async (note): Promise<BenchmarkResult> => {
    const [alone, beside]: [number[], number[]] = [[], []];
    for (let each = 0; each < ROUNDS; each += 1) {
      alone.push(await timeConnecting(ANSWERING));
      beside.push(await timeConnecting({ hangs: toTiny('hangs', 'hang'), ...ANSWERING }));
      note(`round ${each + 1} of ${ROUNDS}`);
    }
    const [aloneMs, besideMs] = [findPercentile(alone, 0.5), findPercentile(beside, 0.5)];
    const value = round(besideMs / aloneMs);
    const details = { rounds: ROUNDS, connectedAfterMs: { alone: Math.round(aloneMs), besideOneThatHangs: Math.round(besideMs) } };
    return { name: 'hundred-servers', unit: '× the time without the hanging one', value, aim: AIM, holds: value <= AIM, details };
  },
};

/** Until the last of the answering servers is connected, in ms; nobody waits for one that hangs. */
const timeConnecting = (servers: Readonly<Record<string, BenchServer>>): Promise<number> =>
  withRuntime(servers, ({ runtime: { pool } }) =>
    timeMs(async () => {
      pool.connectEnabled();
      await Promise.all(
        KEYS.map(async (key) => {
          const acquired = await pool.acquire(toServerKey(key), 'refresh', new AbortController().signal);
          if (!acquired.ok) throw new Error(acquired.error.message);
          acquired.value.release();
        }),
      );
    }),
  );

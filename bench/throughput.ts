import { callIds } from '@/lib/core';
import { toServerKey } from '@/lib/servers';
import type { Benchmark, BenchmarkResult } from './benchmark';
import { rawServer } from './raw-server';
import { withRuntime, type BenchRuntime } from './runtime';
import { findPercentile, round, timeMs } from './statistics';

const SERVERS = 50;
const CALLS_A_SERVER = 40;
/** In flight at once on each server: the cap that a server has without settings. */
const AT_ONCE = 4;
const ROUNDS = 5;
const AIM = 0.8;
const TOOL = 'slow';
const ARGUMENTS = { steps: 0 };

const nothing = (): void => undefined;

type Call = (key: string) => Promise<void>;

/** Calls a second over fifty servers, with the whole path and its ledger, against the same connections asked directly. */
export const throughputBenchmark: Benchmark = {
  name: 'calls-ledgered',
  about: `calls a second over ${SERVERS} servers, ledgered, against the same without a ledger`,
  run: async (note): Promise<BenchmarkResult> => {
    const keys = Array.from({ length: SERVERS }, (_, index) => `s${index}`);
    // Different arguments, since identical servers are one connection.
    const servers = Object.fromEntries(keys.map((key) => [key, { ...rawServer('calls'), env: { BENCH_SERVER: key } }]));
    return withRuntime(servers, async (bench) => {
      await Promise.all(keys.map((key) => callLedgered(bench, key)));
      note(`${SERVERS} servers are connected`);
      const rates: { ledgered: number[]; bare: number[] } = { ledgered: [], bare: [] };
      for (let round = 0; round < ROUNDS; round += 1) {
        rates.bare.push(await measureRate(keys, (key) => callUnledgered(bench, key)));
        rates.ledgered.push(await measureRate(keys, (key) => callLedgered(bench, key)));
      }
      const [ledgered, bare] = [findPercentile(rates.ledgered, 0.5), findPercentile(rates.bare, 0.5)];
      const value = round(ledgered / bare);
      const details = { servers: SERVERS, atOnceOnEach: AT_ONCE, callsASecond: { ledgered: Math.round(ledgered), withoutLedger: Math.round(bare) } };
      return { name: 'calls-ledgered', unit: '× the rate without a ledger', value, aim: AIM, holds: value >= AIM, details };
    });
  },
};

async function measureRate(keys: readonly string[], call: Call): Promise<number> {
  const callInTurn = async (key: string): Promise<void> => {
    for (let n = 0; n < CALLS_A_SERVER / AT_ONCE; n += 1) await call(key);
  };
  const tookMs = await timeMs(() => Promise.all(keys.flatMap((key) => Array.from({ length: AT_ONCE }, () => callInTurn(key)))));
  return (keys.length * CALLS_A_SERVER * 1000) / tookMs;
}

async function callLedgered({ runtime, principal }: BenchRuntime, key: string): Promise<void> {
  const request = {
    callId: callIds.create(), runId: principal.sessionRunId, serverKey: toServerKey(key), tool: TOOL, arguments: ARGUMENTS, totalMs: null, tryAnyway: false, requiresExposure: true,
  };
  const { outcome, error } = await runtime.calls.call(request, principal, new AbortController().signal);
  if (outcome !== 'ok') throw new Error(`a call ended ${outcome}: ${error?.message ?? ''}`);
}

async function callUnledgered({ runtime }: BenchRuntime, key: string): Promise<void> {
  const signal = new AbortController().signal;
  const acquired = await runtime.pool.acquire(toServerKey(key), 'call', signal);
  if (!acquired.ok) throw new Error(acquired.error.message);
  try {
    const answer = await acquired.value.connection.callTool({ tool: TOOL, arguments: ARGUMENTS, onSent: nothing, onFirstByte: nothing, onProgress: nothing, onLateAnswer: nothing }, signal);
    if (answer.kind !== 'result') throw new Error(`a call ended ${answer.kind}`);
  } finally {
    acquired.value.release();
  }
}

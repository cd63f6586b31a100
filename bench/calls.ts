import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { callIds, type JsonObject } from '@/lib/core';
import { toServerKey } from '@/lib/servers';
import type { Benchmark, BenchmarkResult } from './benchmark';
import { rawServer } from './raw-server';
import { withRuntime, type BenchRuntime } from './runtime';
import { findPercentile, round, timeMs } from './statistics';

const AIM = 1.15;
const KEY = toServerKey('it');

/** What is called, in rounds that take turns with the bare client's, so that both meet the same moods of the machine. */
interface Subject {
  readonly tool: string;
  readonly arguments: JsonObject;
  readonly rounds: number;
  readonly callsARound: number;
}

export const callBenchmarks: readonly Benchmark[] = [
  defineCallBenchmark('call', 'a call of 20 ms through the whole path against the bare SDK client, same server', {
    tool: 'quiet', arguments: { step_ms: 20 }, rounds: 20, callsARound: 25,
  }),
  defineCallBenchmark('call-at-once', 'the same with a tool that answers at once: what the path itself costs', {
    tool: 'slow', arguments: { steps: 0 }, rounds: 20, callsARound: 50,
  }),
];

/** Times single calls, ours and the bare client's; the value is the larger of the ratios of the medians and of the 99th percentiles. */
function defineCallBenchmark(name: string, about: string, subject: Subject): Benchmark {
  return {
    name,
    about,
    run: () =>
      withRuntime({ it: rawServer('calls') }, async (bench): Promise<BenchmarkResult> => {
        const client = new Client({ name: 'bare', version: '1.0.0' });
        const { command, args } = rawServer('calls');
        await client.connect(new StdioClientTransport({ command, args: [...args], stderr: 'ignore' }));
        try {
          const callBare = () => client.callTool({ name: subject.tool, arguments: { ...subject.arguments } });
          const { ours, bare } = await measure(subject, () => callOurs(bench, subject), callBare);
          const [p50, p99] = [0.5, 0.99].map((share) => ({ ours: findPercentile(ours, share), bare: findPercentile(bare, share) }));
          const ratios = [p50, p99].map((pair) => round((pair?.ours ?? NaN) / (pair?.bare ?? NaN)));
          const value = Math.max(...ratios);
          const details = { calls: ours.length, p50Ms: roundPair(p50), p99Ms: roundPair(p99), ratios: { p50: ratios[0], p99: ratios[1] } };
          return { name, unit: '× the bare client', value, aim: AIM, holds: value <= AIM, details };
        } finally {
          await client.close();
        }
      }),
  };
}

async function measure(subject: Subject, callOne: () => Promise<unknown>, callOther: () => Promise<unknown>): Promise<{ ours: number[]; bare: number[] }> {
  const [ours, bare]: [number[], number[]] = [[], []];
  for (let each = 0; each < subject.callsARound; each += 1) await Promise.all([callOne(), callOther()]);
  for (let each = 0; each < subject.rounds * 2; each += 1) {
    const [times, call] = each % 2 === 0 ? [ours, callOne] : [bare, callOther];
    for (let n = 0; n < subject.callsARound; n += 1) times.push(await timeMs(call));
  }
  return { ours, bare };
}

async function callOurs({ runtime, principal }: BenchRuntime, { tool, arguments: given }: Subject): Promise<void> {
  const request = { callId: callIds.create(), runId: principal.sessionRunId, serverKey: KEY, tool, arguments: given, totalMs: null, tryAnyway: false, requiresExposure: true };
  const { outcome, error } = await runtime.calls.call(request, principal, new AbortController().signal);
  if (outcome !== 'ok') throw new Error(`a call ended ${outcome}: ${error?.message ?? ''}`);
}

const roundPair = (pair: { ours: number; bare: number } | undefined) => pair && { ours: round(pair.ours), bare: round(pair.bare) };

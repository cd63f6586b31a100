import type { Benchmark } from './benchmark';
import { callBenchmarks } from './calls';
import { hundredServersBenchmark } from './hundred-servers';
import { ledgerBenchmarks } from './ledger';
import { liveLatencyBenchmark } from './live-latency';
import { pageScriptBenchmark } from './page-script';
import { peerBenchmarks } from './peers';
import { throughputBenchmark } from './throughput';

/** Every benchmark by its name. */
export const BENCHMARKS: readonly Benchmark[] = [
  ...callBenchmarks, throughputBenchmark, hundredServersBenchmark, ...ledgerBenchmarks, liveLatencyBenchmark, pageScriptBenchmark, ...peerBenchmarks,
];

import type { Benchmark } from './benchmark';
import { ledgerBenchmarks } from './ledger';

/** Every benchmark by its name. */
export const BENCHMARKS: readonly Benchmark[] = [...ledgerBenchmarks];

/** What a benchmark found: one JSON document. */
export interface BenchmarkResult {
  readonly name: string;
  readonly unit: string;
  readonly value: number;
  /** What it should be: at most, or for a ratio where more is better, at least. */
  readonly aim: number;
  readonly holds: boolean;
  readonly details: Readonly<Record<string, unknown>>;
}

export interface Benchmark {
  readonly name: string;
  /** What it measures, in a sentence. */
  readonly about: string;
  /** @param note says how far it is, on stderr */
  run(note: (text: string) => void): Promise<BenchmarkResult>;
}

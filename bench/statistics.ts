/** The value that this share of the samples does not exceed. */
export function findPercentile(samples: readonly number[], share: number): number {
  const sorted = samples.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? NaN;
}

export const round = (value: number): number => Math.round(value * 1000) / 1000;

/** How long a piece of work takes, in ms. */
export async function timeMs(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

/** A line of a secret that is shorter, a lone bracket say, tells nothing and stands in other texts too. */
const SHORTEST_LINE_OF_SECRET = 8;

/** The secrets, and the lines of those that have several: what a server prints comes line by line. */
export function listSecretTexts(values: readonly string[]): string[] {
  const lines = values.flatMap((value) => (value.includes('\n') ? value.split('\n').map((line) => line.trim()) : []));
  return [...values, ...lines.filter((line) => line.length >= SHORTEST_LINE_OF_SECRET)];
}

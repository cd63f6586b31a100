/** Time as the domain sees it: integer milliseconds since 1970, UTC. */
export interface Clock {
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };

/** ISO 8601 UTC, the form of every `at` on the wire and the command line. */
export const toIso = (at: number): string => new Date(at).toISOString();

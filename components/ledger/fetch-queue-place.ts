import { z } from 'zod';

const callsSchema = z.object({ calls: z.array(z.object({ sequence: z.int(), ahead: z.int().nullable() })) });

/** How many calls wait ahead of a call; null where it does not wait, or another process makes it. */
export async function fetchQueuePlace(sequence: number, signal?: AbortSignal): Promise<number | null> {
  const response = await fetch('/api/calls', { signal, headers: { accept: 'application/json' } });
  if (!response.ok) return null;
  return callsSchema.parse(await response.json()).calls.find((call) => call.sequence === sequence)?.ahead ?? null;
}

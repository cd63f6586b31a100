import { isListOf, isNullOr, isNumber, isShape, requireShape } from '@/lib/core';

const isCall = isShape<{ sequence: number; ahead: number | null }>({ sequence: isNumber, ahead: isNullOr(isNumber) });
const isCalls = isShape<{ calls: { sequence: number; ahead: number | null }[] }>({ calls: isListOf(isCall) });

/** How many calls wait ahead of a call; null where it does not wait, or another process makes it. */
export async function fetchQueuePlace(sequence: number, signal?: AbortSignal): Promise<number | null> {
  const response = await fetch('/api/calls', { signal, headers: { accept: 'application/json' } });
  if (!response.ok) return null;
  return requireShape(await response.json(), isCalls).calls.find((call) => call.sequence === sequence)?.ahead ?? null;
}

import { setTimeout as sleep } from 'node:timers/promises';
import type { ServerSnapshot } from '@/lib/manifests';
import type { WireAnswer } from '@/lib/pool/node';
import type { ServerRecord } from '@/lib/servers';
import { isTrusted } from '../policy';

/**
 * Whether the console may send a call once more by itself (product section 6.3): where it provably was not
 * carried out and another try may differ, or where it was lost and a trusted server says that the tool reads only.
 */
export function mayRepeat(answer: WireAnswer, record: ServerRecord, snapshot: ServerSnapshot, tool: string): boolean {
  if (answer.kind === 'not_sent') return answer.failure.code !== 'unauthorized' && answer.failure.code !== 'forbidden' && answer.failure.code !== 'cancelled';
  if (answer.kind !== 'lost') return false;
  const listed = snapshot.toolList.tools.find(({ name }) => name === tool);
  return isTrusted(record) && listed?.annotations.readOnlyHint === true;
}

/** Waits as long as the server asked for. @returns false where that is more than the call may take, or it was stopped */
export async function waitBeforeRepeat(answer: WireAnswer, withinMs: number, signal: AbortSignal): Promise<boolean> {
  if (signal.aborted) return false;
  const waitMs = answer.kind === 'not_sent' ? (answer.retryAfterMs ?? 0) : 0;
  if (waitMs > withinMs) return false;
  if (waitMs > 0) await sleep(waitMs, undefined, { signal }).catch(() => undefined);
  return !signal.aborted;
}

import type { ServerSnapshot } from '@/lib/manifests';
import type { ConnectFailureCode } from '@/lib/pool';
import type { WireAnswer } from '@/lib/pool/node';
import type { ServerRecord } from '@/lib/servers';
import { isTrusted } from '../policy';

/** A call is sent once more and no oftener, whatever the reason. */
const MOST_ATTEMPTS = 2;

/** Whoever refuses an account or a connection refuses the next one as well. */
const SETTLED: ReadonlySet<ConnectFailureCode> = new Set(['unauthorized', 'forbidden', 'closed_for_policy', 'cancelled']);

/** What a server that was reached may refuse a call with so that another try differs. */
const REPEATED: ReadonlySet<ConnectFailureCode> = new Set(['session_lost', 'too_many_requests', 'no_shared_revision']);

/** Whether the server refused the call because it gets too many (HTTP 429). */
export const isSlowDown = (answer: WireAnswer): answer is Extract<WireAnswer, { kind: 'not_sent' }> =>
  answer.kind === 'not_sent' && answer.failure.code === 'too_many_requests';

/**
 * Whether the console may send a call once more by itself (product section 6.3): where it provably was not
 * carried out and another try may differ, or where it was lost and a trusted server says that the tool reads only.
 * @param attempts made so far
 */
export function mayRepeat(answer: WireAnswer, attempts: number, record: ServerRecord, snapshot: ServerSnapshot, tool: string): boolean {
  if (attempts >= MOST_ATTEMPTS) return false;
  if ((answer.kind !== 'not_sent' && answer.kind !== 'lost') || SETTLED.has(answer.failure.code)) return false;
  if (answer.kind === 'not_sent') return answer.failure.evidence.httpStatus === undefined || REPEATED.has(answer.failure.code);
  const listed = snapshot.toolList.tools.find(({ name }) => name === tool);
  return isTrusted(record) && listed?.annotations.readOnlyHint === true;
}

import { describe, expect, it } from 'vitest';
import { mendToolList, type ServerSnapshot } from '@/lib/manifests';
import { explainFailure, type ConnectFailureCode } from '@/lib/pool';
import type { WireAnswer } from '@/lib/pool/node';
import { parseServerEntry, type ServerRecord } from '@/lib/servers';
import { mayRepeat } from './repeat';

const parsed = parseServerEntry({ key: 'it', url: 'wss://host.example/mcp' });
if (!parsed.ok) throw new Error('no entry');
const RECORD: ServerRecord = { entry: parsed.value, revision: 1, savedAt: 0, reviewedAt: 1, source: 'stored', bundled: false };
const SNAPSHOT: ServerSnapshot = {
  readAt: 1,
  toolList: mendToolList([
    { name: 'read', inputSchema: { type: 'object' }, annotations: { readOnlyHint: true } },
    { name: 'write', inputSchema: { type: 'object' } },
  ]),
  manifest: null,
  manifestProblem: null,
  resources: [],
  resourceTemplates: [],
  prompts: [],
};

const ended = (kind: 'not_sent' | 'lost', code: ConnectFailureCode): WireAnswer => ({ kind, failure: explainFailure(code, { stage: 'negotiate', server: 'it' }) });
const repeats = (answer: WireAnswer, tool = 'write', attempts = 1) => mayRepeat(answer, attempts, RECORD, SNAPSHOT, tool);

describe('a call that did not come to an answer', () => {
  it('is sent once more where it was not carried out, and another try may differ', () => {
    expect(repeats(ended('not_sent', 'session_lost'))).toBe(true);
    expect(repeats(ended('not_sent', 'session_lost'), 'write', 2)).toBe(false);
    for (const code of ['unauthorized', 'forbidden', 'closed_for_policy', 'cancelled'] as const) expect(repeats(ended('not_sent', code))).toBe(false);
  });

  it('and may have been carried out is sent once more only where its tool reads', () => {
    for (const code of ['connection_reset', 'closed_by_server'] as const) {
      expect(repeats(ended('lost', code), 'read')).toBe(true);
      expect(repeats(ended('lost', code), 'write')).toBe(false);
    }
    // A server that closed the connection for its policy, or for a sign-in, would do so again.
    for (const code of ['closed_for_policy', 'unauthorized'] as const) expect(repeats(ended('lost', code), 'read')).toBe(false);
  });
});

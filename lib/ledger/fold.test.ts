import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { callIds, runIds } from '@/lib/core';
import { toServerKey } from '@/lib/servers';
import type { LedgerEvent } from './entry';
import { foldEntry } from './fold';

const opening: LedgerEvent = {
  type: 'call.opened',
  at: 100,
  opening: {
    callId: callIds.create(), runId: runIds.create(), number: 7, step: null, actorKind: 'person', actorName: 'ana@example.org',
    serverKey: toServerKey('fs'), tool: 'read', exposedName: 'fs__read', plumbing: false, policy: null,
    arguments: { kind: 'inline', json: '{}', sizeBytes: 2 },
  },
};

const at = fc.integer({ min: 100, max: 110 });
const inline = fc.constantFrom(null, { kind: 'inline' as const, json: '1', sizeBytes: 1 }, { kind: 'inline' as const, json: '22', sizeBytes: 2 });
const event: fc.Arbitrary<LedgerEvent> = fc.oneof(
  fc.record({ type: fc.constant('call.queued' as const), at, ahead: fc.nat(3) }),
  fc.record({ type: fc.constant('call.sent' as const), at, attempt: fc.integer({ min: 1, max: 2 }), era: fc.constantFrom('legacy' as const, 'modern' as const), argumentsSent: inline }),
  fc.record({ type: fc.constant('call.answering' as const), at }),
  fc.record({ type: fc.constant('call.warned' as const), at, warning: fc.constantFrom('a', 'b', 'c') }),
  at.map((time): LedgerEvent => ({ type: 'call.progressed', at: time, note: { at: time, kind: 'progress', text: `${time}`, progress: null, total: null } })),
  fc.record({ type: fc.constant('call.finished' as const), at, outcome: fc.constantFrom('ok' as const, 'tool_error' as const, 'interrupted' as const), error: fc.constant(null), result: inline }),
  fc.record({ type: fc.constant('call.answered_late' as const), at, result: inline }),
);

const shuffledWithRepeats = fc
  .tuple(fc.array(event, { maxLength: 8 }), fc.infiniteStream(fc.nat(1000)))
  .map(([events, numbers]) => {
    const all = [opening, ...events];
    const repeated = [...all, ...all.filter(() => (numbers.next().value ?? 0) % 2 === 0)];
    const shuffled = repeated.map((item) => [numbers.next().value ?? 0, item] as const).sort((a, b) => a[0] - b[0]).map(([, item]) => item);
    return { all, shuffled };
  });

describe('an entry folded from its events', () => {
  it('is the same for any order and any repetition of them', () => {
    fc.assert(
      fc.property(shuffledWithRepeats, ({ all, shuffled }) => {
        expect(foldEntry(3, shuffled)).toEqual(foldEntry(3, all));
      }),
    );
  });

  it('keeps its first end, and is final from then on', () => {
    const entry = foldEntry(3, [
      opening,
      { type: 'call.sent', at: 101, attempt: 1, era: 'modern', argumentsSent: null },
      { type: 'call.finished', at: 105, outcome: 'ok', error: null, result: { kind: 'inline', json: '1', sizeBytes: 1 } },
      { type: 'call.finished', at: 106, outcome: 'interrupted', error: null, result: null },
      { type: 'call.sent', at: 107, attempt: 2, era: 'modern', argumentsSent: null },
    ]);
    expect(entry).toMatchObject({ sequence: 3, entryId: 'ev_0007', outcome: 'ok', finishedAt: 105, sentAt: 101, requestedAt: 100, attempts: 2 });
  });

  it('shows an answer that came late beside the end that stood', () => {
    const entry = foldEntry(3, [
      opening,
      { type: 'call.finished', at: 105, outcome: 'timeout', error: null, result: null },
      { type: 'call.answered_late', at: 120, result: { kind: 'inline', json: '{"a":1}', sizeBytes: 7 } },
    ]);
    expect(entry).toMatchObject({ outcome: 'timeout', lateAnswerAt: 120, result: { json: '{"a":1}' } });
  });

  it('is none without its opening', () => {
    expect(foldEntry(3, [{ type: 'call.answering', at: 1 }])).toBeUndefined();
  });
});

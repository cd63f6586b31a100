import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { OUTCOMES } from '@/lib/calls';
import { SERVER_STATES } from '@/lib/pool';
import { addCalls, describeFailed, describeLatency, isKept, isNews, NO_CALLS, PLOT_MS, toPlotBars, type LatencyColumn } from '.';

describe('news', () => {
  it('is what somebody has to know: not an idle connection that is opened again, nor a good start', () => {
    expect(isNews('connected', 'idle')).toBe(false);
    expect(isNews('idle', 'connected')).toBe(false);
    expect(isNews(null, 'connected')).toBe(false);
    expect(isNews(null, 'failing')).toBe(true);
    expect(isNews('failing', 'resting')).toBe(true);
    expect(isNews('resting', 'idle')).toBe(true);
    expect(isNews('connected', 'disabled')).toBe(true);
  });

  it('never is a state of the moment, nor no change at all', () => {
    for (const from of [null, ...SERVER_STATES]) {
      for (const to of SERVER_STATES) if (!isKept(to) || from === to) expect(isNews(from, to)).toBe(false);
    }
  });
});

test('the share of failed calls keeps apart what is not known, and never exceeds the calls that ended', () => {
  const call = fc.record({ outcome: fc.constantFrom(...OUTCOMES), wasSent: fc.boolean(), count: fc.integer({ min: 1, max: 9 }) });
  fc.assert(
    fc.property(fc.array(call), (calls) => {
      const share = calls.reduce((sum, { outcome, wasSent, count }) => addCalls(sum, outcome, wasSent, count), NO_CALLS);
      expect(share.failed + share.unknown).toBeLessThanOrEqual(share.ended);
    }),
  );
  expect(addCalls(NO_CALLS, 'timeout', true, 1)).toEqual({ ended: 1, failed: 0, unknown: 1 });
  expect(addCalls(NO_CALLS, 'cancelled', false, 1)).toEqual(NO_CALLS);
});

test('the share is said in words', () => {
  expect(describeFailed({ ended: 0, failed: 0, unknown: 0 })).toBe('no calls');
  expect(describeFailed({ ended: 250, failed: 1, unknown: 0 })).toBe('0.4 % failed');
  expect(describeFailed({ ended: 100_000, failed: 1, unknown: 0 })).toBe('< 0.1 % failed');
  expect(describeFailed({ ended: 3, failed: 1, unknown: 0 })).toBe('33 % failed');
  expect(describeFailed({ ended: 3, failed: 0, unknown: 3 })).toBe('0 % failed');
});

test('bars of a plot stay within it, whatever was measured', () => {
  const now = 1_800_000_000_000;
  const column: fc.Arbitrary<LatencyColumn> = fc.record({
    at: fc.integer({ min: now - 2 * PLOT_MS, max: now + PLOT_MS }),
    meanMs: fc.option(fc.double({ min: 0, max: 1e7, noNaN: true })),
    maxMs: fc.option(fc.double({ min: 0, max: 1e7, noNaN: true })),
    unanswered: fc.nat(),
  });
  fc.assert(
    fc.property(fc.array(column), (columns) => {
      for (const { x, width, height } of toPlotBars(columns, now)) {
        expect(x).toBeGreaterThanOrEqual(0);
        expect(x + width).toBeLessThanOrEqual(1 + 1e-9);
        expect(height).toBeGreaterThan(0);
        expect(height).toBeLessThanOrEqual(1);
      }
      expect(describeLatency(columns)).toMatch(/^Latency over the last day: .+\.$/);
    }),
  );
});

import { afterEach, beforeEach, expect, it } from 'vitest';
import { SERVER_STATES } from '@/lib/pool';
import { toKey } from '../../pool/node/testing';
import { toRecord } from '../../pool/node/testing-pools';
import { openTestLedger, type TestLedger } from '../../ledger/node/testing';
import { HealthMetrics } from './metrics';

let ledger: TestLedger;
let metrics: HealthMetrics;
let records = [toRecord('fs', 'echo')];
beforeEach(() => {
  ledger = openTestLedger();
  records = [toRecord('fs', 'echo')];
  metrics = new HealthMetrics({
    database: ledger.database, bus: ledger.bus,
    servers: { list: () => records },
    state: () => ({ name: 'idle', since: 1, facts: { transport: 'stdio', era: 'legacy', protocolVersion: '2025-11-25', serverInfo: null, instructions: null, processId: 1, connectedAt: 1 } }),
    loadOf: () => ({ inFlight: 2, queued: 3 }),
    usageOf: () => ({ processId: 1, residentBytes: 4096, processes: 1, startedAt: 1 }),
  });
});
afterEach(() => {
  metrics.close();
  ledger.close();
});

it('tells states in the words of every page, calls once each by outcome, and what waits', async () => {
  const sequence = ledger.writer.open(ledger.toOpening({ serverKey: toKey('fs') })).sequence;
  ledger.writer.append(sequence, { type: 'call.sent', at: 1000, attempt: 1, era: 'modern', argumentsSent: null });
  ledger.writer.append(sequence, { type: 'call.finished', at: 1300, outcome: 'timeout', error: null, result: null });
  const gone = ledger.writer.open(ledger.toOpening({ serverKey: toKey('gone') })).sequence;
  ledger.writer.append(gone, { type: 'call.finished', at: 1300, outcome: 'not_sent', error: null, result: null });
  metrics.noteChange({ id: 1, serverKey: 'fs', at: 1, from: 'connected', to: 'resting', code: null, message: null, remediation: null });
  const lines = (await metrics.render()).split('\n');
  expect(lines.filter((line) => line.startsWith('signalbox_server_state{'))).toEqual(
    SERVER_STATES.map((state) => `signalbox_server_state{server="fs",state="${state}"} ${state === 'idle' ? 1 : 0}`),
  );
  expect(lines.filter((line) => line.startsWith('signalbox_calls_total{'))).toEqual([
    'signalbox_calls_total{server="fs",outcome="timeout"} 1',
    'signalbox_calls_total{server="other",outcome="not_sent"} 1',
  ]);
  expect(lines).toContain('signalbox_call_duration_seconds_bucket{le="0.5",server="fs"} 1');
  expect(lines).toContain('signalbox_call_duration_seconds_bucket{le="0.25",server="fs"} 0');
  expect(lines).toContain('signalbox_calls_in_flight{server="fs"} 2');
  expect(lines).toContain('signalbox_calls_queued{server="fs"} 3');
  expect(lines).toContain('signalbox_server_rests_total{server="fs"} 1');
  expect(lines).toContain('signalbox_child_resident_bytes{server="fs"} 4096');
  expect(lines).toContain('signalbox_connections{transport="stdio"} 0');
  expect(lines).toContain('signalbox_ledger_entries 2');
  expect(lines.some((line) => /^signalbox_database_bytes [1-9]/.test(line))).toBe(true);
  expect(lines.some((line) => /^signalbox_event_loop_lag_seconds\{quantile="0.99"\} \d/.test(line))).toBe(true);
});

it('forgets a server that was deleted, and gives no more than 500 a label of their own', async () => {
  records = Array.from({ length: 600 }, (_each, index) => toRecord(`s${index}`, 'echo'));
  ledger.bus.publish({ type: 'servers.changed' });
  const sequence = ledger.writer.open(ledger.toOpening({ serverKey: toKey('s599') })).sequence;
  ledger.writer.append(sequence, { type: 'call.finished', at: 1, outcome: 'ok', error: null, result: null });
  const text = await metrics.render();
  expect(new Set(text.match(/server="[^"]+"/g)).size).toBe(501);
  records = [];
  expect(await metrics.render()).not.toContain('signalbox_calls_queued{');
});

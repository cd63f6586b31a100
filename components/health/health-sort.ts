import { SERVER_STATES } from '@/lib/pool';
import { TRANSPORTS } from '@/lib/servers';
import type { HealthRow } from '@/lib/health';
import type { FilterDefinition, FilterValues } from '../filters/definition';
import { toStateLook } from '../servers/state-look';

/** What the table is sorted by; the names stand in the address. */
export const HEALTH_SORTS = ['state', 'server', 'since', 'latency', 'failed', 'rests', 'queue', 'memory'] as const;
export type HealthSort = (typeof HEALTH_SORTS)[number];
export const DIRECTIONS = ['up', 'down'] as const;
export type Direction = (typeof DIRECTIONS)[number];

const URGENCY = { bad: 0, attention: 1, resting: 2, working: 3, unknown: 4, good: 5, disabled: 6 } as const;

/** What a row is sorted by; null goes last, whichever way. */
function valueOf(row: HealthRow, sort: HealthSort): number | null {
  switch (sort) {
    case 'server':
      return null;
    case 'state':
      return URGENCY[toStateLook(row.state).meaning];
    case 'since':
      return row.since;
    case 'latency':
      return row.latencyMs;
    case 'failed':
      return row.calls.ended === 0 ? null : row.calls.failed / row.calls.ended;
    case 'rests':
      return row.rests;
    case 'queue':
      return row.load.queued * 1e6 + row.load.inFlight;
    case 'memory':
      return row.process?.residentBytes ?? null;
  }
}

/** Rows in order; those that are alike by key. */
export function sortRows(rows: readonly HealthRow[], sort: HealthSort, direction: Direction): readonly HealthRow[] {
  const sign = direction === 'up' ? 1 : -1;
  const byKey = (a: HealthRow, b: HealthRow): number => (a.key < b.key ? -1 : 1);
  return rows.toSorted((a, b) => {
    if (sort === 'server') return sign * byKey(a, b);
    const [one, other] = [valueOf(a, sort), valueOf(b, sort)];
    if (one === null || other === null) return one === other ? byKey(a, b) : one === null ? 1 : -1;
    return sign * (one - other) || byKey(a, b);
  });
}

/** What rows are narrowed by; keys are those of the address. */
export const listHealthFilters = (rows: readonly HealthRow[]): readonly FilterDefinition[] => [
  { kind: 'text', key: 'q', label: 'Find a server' },
  { kind: 'choices', key: 'state', label: 'State', options: SERVER_STATES.map((name) => ({ value: name, label: name.replaceAll('_', ' ') })) },
  { kind: 'choices', key: 'transport', label: 'Transport', options: TRANSPORTS.map((name) => ({ value: name, label: name })) },
  { kind: 'choices', key: 'tag', label: 'Tag', options: [...new Set(rows.flatMap((row) => row.tags))].sort().map((tag) => ({ value: tag, label: tag })) },
];

/** Whether a row fits all that is set; several values of one kind are alternatives. */
export function fitsFilters(row: HealthRow, values: FilterValues): boolean {
  const words = (values['q']?.[0] ?? '').toLowerCase().split(/\s+/).filter((word) => word !== '');
  const text = `${row.key} ${row.label} ${row.tags.join(' ')}`.toLowerCase();
  const fits = (key: string, own: readonly string[]) => (values[key] ?? []).length === 0 || (values[key] ?? []).some((value) => own.includes(value));
  return words.every((word) => text.includes(word)) && fits('state', [row.state.name]) && fits('transport', [row.transport]) && fits('tag', row.tags);
}

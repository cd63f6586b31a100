import { MESSAGE_KINDS, WIRE_DIRECTIONS, type WireConnection, type WireFilter } from '@/lib/pool';
import type { FilterDefinition, FilterValues } from '../../filters/definition';
import { describeConnection } from './describe-connection';

const plain = (value: string) => ({ value, label: value });

/** What the traffic is narrowed by; keys are those of the address. */
export const listTrafficFilters = (connections: readonly WireConnection[]): readonly FilterDefinition[] => [
  { kind: 'choices', key: 'direction', label: 'Direction', options: WIRE_DIRECTIONS.map(plain) },
  { kind: 'choices', key: 'kind', label: 'Kind', options: MESSAGE_KINDS.map(plain) },
  {
    kind: 'choices', key: 'connection', label: 'Connection',
    options: connections.map((connection) => ({ value: String(connection.number), label: describeConnection(connection) })),
  },
  { kind: 'text', key: 'method', label: 'Method' },
  { kind: 'toggle', key: 'unanswered', label: 'Only unanswered' },
];

/** The filter that the set values make; what cannot be read narrows nothing. */
export const toWireFilter = (values: FilterValues): WireFilter => ({
  directions: WIRE_DIRECTIONS.filter((direction) => values['direction']?.includes(direction)),
  kinds: MESSAGE_KINDS.filter((kind) => values['kind']?.includes(kind)),
  connections: (values['connection'] ?? []).map(Number).filter(Number.isInteger),
  method: values['method']?.[0] ?? '',
  onlyUnanswered: (values['unanswered'] ?? []).length > 0,
});

import { SERVER_STATES } from '@/lib/pool';
import { TRANSPORTS } from '@/lib/servers';
import type { FilterDefinition, FilterValues } from '../filters/definition';
import { toStateLook } from './state-look';
import type { ServerCardView } from './views';

export const SORTS = ['attention', 'name', 'tested'] as const;
export type ServerSort = (typeof SORTS)[number];
export const SORT_WORDS: Record<ServerSort, string> = { attention: 'what needs attention first', name: 'by key', tested: 'last tested first' };

/** What servers are narrowed by; keys are those of the address. */
export const listServerFilters = (cards: readonly ServerCardView[]): readonly FilterDefinition[] => [
  { kind: 'text', key: 'q', label: 'Find a server' },
  { kind: 'choices', key: 'state', label: 'State', options: SERVER_STATES.map((name) => ({ value: name, label: name.replaceAll('_', ' ') })) },
  { kind: 'choices', key: 'transport', label: 'Transport', options: TRANSPORTS.map((name) => ({ value: name, label: name })) },
  { kind: 'choices', key: 'tag', label: 'Tag', options: [...new Set(cards.flatMap((card) => card.tags))].sort().map((tag) => ({ value: tag, label: tag })) },
];

/** Whether a card fits all that is set; several values of one kind are alternatives. */
export function matchesFilters(card: ServerCardView, values: FilterValues): boolean {
  const words = (values['q']?.[0] ?? '').toLowerCase().split(/\s+/).filter((word) => word !== '');
  const text = `${card.key} ${card.label} ${card.tags.join(' ')} ${card.unavailable.map((tool) => tool.name).join(' ')}`.toLowerCase();
  const fits = (key: string, own: readonly string[]) => (values[key] ?? []).length === 0 || (values[key] ?? []).some((value) => own.includes(value));
  return words.every((word) => text.includes(word)) && fits('state', [card.state.name]) && fits('transport', [card.transport]) && fits('tag', card.tags);
}

const URGENCY = { bad: 0, attention: 1, resting: 2, working: 3, unknown: 4, good: 5, disabled: 6 } as const;

export function compareCards(sort: ServerSort): (a: ServerCardView, b: ServerCardView) => number {
  const byKey = (a: ServerCardView, b: ServerCardView) => (a.key < b.key ? -1 : 1);
  const urgency = (card: ServerCardView) => URGENCY[toStateLook(card.state).meaning] * 2 + (card.unavailable.length > 0 || !card.reviewed ? 0 : 1);
  switch (sort) {
    case 'attention':
      return (a, b) => urgency(a) - urgency(b) || byKey(a, b);
    case 'name':
      return byKey;
    case 'tested':
      return (a, b) => (b.lastTest?.at ?? 0) - (a.lastTest?.at ?? 0) || byKey(a, b);
  }
}

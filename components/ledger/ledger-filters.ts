import type { ActorKind } from '@/lib/auth';
import { OUTCOMES } from '@/lib/calls';
import { parseLedgerFilter, withoutContentFilters, type LedgerFilter } from '@/lib/ledger';
import type { FilterDefinition, FilterValues } from '../filters/definition';
import { toOutcomeLook } from './outcome-look';

/** What the ledger holds, to choose from. */
export interface LedgerChoices {
  readonly serverKeys: readonly string[];
  readonly tools: readonly string[];
  readonly actorNames: readonly string[];
  readonly actorKinds: readonly ActorKind[];
  readonly errorCodes: readonly string[];
}

const ACTOR_WORDS: Record<ActorKind, string> = {
  person: 'a person',
  pack: 'a pack',
  model: 'a model',
  gateway: 'a gateway client',
  cli: 'the command line',
  console: 'the console',
};

/** As "by a person", "by the command line". */
export const toActorWord = (kind: ActorKind): string => ACTOR_WORDS[kind];

const plain = (value: string) => ({ value, label: value });

/** What the ledger is narrowed by; keys are those of `parseLedgerFilter`. */
export const listLedgerFilters = (choices: LedgerChoices, seesContents: boolean): readonly FilterDefinition[] => [
  ...(seesContents ? [{ kind: 'text', key: 'text', label: 'Find in contents', searched: true } as const] : []),
  { kind: 'choices', key: 'server', label: 'Server', options: choices.serverKeys.map(plain) },
  { kind: 'choices', key: 'tool', label: 'Tool', options: choices.tools.map(plain) },
  {
    kind: 'choices',
    key: 'outcome',
    label: 'Outcome',
    // Marked as after sending, when the uncertain ones are most often met.
    options: OUTCOMES.map((outcome) => ({ value: outcome, label: toOutcomeLook(outcome, 0).word, meaning: toOutcomeLook(outcome, 0).meaning })),
  },
  { kind: 'choices', key: 'code', label: 'Error', options: choices.errorCodes.map(plain) },
  { kind: 'choices', key: 'actor', label: 'Actor', options: choices.actorKinds.map((kind) => ({ value: kind, label: ACTOR_WORDS[kind] })) },
  { kind: 'choices', key: 'actor_name', label: 'Who', single: true, options: choices.actorNames.map(plain) },
  { kind: 'choices', key: 'run', label: 'Run', single: true, chipOnly: true, options: [] },
  { kind: 'range', key: 'from', toKey: 'to', label: 'Time' },
  { kind: 'duration', key: 'min_ms', toKey: 'max_ms', label: 'Duration' },
  { kind: 'toggle', key: 'plumbing', label: 'Plumbing', adds: true },
];

/** The filter that the set values make; what cannot be read, or would tell of what is not seen, is left out. */
export function toLedgerFilter(values: FilterValues, seesContents: boolean): LedgerFilter {
  const search = new URLSearchParams(Object.entries(values).flatMap(([key, set]) => set.map((value) => [key, value])));
  const { filter } = parseLedgerFilter(search);
  return seesContents ? filter : withoutContentFilters(filter).filter;
}

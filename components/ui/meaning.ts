/** What a mark says; colour never says it alone (each has its shape, and a word beside it). */
export const MEANINGS = ['good', 'working', 'attention', 'bad', 'unknown', 'resting', 'disabled'] as const;
export type Meaning = (typeof MEANINGS)[number];

interface MeaningLook {
  readonly shape: string;
  /** The word where the caller has no better one. */
  readonly word: string;
  readonly text: string;
  readonly soft: string;
  readonly border: string;
}

export const MEANING_LOOKS: Record<Meaning, MeaningLook> = {
  good: { shape: '●', word: 'good', text: 'text-good', soft: 'bg-good-soft', border: 'border-good' },
  working: { shape: '◐', word: 'working', text: 'text-working', soft: 'bg-working-soft', border: 'border-working' },
  attention: { shape: '▲', word: 'attention', text: 'text-attention', soft: 'bg-attention-soft', border: 'border-attention' },
  bad: { shape: '✕', word: 'bad', text: 'text-bad', soft: 'bg-bad-soft', border: 'border-bad' },
  unknown: { shape: '◇', word: 'not known', text: 'text-unknown', soft: 'bg-unknown-soft', border: 'border-unknown' },
  resting: { shape: '⏸', word: 'resting', text: 'text-muted', soft: 'bg-sunken', border: 'border-line-strong' },
  disabled: { shape: '○', word: 'disabled', text: 'text-faint', soft: 'bg-sunken', border: 'border-line-strong' },
};

import { cx } from './cx';
import { MEANING_LOOKS, type Meaning } from './meaning';
import { MeaningShape } from './meaning-shape';

interface StatusProps {
  readonly meaning: Meaning;
  /** The state in the product's words; the meaning's own word where there is none. */
  readonly word?: string;
  /** The shape alone where the word stands elsewhere in view; assistive technology still gets the word. */
  readonly shapeOnly?: boolean;
  readonly className?: string;
}

/** A state as shape, colour and word. */
export function Status({ meaning, word, shapeOnly = false, className }: StatusProps) {
  const look = MEANING_LOOKS[meaning];
  return (
    <span className={cx('inline-flex items-center gap-1 whitespace-nowrap', look.text, className)}>
      <MeaningShape meaning={meaning} />
      <span className={shapeOnly ? 'sr-only' : undefined}>{word ?? look.word}</span>
    </span>
  );
}

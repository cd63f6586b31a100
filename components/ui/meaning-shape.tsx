import { cx } from './cx';
import { MEANING_LOOKS, type Meaning } from './meaning';

/** A meaning's shape, always of one width; the word beside it is the caller's. */
export function MeaningShape({ meaning, className }: { readonly meaning: Meaning; readonly className?: string }) {
  return (
    <span aria-hidden="true" className={cx('inline-flex w-4 shrink-0 justify-center leading-none', className)}>
      {/* The pause sign is missing from many systems' fonts; U+FE0E keeps the others from becoming emoji. */}
      {meaning === 'resting' ? <PauseShape /> : `${MEANING_LOOKS[meaning].shape}\uFE0E`}
    </span>
  );
}

const PauseShape = () => (
  <svg viewBox="0 0 10 10" width="10" height="10" fill="currentColor">
    <path d="M2 1h2v8H2zM6 1h2v8H6z" />
  </svg>
);

import type { ReactNode } from 'react';
import { cx } from './cx';
import { MEANING_LOOKS, type Meaning } from './meaning';
import { MeaningShape } from './meaning-shape';

interface BadgeProps {
  /** Plain grey without one. */
  readonly meaning?: Meaning;
  readonly mono?: boolean;
  readonly title?: string;
  readonly children: ReactNode;
}

/** A short word about something; a meaning brings its shape with it. */
export function Badge({ meaning, mono = false, title, children }: BadgeProps) {
  const look = meaning === undefined ? null : MEANING_LOOKS[meaning];
  return (
    <span
      title={title}
      className={cx(
        'inline-flex h-5 items-center gap-1 rounded-sm border px-1.5 text-xs whitespace-nowrap',
        mono && 'font-mono',
        look === null ? 'border-line bg-sunken text-muted' : cx('border-transparent', look.soft, look.text),
      )}
    >
      {meaning === undefined ? null : <MeaningShape meaning={meaning} />}
      {children}
    </span>
  );
}

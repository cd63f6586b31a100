import { cx } from './cx';

interface SkeletonProps {
  /** How many lines it stands for. */
  readonly lines?: number;
  /** What is loading: "the ledger". */
  readonly label: string;
  readonly className?: string;
}

/** Stands in for what is loading, from 150 ms on: a quick answer shows no flicker. */
export function Skeleton({ lines = 3, label, className }: SkeletonProps) {
  return (
    <div role="status" aria-label={`Loading ${label}`} className={cx('flex animate-late flex-col gap-3', className)}>
      {Array.from({ length: lines }, (_, line) => (
        <div key={line} aria-hidden="true" className={cx('h-5 animate-pulse-slow rounded-sm bg-line', line % 3 === 2 && 'w-2/3')} />
      ))}
    </div>
  );
}

import type { ReactNode } from 'react';
import { cx } from './cx';

export interface KeyValueItem {
  readonly key: string;
  readonly value: ReactNode;
  /** Ids, hashes, commands. */
  readonly mono?: boolean;
}

/** Facts as a list of names and values; those without a value are left out. */
export function KeyValueList({ items, className }: { readonly items: readonly KeyValueItem[]; readonly className?: string }) {
  return (
    <dl className={cx('grid grid-cols-[minmax(7rem,max-content)_minmax(0,1fr)] gap-x-4 gap-y-1', className)}>
      {items
        .filter((item) => item.value !== null && item.value !== undefined && item.value !== '')
        .map((item) => (
          <div key={item.key} className="contents">
            <dt className="text-muted">{item.key}</dt>
            <dd className={cx('min-w-0 [overflow-wrap:anywhere]', item.mono === true && 'font-mono text-xs leading-5')}>{item.value}</dd>
          </div>
        ))}
    </dl>
  );
}

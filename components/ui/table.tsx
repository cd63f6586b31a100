import type { ComponentProps, ReactNode } from 'react';
import { cx } from './cx';

interface TableProps {
  /** Names the table for assistive technology. */
  readonly label: string;
  readonly className?: string;
  readonly children: ReactNode;
}

/** A dense table of 32 px rows that scrolls sideways in its own frame on narrow screens. */
export function Table({ label, className, children }: TableProps) {
  return (
    // Focusable, so that the keyboard can scroll it sideways.
    <div role="region" aria-label={label} tabIndex={0} className={cx('overflow-x-auto border-y border-line bg-surface', className)}>
      <table aria-label={label} className="w-full border-collapse text-left text-sm">
        {children}
      </table>
    </div>
  );
}

export const TableHead = ({ children }: { readonly children: ReactNode }) => (
  <thead className="text-xs text-muted">
    <tr>{children}</tr>
  </thead>
);

export const TableHeading = ({ className, ...rest }: ComponentProps<'th'>) => (
  <th scope="col" {...rest} className={cx('h-8 border-b border-line px-3 font-medium whitespace-nowrap', className)} />
);

export const TableRow = ({ className, ...rest }: ComponentProps<'tr'>) => (
  <tr {...rest} className={cx('border-b border-line last:border-b-0 hover:bg-hover', className)} />
);

export const TableCell = ({ className, ...rest }: ComponentProps<'td'>) => (
  <td {...rest} className={cx('h-8 px-3 py-1 align-top', className)} />
);

import type { Route } from 'next';
import Link from 'next/link';
import type { ReactNode } from 'react';
import { cx } from './cx';

interface TextLinkProps {
  readonly href: string;
  readonly className?: string;
  readonly children: ReactNode;
}

/** A link within the console, in running text or a cell. */
export function TextLink({ href, className, children }: TextLinkProps) {
  return (
    // Addresses that carry keys and filters are made at run time, beyond what typed routes can check.
    <Link href={href as Route} className={cx('text-accent underline-offset-2 hover:underline', className)}>
      {children}
    </Link>
  );
}

import type { Route } from 'next';
import Link from 'next/link';
import type { ReactNode } from 'react';
import type { Destination } from './destinations';

interface DestinationLinkProps {
  readonly destination: Destination;
  readonly isCurrent: boolean;
  readonly title?: string;
  readonly className: string;
  readonly children: ReactNode;
}

/** A way to a page, which says whether it is the one that is open. */
export function DestinationLink({ destination, isCurrent, title, className, children }: DestinationLinkProps) {
  return (
    <Link
      // The destinations are data; typed routes check literals only.
      href={destination.href as Route}
      aria-current={isCurrent ? 'page' : undefined}
      title={title}
      className={className}
    >
      {children}
    </Link>
  );
}

import type { Route } from 'next';
import Link from 'next/link';
import type { ReactNode } from 'react';
import { buttonClasses, type ButtonSize, type ButtonVariant } from './button-classes';
import { cx } from './cx';

interface LinkButtonProps {
  readonly href: string;
  readonly variant?: ButtonVariant;
  readonly size?: ButtonSize;
  readonly icon?: ReactNode;
  readonly className?: string;
  readonly children: ReactNode;
}

/** A link within the console that looks like a button. */
export function LinkButton({ href, variant = 'secondary', size = 'normal', icon, className, children }: LinkButtonProps) {
  return (
    // Addresses that carry keys and filters are made at run time, beyond what typed routes can check.
    <Link href={href as Route} className={cx(buttonClasses(variant, size), className)}>
      {icon}
      {children}
    </Link>
  );
}

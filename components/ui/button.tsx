import type { ComponentProps, ReactNode } from 'react';
import { buttonClasses, type ButtonSize, type ButtonVariant } from './button-classes';
import { cx } from './cx';

export interface ButtonProps extends ComponentProps<'button'> {
  readonly variant?: ButtonVariant;
  readonly size?: ButtonSize;
  readonly icon?: ReactNode;
  /** What was pressed is under way: the button keeps its place and its name and takes no further press. */
  readonly pending?: boolean;
}

export function Button({
  variant = 'secondary', size = 'normal', icon, pending = false, disabled, className, type = 'button', children, ...rest
}: ButtonProps) {
  return (
    <button
      {...rest}
      type={type}
      disabled={disabled === true || pending}
      aria-busy={pending || undefined}
      className={cx(buttonClasses(variant, size), className)}
    >
      {pending ? <span aria-hidden="true" className="animate-pulse-slow">◐</span> : icon}
      {children}
    </button>
  );
}

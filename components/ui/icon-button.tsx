import type { ComponentProps, ReactNode } from 'react';
import { iconButtonClasses, type ButtonSize, type ButtonVariant } from './button-classes';
import { cx } from './cx';

interface IconButtonProps extends Omit<ComponentProps<'button'>, 'aria-label' | 'children'> {
  /** Its name for those who do not see the icon, and its tooltip. */
  readonly label: string;
  readonly icon: ReactNode;
  readonly variant?: ButtonVariant;
  readonly size?: ButtonSize;
}

export function IconButton({
  label, icon, variant = 'quiet', size = 'normal', className, type = 'button', ...rest
}: IconButtonProps) {
  return (
    <button {...rest} type={type} aria-label={label} title={label} className={cx(iconButtonClasses(variant, size), className)}>
      {icon}
    </button>
  );
}

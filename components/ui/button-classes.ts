import { cx } from './cx';

export type ButtonVariant = 'primary' | 'secondary' | 'quiet' | 'danger';
export type ButtonSize = 'normal' | 'small';

const VARIANTS: Record<ButtonVariant, string> = {
  primary: 'border-accent bg-accent text-on-accent hover:not-disabled:border-accent-hover hover:not-disabled:bg-accent-hover',
  secondary: 'border-line-strong bg-surface text-text hover:not-disabled:bg-hover',
  quiet: 'border-transparent bg-transparent text-muted hover:not-disabled:bg-hover hover:not-disabled:text-text',
  danger: 'border-bad bg-surface text-bad hover:not-disabled:bg-bad hover:not-disabled:text-on-bad',
};

const SIZES: Record<ButtonSize, string> = {
  normal: 'h-8 text-base',
  small: 'h-6 text-xs',
};

const frameClasses = (variant: ButtonVariant, size: ButtonSize): string =>
  cx(
    'inline-flex shrink-0 items-center justify-center gap-2 rounded-sm border font-medium whitespace-nowrap select-none',
    'disabled:border-line disabled:bg-sunken disabled:text-faint aria-disabled:cursor-not-allowed',
    VARIANTS[variant],
    SIZES[size],
  );

/** What a button and a link that looks like one share. */
export const buttonClasses = (variant: ButtonVariant, size: ButtonSize): string =>
  cx(frameClasses(variant, size), size === 'normal' ? 'px-3' : 'px-2');

/** A square button that shows an icon alone. */
export const iconButtonClasses = (variant: ButtonVariant, size: ButtonSize): string =>
  cx(frameClasses(variant, size), size === 'normal' ? 'w-8' : 'w-6');

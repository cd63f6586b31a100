'use client';

import { cx } from './cx';

interface SwitchProps {
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
  /** What is switched, for those who do not see where it stands: "files enabled". */
  readonly label: string;
  /** The words beside it; `on` and `off` unless said otherwise. */
  readonly words?: readonly [on: string, off: string];
  readonly disabled?: boolean;
}

/** Takes effect at once; its word stands beside it, so that position and colour are never alone. */
export function Switch({ checked, onChange, label, words = ['on', 'off'], disabled = false }: SwitchProps) {
  return (
    <button
      type="button"
      role="switch"
      aria-checked={checked}
      aria-label={label}
      disabled={disabled}
      onClick={() => onChange(!checked)}
      className="inline-flex h-8 items-center gap-2 rounded-sm px-1 text-sm text-muted disabled:text-faint"
    >
      <span
        aria-hidden="true"
        className={cx(
          'flex h-4 w-7 items-center rounded-full border px-0.5',
          checked ? 'justify-end border-accent bg-accent' : 'justify-start border-line-strong bg-surface',
        )}
      >
        <span className={cx('size-2.5 rounded-full', checked ? 'bg-on-accent' : 'bg-line-strong')} />
      </span>
      <span aria-hidden="true">{checked ? words[0] : words[1]}</span>
    </button>
  );
}

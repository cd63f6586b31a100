import type { ReactNode } from 'react';

/** What stands in a menu. */
export type MenuItem =
  | { readonly kind: 'action'; readonly key: string; readonly label: string; readonly icon?: ReactNode; readonly danger?: boolean; readonly disabled?: boolean; readonly onSelect: () => void }
  | { readonly kind: 'link'; readonly key: string; readonly label: string; readonly icon?: ReactNode; readonly href: string }
  | { readonly kind: 'note'; readonly key: string; readonly text: string }
  | { readonly kind: 'separator'; readonly key: string };

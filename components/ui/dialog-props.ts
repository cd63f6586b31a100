import type { ReactNode } from 'react';

export interface DialogProps {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly title: string;
  /** What is asked or shown, read out with the title. */
  readonly description?: ReactNode;
  readonly wide?: boolean;
  readonly children?: ReactNode;
  /** The buttons, the main one last. */
  readonly footer?: ReactNode;
}

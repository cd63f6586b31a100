import type { ReactNode, RefObject } from 'react';

export interface DialogProps {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly title: string;
  /** What is asked or shown, read out with the title. */
  readonly description?: ReactNode;
  readonly wide?: boolean;
  /** What takes the focus; the first control without one. */
  readonly initialFocus?: RefObject<HTMLElement | null>;
  readonly children?: ReactNode;
  /** The buttons, the main one last. */
  readonly footer?: ReactNode;
}

'use client';

import { lazy, Suspense, useState, type ReactNode, type RefObject } from 'react';

// The focus trap and the portal are fetched when a dialog first opens: no first paint pays for them.
const DialogPopup = lazy(() => import('./dialog-popup'));

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

/** For what must stop a person; details belong in a `SidePanel`. */
export function Dialog(props: DialogProps) {
  const [wasOpened, setWasOpened] = useState(props.open);
  if (props.open && !wasOpened) setWasOpened(true);
  if (!wasOpened) return null;
  return (
    <Suspense fallback={null}>
      <DialogPopup {...props} />
    </Suspense>
  );
}

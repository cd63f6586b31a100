'use client';

import { lazy, Suspense, useState } from 'react';
import type { DialogProps } from './dialog-props';

// The focus trap and the portal are fetched when a dialog first opens: no first paint pays for them.
const DialogPopup = lazy(() => import('./dialog-popup'));

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

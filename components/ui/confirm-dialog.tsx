'use client';

import { useState, type ReactNode } from 'react';
import { Button } from './button';
import { Dialog } from './dialog';

interface ConfirmDialogProps {
  readonly open: boolean;
  readonly onClose: () => void;
  /** The question: "Delete files?" */
  readonly title: string;
  /** What will happen, and what stays. */
  readonly description: ReactNode;
  /** The verb on the button: "Delete". */
  readonly confirmLabel: string;
  readonly danger?: boolean;
  /** The dialog waits for it, then closes; what failed is told by the caller. */
  readonly onConfirm: () => Promise<void> | void;
  readonly children?: ReactNode;
}

export function ConfirmDialog({
  open, onClose, title, description, confirmLabel, danger = false, onConfirm, children,
}: ConfirmDialogProps) {
  const [pending, setPending] = useState(false);
  const confirm = async () => {
    setPending(true);
    try {
      await onConfirm();
    } finally {
      setPending(false);
      onClose();
    }
  };
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={title}
      description={description}
      footer={
        <>
          <Button onClick={onClose} disabled={pending}>
            Cancel
          </Button>
          <Button variant={danger ? 'danger' : 'primary'} pending={pending} onClick={() => void confirm()}>
            {confirmLabel}
          </Button>
        </>
      }
    >
      {children}
    </Dialog>
  );
}

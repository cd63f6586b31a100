'use client';

import { Dialog as BaseDialog } from '@base-ui/react/dialog';
import { X } from 'lucide-react';
import { cx } from './cx';
import type { DialogProps } from './dialog-props';
import { iconButtonClasses } from './button-classes';

export default function DialogPopup({ open, onClose, title, description, wide = false, children, footer }: DialogProps) {
  return (
    <BaseDialog.Root
      open={open}
      onOpenChange={(next) => {
        if (!next) onClose();
      }}
    >
      <BaseDialog.Portal>
        <BaseDialog.Backdrop className="fixed inset-0 z-40 bg-backdrop" />
        <BaseDialog.Popup
          className={cx(
            'fixed top-[12vh] left-1/2 z-50 flex max-h-[76vh] w-[calc(100vw-2rem)] -translate-x-1/2 flex-col rounded-md border border-line bg-surface shadow-float',
            wide ? 'max-w-3xl' : 'max-w-lg',
          )}
        >
          <div className="flex items-start justify-between gap-2 px-4 pt-3">
            <BaseDialog.Title className="text-lg font-semibold break-words">{title}</BaseDialog.Title>
            <BaseDialog.Close aria-label="Close" className={iconButtonClasses('quiet', 'normal')}>
              <X size={16} aria-hidden="true" />
            </BaseDialog.Close>
          </div>
          <div className="flex min-h-0 flex-col gap-3 overflow-y-auto px-4 py-2">
            {description === undefined ? null : (
              <BaseDialog.Description render={<div />} className="max-w-prose text-muted">
                {description}
              </BaseDialog.Description>
            )}
            {children}
          </div>
          {footer === undefined ? null : <div className="flex flex-wrap justify-end gap-2 border-t border-line px-4 py-3">{footer}</div>}
        </BaseDialog.Popup>
      </BaseDialog.Portal>
    </BaseDialog.Root>
  );
}

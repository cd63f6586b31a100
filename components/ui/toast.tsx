'use client';

import { X } from 'lucide-react';
import { createContext, useCallback, useContext, useEffect, useState, type ReactNode } from 'react';
import { toVisibleText } from '@/lib/core';
import { IconButton } from './icon-button';
import { MEANING_LOOKS, type Meaning } from './meaning';
import { MeaningShape } from './meaning-shape';
import { cx } from './cx';

export interface ToastMessage {
  readonly meaning: Meaning;
  /** What happened, to what. */
  readonly text: string;
  readonly remedy?: string | null;
}

const ToastContext = createContext<(message: ToastMessage) => void>(() => undefined);

/** Shows one message at a time; a newer one takes its place. */
export const useToast = () => useContext(ToastContext);

const SHOWN_MS = 6000;

export function ToastProvider({ children }: { readonly children: ReactNode }) {
  const [shown, setShown] = useState<{ readonly message: ToastMessage; readonly number: number } | null>(null);
  const show = useCallback((message: ToastMessage) => {
    setShown((before) => ({ message, number: (before?.number ?? 0) + 1 }));
  }, []);
  useEffect(() => {
    // Bad news stays until it is dismissed: someone may be reading its remedy.
    if (shown === null || shown.message.meaning === 'bad') return;
    const timer = setTimeout(() => setShown(null), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [shown]);
  return (
    <ToastContext value={show}>
      {children}
      <div role="status" aria-live="polite" className="fixed right-4 bottom-16 z-50 max-w-[calc(100vw-2rem)] md:bottom-4">
        {shown === null ? null : <ToastView message={shown.message} onDismiss={() => setShown(null)} />}
      </div>
    </ToastContext>
  );
}

function ToastView({ message, onDismiss }: { readonly message: ToastMessage; readonly onDismiss: () => void }) {
  const look = MEANING_LOOKS[message.meaning];
  return (
    <div className={cx('flex max-w-md items-start gap-3 rounded-md border border-l-4 bg-surface py-2 pr-2 pl-3 shadow-float', look.border)}>
      <MeaningShape meaning={message.meaning} className={cx('pt-0.5', look.text)} />
      <div className="min-w-0 flex-1">
        <p className="break-words">{toVisibleText(message.text)}</p>
        {message.remedy ? <p className="text-sm break-words text-muted">Do this: {toVisibleText(message.remedy)}</p> : null}
      </div>
      <IconButton size="small" label="Dismiss" icon={<X size={14} aria-hidden="true" />} onClick={onDismiss} />
    </div>
  );
}

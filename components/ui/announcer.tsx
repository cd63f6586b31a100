'use client';

import { createContext, useCallback, useContext, useState, type ReactNode } from 'react';

const AnnouncerContext = createContext<(text: string) => void>(() => undefined);

/** Tells assistive technology of a change that shows elsewhere in view. */
export const useAnnounce = () => useContext(AnnouncerContext);

export function AnnouncerProvider({ children }: { readonly children: ReactNode }) {
  const [said, setSaid] = useState({ text: '', number: 0 });
  const announce = useCallback((text: string) => setSaid((before) => ({ text, number: before.number + 1 })), []);
  return (
    <AnnouncerContext value={announce}>
      {children}
      {/* A new key makes the same sentence heard a second time. */}
      <div role="status" aria-live="polite" className="sr-only">
        <span key={said.number}>{said.text}</span>
      </div>
    </AnnouncerContext>
  );
}

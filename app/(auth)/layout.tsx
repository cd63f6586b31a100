import type { ReactNode } from 'react';

/** The pages before anyone is signed in: one column, nothing else. */
export default function AuthLayout({ children }: { readonly children: ReactNode }) {
  return (
    <main className="mx-auto flex min-h-dvh w-full max-w-sm flex-col justify-center gap-6 p-4">
      <p className="text-sm font-medium text-muted">Signalbox</p>
      {children}
    </main>
  );
}

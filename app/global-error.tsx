'use client';

import './globals.css';

import { PageFailure } from '@/components/shell/page-failure';

interface GlobalErrorProps {
  readonly error: Error & { readonly digest?: string };
  readonly reset: () => void;
}

/** Stands in for the whole document when the root layout itself failed. */
export default function GlobalError({ error, reset }: GlobalErrorProps) {
  return (
    <html lang="en">
      <body>
        <title>Signalbox</title>
        <main id="content" className="p-4">
          <PageFailure digest={error.digest} onRetry={reset} />
        </main>
      </body>
    </html>
  );
}

'use client';

import { PageFailure } from '@/components/shell/page-failure';
import { PageBody, PageHeader } from '@/components/ui/page';

interface ConsoleErrorProps {
  readonly error: Error & { readonly digest?: string };
  readonly reset: () => void;
}

export default function ConsoleError({ error, reset }: ConsoleErrorProps) {
  return (
    <>
      <PageHeader title="This page failed" />
      <PageBody>
        <PageFailure digest={error.digest} onRetry={reset} />
      </PageBody>
    </>
  );
}

'use client';

import { CSPProvider } from '@base-ui/react/csp-provider';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { NuqsAdapter } from 'nuqs/adapters/next/app';
import { useState, type ReactNode } from 'react';
import { AnnouncerProvider } from '../ui/announcer';
import { ToastProvider } from '../ui/toast';

interface ProvidersProps {
  /** Of the content security policy: style elements without it are refused. */
  readonly nonce: string | undefined;
  readonly children: ReactNode;
}

/** What every page stands on in the browser. */
export function Providers({ nonce, children }: ProvidersProps) {
  const [queryClient] = useState(
    () =>
      new QueryClient({
        defaultOptions: {
          // The live stream says when something changed; asking again on a hunch would only repeat answers.
          queries: { staleTime: Infinity, refetchOnWindowFocus: false, retry: 1 },
        },
      }),
  );
  return (
    <CSPProvider nonce={nonce}>
      <QueryClientProvider client={queryClient}>
        <NuqsAdapter>
          <AnnouncerProvider>
            <ToastProvider>{children}</ToastProvider>
          </AnnouncerProvider>
        </NuqsAdapter>
      </QueryClientProvider>
    </CSPProvider>
  );
}

import '@fontsource-variable/inter/wght.css';
import '@fontsource-variable/jetbrains-mono/wght.css';
import './globals.css';

import type { Metadata, Viewport } from 'next';
import { cookies, headers } from 'next/headers';
import type { ReactNode } from 'react';
import { Providers } from '@/components/shell/providers';
import { THEME_COOKIE, toTheme } from '@/components/shell/theme';

export const metadata: Metadata = {
  title: { default: 'Signalbox', template: '%s · Signalbox' },
  description: 'An operator console for MCP servers',
};

export const viewport: Viewport = { colorScheme: 'light dark' };

export default async function RootLayout({ children }: { readonly children: ReactNode }) {
  const nonce = (await headers()).get('x-nonce') ?? undefined;
  const theme = toTheme((await cookies()).get(THEME_COOKIE)?.value);
  return (
    <html lang="en" data-theme={theme === 'system' ? undefined : theme}>
      <body>
        <Providers nonce={nonce}>{children}</Providers>
      </body>
    </html>
  );
}

import type { Metadata } from 'next';
import { LinkButton } from '@/components/ui/link-button';

export const metadata: Metadata = { title: 'Not found' };

// Next's own page carries inline styles, which the content security policy refuses.
export default function NotFound() {
  return (
    <main id="content" className="flex flex-col items-start gap-3 p-6">
      <h1 className="text-lg font-semibold">There is nothing at this address</h1>
      <p className="max-w-prose text-muted">
        The page does not exist, or what it showed was deleted. Check the address, or go on from one of these pages.
      </p>
      <div className="flex flex-wrap gap-2">
        <LinkButton href="/servers">Servers</LinkButton>
        <LinkButton href="/ledger">Ledger</LinkButton>
      </div>
    </main>
  );
}

'use client';

import { useState } from 'react';
import { toVisibleText } from '@/lib/core';
import { Button } from '../ui/button';
import { Code } from '../ui/code-block';

interface UseAddressProps {
  readonly address: string;
  readonly onUse: (address: string) => Promise<void> | void;
}

/** The address that a server redirects to, in full, and the one press that takes it. */
export function UseAddress({ address, onUse }: UseAddressProps) {
  const [pending, setPending] = useState(false);
  const take = async () => {
    setPending(true);
    try {
      await onUse(address);
    } finally {
      setPending(false);
    }
  };
  return (
    <span className="flex min-w-0 flex-wrap items-center gap-2 text-sm">
      <Button size="small" pending={pending} onClick={() => void take()}>Use this address</Button>
      <Code>{toVisibleText(address)}</Code>
    </span>
  );
}

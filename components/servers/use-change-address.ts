'use client';

import { useToast } from '../ui/toast';
import type { ChangeAddress } from './action';

/** Stores another address for a saved server, and says how that went; null for those who may not. */
export function useChangeAddress(serverKey: string, changeAddress: ChangeAddress | null): ((address: string) => Promise<void>) | null {
  const toast = useToast();
  if (changeAddress === null) return null;
  return async (address) => {
    const answer = await changeAddress({ key: serverKey, url: address });
    toast(answer.ok ? { meaning: 'good', text: `${serverKey} was saved with this address, and is connected anew.` } : { meaning: 'bad', text: answer.message, remedy: answer.remedy });
  };
}

'use client';

import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { Button } from '../ui/button';
import { ConfirmDialog } from '../ui/confirm-dialog';
import { useToast } from '../ui/toast';
import type { KeyAction } from './action';

/** Takes a server out for good, once somebody confirmed it. */
export function DeleteServer({ serverKey, deleteServer }: { readonly serverKey: string; readonly deleteServer: KeyAction }) {
  const router = useRouter();
  const toast = useToast();
  const [asked, setAsked] = useState(false);
  const remove = async () => {
    const answer = await deleteServer({ key: serverKey });
    if (!answer.ok) return toast({ meaning: 'bad', text: answer.message, remedy: answer.remedy });
    toast({ meaning: 'good', text: `${serverKey} was deleted. Its calls stay in the ledger.` });
    return router.push('/servers');
  };
  return (
    <>
      <Button variant="danger" onClick={() => setAsked(true)}>Delete the server…</Button>
      <ConfirmDialog
        open={asked}
        onClose={() => setAsked(false)}
        title={`Delete ${serverKey}?`}
        description="Its configuration goes, with every process that it runs. Its calls in the ledger, the fingerprints of its tools and the names they were given stay."
        confirmLabel="Delete"
        danger
        onConfirm={async () => {
          await remove();
        }}
      />
    </>
  );
}

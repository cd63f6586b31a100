'use client';

import { useState } from 'react';
import { useAnnounce } from '../ui/announcer';
import { Button } from '../ui/button';
import { ConfirmDialog } from '../ui/confirm-dialog';
import { Select } from '../ui/select';
import { useToast } from '../ui/toast';
import type { ActOnServers, ActResult, HealthAct } from './action';

const RESTS = [
  { value: '10', label: '10 minutes' },
  { value: '60', label: '1 hour' },
  { value: '480', label: '8 hours' },
  { value: '1440', label: '24 hours' },
] as const;

interface ActBarProps {
  readonly keys: readonly string[];
  readonly act: ActOnServers;
  readonly onResults: (results: readonly ActResult[]) => void;
}

/** What can be done with the servers that are picked. */
export function ActBar({ keys, act, onResults }: ActBarProps) {
  const toast = useToast();
  const announce = useAnnounce();
  const [restMinutes, setRestMinutes] = useState('10');
  const [pending, setPending] = useState<HealthAct | null>(null);
  const [asked, setAsked] = useState(false);
  const perform = async (name: HealthAct) => {
    setPending(name);
    try {
      const answer = await act({ keys, act: name, restMinutes: Number(restMinutes) });
      if (!answer.ok) return toast({ meaning: 'bad', text: answer.message, remedy: answer.remedy });
      const failed = answer.data.results.filter((result) => !result.ok).length;
      announce(`${answer.data.results.length - failed} of ${answer.data.results.length} done.`);
      onResults(answer.data.results);
    } finally {
      setPending(null);
    }
  };
  const button = (name: HealthAct, word: string) => (
    <Button size="small" pending={pending === name} disabled={keys.length === 0 || pending !== null} onClick={() => void perform(name)}>{word}</Button>
  );
  return (
    <div role="group" aria-label="With the servers that are selected" className="flex flex-wrap items-center gap-2 text-sm">
      <span className="text-muted">{keys.length === 0 ? 'Select servers to act on them.' : `${keys.length} selected`}</span>
      {button('test', 'Test')}
      {button('restart', 'Restart')}
      {button('rest', 'Rest')}
      <span className="w-32">
        <Select aria-label="How long they rest" className="text-sm" value={restMinutes} options={RESTS} onChange={(event) => setRestMinutes(event.target.value)} />
      </span>
      {button('resume', 'Resume')}
      {button('enable', 'Enable')}
      <Button size="small" pending={pending === 'disable'} disabled={keys.length === 0 || pending !== null} onClick={() => setAsked(true)}>Disable…</Button>
      <ConfirmDialog
        open={asked}
        onClose={() => setAsked(false)}
        title={keys.length === 1 ? `Disable ${keys[0]}?` : `Disable ${keys.length} servers?`}
        description="Their connections are closed and their processes ended; calls that are under way on them are lost. Nothing connects to them until somebody enables them again."
        confirmLabel="Disable"
        danger
        onConfirm={() => perform('disable')}
      />
    </div>
  );
}

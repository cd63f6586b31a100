'use client';

import { useState, type FormEvent } from 'react';
import type { DeliveryView, HealthSettings } from '@/lib/health';
import { Button } from '../ui/button';
import { Checkbox } from '../ui/checkbox';
import { FailureNotice } from '../ui/failure-notice';
import { Field } from '../ui/field';
import { Input } from '../ui/input';
import { useToast } from '../ui/toast';
import { useMounted } from '../ui/use-mounted';
import type { Failure } from '../servers/action';
import type { WatchActions } from './action';
import { Deliveries } from './deliveries';

interface WatchSettingsProps {
  readonly initial: HealthSettings;
  /** Since when there is an address in the vault, and by whom; null where there is none. */
  readonly address: { readonly changedAt: number; readonly changedBy: string } | null;
  readonly deliveries: readonly DeliveryView[];
  readonly actions: WatchActions;
}

/** How servers are watched, and where changes are posted: for an admin. */
export function WatchSettings({ initial, address, deliveries, actions }: WatchSettingsProps) {
  return (
    <div className="grid items-start gap-6 lg:grid-cols-2">
      <CheckForm initial={initial} hasAddress={address !== null} saveSettings={actions.saveSettings} />
      <div className="flex min-w-0 flex-col gap-4">
        <AddressForm address={address} actions={actions} />
        <Deliveries deliveries={deliveries} />
      </div>
    </div>
  );
}

function CheckForm({ initial, hasAddress, saveSettings }: { readonly initial: HealthSettings; readonly hasAddress: boolean; readonly saveSettings: WatchActions['saveSettings'] }) {
  const toast = useToast();
  const mounted = useMounted();
  const [draft, setDraft] = useState({ interval: String(initial.interval_s), keep: String(initial.keep_days), wake: initial.wake_idle, webhook: initial.webhook });
  const [pending, setPending] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const errorOf = (name: string) => failure?.fields.find(({ field }) => field === name)?.message;
  const save = async (event: FormEvent) => {
    event.preventDefault();
    setPending(true);
    try {
      const answer = await saveSettings({ interval_s: toNumber(draft.interval), keep_days: toNumber(draft.keep), wake_idle: draft.wake, webhook: draft.webhook });
      setFailure(answer.ok ? null : answer);
      if (answer.ok) toast({ meaning: 'good', text: 'How servers are watched was saved.' });
    } finally {
      setPending(false);
    }
  };
  return (
    <form aria-label="How servers are watched" onSubmit={(event) => void save(event)} className="flex flex-col gap-4">
      <Field label="Seconds between two checks" hint="Of each server; a fifth more or less, so that they are not checked in step." error={errorOf('interval_s')}>
        <Input inputMode="numeric" className="max-w-32" disabled={!mounted} value={draft.interval} onChange={(event) => setDraft({ ...draft, interval: event.target.value })} />
      </Field>
      <Field label="Days that changes are kept" error={errorOf('keep_days')}>
        <Input inputMode="numeric" className="max-w-32" disabled={!mounted} value={draft.keep} onChange={(event) => setDraft({ ...draft, keep: event.target.value })} />
      </Field>
      <Checkbox
        label="Start idle stdio servers for a check"
        hint="Off, a check only asks servers whose process runs, and those elsewhere."
        checked={draft.wake}
        onChange={(event) => setDraft({ ...draft, wake: event.target.checked })}
      />
      <Checkbox
        label="Post changes of state to the address"
        hint={hasAddress ? undefined : 'There is no address yet: write one beside this.'}
        checked={draft.webhook}
        onChange={(event) => setDraft({ ...draft, webhook: event.target.checked })}
      />
      {failure === null || failure.fields.length > 0 ? null : <FailureNotice failure={failure} />}
      <div><Button type="submit" variant="primary" pending={pending}>Save</Button></div>
    </form>
  );
}

/** What is no number is sent as none, and refused with the field's sentence. */
const toNumber = (text: string): number => (/^\d{1,9}$/.test(text.trim()) ? Number(text) : -1);

function AddressForm({ address, actions }: Pick<WatchSettingsProps, 'address' | 'actions'>) {
  const toast = useToast();
  const mounted = useMounted();
  const [text, setText] = useState('');
  const [pending, setPending] = useState<'save' | 'clear' | 'test' | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  const perform = async (name: 'save' | 'clear' | 'test', work: () => Promise<{ readonly ok: true } | Failure>) => {
    setPending(name);
    try {
      const answer = await work();
      setFailure(answer.ok ? null : answer);
      return answer.ok;
    } finally {
      setPending(null);
    }
  };
  const save = async (event: FormEvent) => {
    event.preventDefault();
    if (!(await perform('save', () => actions.saveAddress({ address: text })))) return;
    setText('');
    toast({ meaning: 'good', text: 'The address is in the vault.' });
  };
  const test = () =>
    perform('test', async () => {
      const answer = await actions.testAddress({});
      if (answer.ok) toast({ meaning: answer.data.ok ? 'good' : 'bad', text: answer.data.message });
      return answer;
    });
  return (
    <form aria-label="Where changes are posted" onSubmit={(event) => void save(event)} className="flex flex-col gap-3">
      <Field
        label={address === null ? 'Address to post changes to' : 'Another address to post changes to'}
        hint={address === null ? 'A webhook, such as one of a chat service. It goes into the vault and is not shown again.' : `One is in the vault, written by ${address.changedBy}; it is not shown.`}
        error={failure?.fields.find(({ field }) => field === 'address')?.message}
      >
        <Input mono type="url" disabled={!mounted} placeholder="https://chat.example/hooks/…" value={text} onChange={(event) => setText(event.target.value)} />
      </Field>
      {failure === null || failure.fields.length > 0 ? null : <FailureNotice failure={failure} />}
      <div className="flex flex-wrap gap-2">
        <Button type="submit" pending={pending === 'save'} disabled={pending !== null}>{address === null ? 'Keep' : 'Replace'}</Button>
        {address === null ? null : (
          <>
            <Button pending={pending === 'test'} disabled={pending !== null} onClick={() => void test()}>Post a test</Button>
            <Button pending={pending === 'clear'} disabled={pending !== null} onClick={() => void perform('clear', () => actions.clearAddress({}))}>Clear</Button>
          </>
        )}
      </div>
    </form>
  );
}

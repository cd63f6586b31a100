import type { Metadata } from 'next';
import { requirePage } from '@/app/require-page';
import { EntryForm } from '@/components/servers/entry-form/entry-form';
import { PageBody, PageHeader } from '@/components/ui/page';
import { TextLink } from '@/components/ui/text-link';
import type { Runtime } from '@/lib/boot';
import { isServerKey, toServerKey, toStatedFields } from '@/lib/servers';
import { cancelTest, createServer, saveServer, startTest } from '../actions';
import { toFormFacts } from '../form-facts';

export const metadata: Metadata = { title: 'Add a server' };

interface NewServerPageProps {
  readonly searchParams: Promise<{ readonly from?: string | string[] }>;
}

export default async function NewServerPage({ searchParams }: NewServerPageProps) {
  const { principal, runtime } = await requirePage('servers.manage');
  const { from } = await searchParams;
  const initial = typeof from === 'string' ? copyOf(runtime, from) : {};
  return (
    <>
      <PageHeader parent={<TextLink href="/servers">Servers</TextLink>} title="Add a server" note={typeof from === 'string' && 'key' in initial ? `a copy of ${from}` : undefined} />
      <PageBody>
        <EntryForm
          saved={null}
          initial={initial}
          reviewed={false}
          {...toFormFacts(runtime, principal)}
          createServer={createServer}
          saveServer={saveServer}
          startTest={startTest}
          cancelTest={cancelTest}
        />
      </PageBody>
    </>
  );
}

/** The fields of another server under a key of their own; nobody has reviewed the copy. */
function copyOf(runtime: Runtime, from: string): Readonly<Record<string, unknown>> {
  const record = isServerKey(from) ? runtime.servers.find(from) : undefined;
  if (record === undefined) return {};
  const { tools: _tools, aliases: _aliases, ...fields } = toStatedFields(record.entry);
  const taken = new Set<string>(runtime.servers.list().map(({ entry }) => entry.key));
  const base = from.slice(0, 28);
  let number = 2;
  while (taken.has(toServerKey(`${base}-${number}`))) number += 1;
  return { ...fields, key: toServerKey(`${base}-${number}`) };
}

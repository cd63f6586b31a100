import { DeleteServer } from '@/components/servers/delete-server';
import { EntryForm } from '@/components/servers/entry-form/entry-form';
import { JsonViewer } from '@/components/json/json-viewer';
import { LinkButton } from '@/components/ui/link-button';
import { Section } from '@/components/ui/page';
import { redactEntry, toStatedFields } from '@/lib/servers';
import { cancelTest, createServer, deleteServer, saveServer, startTest } from '../../actions';
import { toFormFacts } from '../../form-facts';
import { requireServerPage, type ServerPageProps } from '../require-server-page';

export default async function SettingsPage({ params }: ServerPageProps) {
  const { principal, runtime, record, rights } = await requireServerPage(params);
  const { entry } = record;
  if (!rights.manage || record.source === 'file') {
    return (
      <Section title="Configuration">
        <p className="max-w-prose text-muted">
          {record.source === 'file' ? 'This server stands in a file that this console only reads: change it there.' : 'An operator can change this. Secret values are not shown.'}
        </p>
        <JsonViewer value={redactEntry(entry)} label="the configuration" />
      </Section>
    );
  }
  return (
    <div className="flex flex-col gap-6">
      <EntryForm
        saved={{ key: entry.key, revision: record.revision }}
        initial={{ ...toStatedFields(entry), key: entry.key, enabled: entry.enabled, tools: entry.tools }}
        reviewed={record.reviewedAt !== null}
        {...toFormFacts(runtime, principal)}
        createServer={createServer}
        saveServer={saveServer}
        startTest={startTest}
        cancelTest={cancelTest}
      />
      <Section title="More">
        <div className="flex flex-wrap gap-2">
          <LinkButton href={`/servers/new?from=${entry.key}`}>Duplicate it</LinkButton>
          <DeleteServer serverKey={entry.key} deleteServer={deleteServer} />
        </div>
      </Section>
    </div>
  );
}

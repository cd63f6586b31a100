import { ResourceBrowser } from '@/components/servers/resource-browser';
import { readResource } from '../../actions';
import { requireServerPage, type ServerPageProps } from '../require-server-page';

export default async function ResourcesPage({ params }: ServerPageProps) {
  const { runtime, record, rights } = await requireServerPage(params);
  const snapshot = runtime.pool.snapshot(record.entry.key);
  return (
    <ResourceBrowser
      serverKey={record.entry.key}
      resources={snapshot?.resources ?? []}
      templates={snapshot?.resourceTemplates ?? []}
      mayRead={rights.call}
      readResource={readResource}
    />
  );
}

import { findToolDetail, listToolRows, listTools } from '@/app/server-view';
import { isPathLike } from '@/components/json/schema-form/is-path-like';
import { CallPanel } from '@/components/servers/tools/call-panel';
import { MissingTool } from '@/components/servers/tools/missing-tool';
import { ReviewPanel } from '@/components/servers/tools/review-panel';
import { ToolDetail } from '@/components/servers/tools/tool-detail';
import { ToolList } from '@/components/servers/tools/tool-list';
import { EmptyState } from '@/components/ui/empty-state';
import { TextLink } from '@/components/ui/text-link';
import { may } from '@/lib/auth';
import type { Runtime } from '@/lib/boot';
import { isObject } from '@/lib/core';
import { findingsOf } from '@/lib/manifests';
import { isLocal } from '@/lib/servers';
import { acceptReview, cancelCall, startCall } from '../../actions';
import { requireServerPage, type ServerPageProps } from '../require-server-page';

interface ToolsPageProps extends ServerPageProps {
  readonly searchParams: Promise<Readonly<Record<string, string | string[] | undefined>>>;
}

export default async function ToolsPage({ params, searchParams }: ToolsPageProps) {
  const { principal, runtime, record, rights } = await requireServerPage(params);
  const search = await searchParams;
  const { entry } = record;
  const rows = listToolRows(runtime, record);
  const name = textOf(search['tool']);
  const detail = name === undefined ? undefined : findToolDetail(runtime, record, name);
  if (rows.length === 0) return <NoTools connected={runtime.pool.snapshot(entry.key) !== null} />;
  if (search['review'] === '1' && rights.manage) {
    const listed = listTools(runtime, record).flatMap((view) => (view.listed === null ? [] : [view.listed]));
    return (
      <ReviewPanel
        serverKey={entry.key}
        rows={rows}
        findings={Object.fromEntries(listed.map((tool) => [tool.name, findingsOf(tool)]))}
        exposed={record.reviewedAt === null ? null : entry.tools === null ? 'all' : entry.tools}
        readOnly={record.source === 'file'}
        acceptReview={acceptReview}
      />
    );
  }
  return (
    <div className="grid gap-6 lg:grid-cols-[minmax(16rem,22rem)_minmax(0,1fr)]">
      <ToolList serverKey={entry.key} rows={rows} current={detail?.tool.name ?? null} manage={rights.manage} reviewed={record.reviewedAt !== null || record.source === 'file'} />
      {detail === undefined ? (
        <div>
          {name === undefined ? <p className="text-muted">Choose a tool to see what it takes, and to call it.</p> : <MissingTool name={name} rows={rows} />}
        </div>
      ) : (
        <div className="flex min-w-0 flex-col gap-6">
          <p className="lg:hidden">
            <TextLink href={`/servers/${entry.key}/tools`}>All tools</TextLink>
          </p>
          <ToolDetail detail={detail} />
          <CallPanel
            // Another tool, entry or file begins the form anew.
            key={[detail.tool.name, textOf(search['from']), textOf(search['file'])].join(' ')}
            serverKey={entry.key}
            detail={detail}
            local={isLocal(entry)}
            rights={rights}
            seesContents={may(principal.role, 'ledger.see_contents')}
            initialText={await readInitial(runtime, principal.role, search, detail.inputSchema)}
            startCall={startCall}
            cancelCall={cancelCall}
          />
        </div>
      )}
    </div>
  );
}

const textOf = (value: string | string[] | undefined): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

/** What the form begins with: the arguments of an entry, or a file in the first field that takes a path. */
async function readInitial(
  runtime: Runtime,
  role: Parameters<typeof may>[0],
  search: Awaited<ToolsPageProps['searchParams']>,
  inputSchema: unknown,
): Promise<string | undefined> {
  const from = Number(textOf(search['from']));
  if (Number.isSafeInteger(from) && from > 0 && may(role, 'ledger.see_contents')) {
    const stored = runtime.ledger.reader.find(from)?.arguments;
    if (stored != null) return toEditable(await runtime.ledger.reader.payload(stored));
  }
  const file = textOf(search['file']);
  const properties = isObject(inputSchema) && isObject(inputSchema['properties']) ? Object.keys(inputSchema['properties']) : [];
  const field = properties.find((each) => isPathLike(each, undefined));
  return file === undefined || field === undefined ? undefined : JSON.stringify({ [field]: file }, null, 2);
}

/** Laid out for editing, but only where reading changes nothing about it. */
function toEditable(json: string): string {
  try {
    const value: unknown = JSON.parse(json);
    return JSON.stringify(value) === json ? JSON.stringify(value, null, 2) : json;
  } catch {
    return json;
  }
}

const NoTools = ({ connected }: { readonly connected: boolean }) => (
  <EmptyState title={connected ? 'This server lists no tools' : 'Its tools have not been read yet'}>
    <p>{connected ? 'It may offer resources or prompts instead.' : 'They are read when the server is connected: test it on the overview, or switch it on.'}</p>
  </EmptyState>
);

import type { Metadata } from 'next';
import type { ReactNode } from 'react';
import { toCard } from '@/app/server-view';
import { RefreshOnChange } from '@/components/servers/refresh-on-change';
import { ServerTabs } from '@/components/servers/server-tabs';
import { describeTransport, toStateLook } from '@/components/servers/state-look';
import { PageBody, PageHeader } from '@/components/ui/page';
import { Status } from '@/components/ui/status';
import { TextLink } from '@/components/ui/text-link';
import { may } from '@/lib/auth';
import { toVisibleText } from '@/lib/core';
import { requireServerPage, type ServerPageProps } from './require-server-page';

export async function generateMetadata({ params }: ServerPageProps): Promise<Metadata> {
  return { title: toVisibleText((await params).key.slice(0, 64)) };
}

export default async function ServerLayout({ params, children }: ServerPageProps & { readonly children: ReactNode }) {
  const { principal, runtime, record, rights } = await requireServerPage(params);
  const card = toCard(runtime, record, principal.role);
  const snapshot = runtime.pool.snapshot(record.entry.key);
  return (
    <>
      <PageHeader
        parent={<TextLink href="/servers">Servers</TextLink>}
        title={card.key}
        note={
          <span className="inline-flex flex-wrap items-center gap-x-3">
            <Status {...toStateLook(card.state)} />
            {describeTransport(card.transport, card.facts)}
            {card.tlsInsecure ? <Status meaning="attention" word="TLS not verified" /> : null}
          </span>
        }
      />
      <ServerTabs
        serverKey={card.key}
        manage={rights.manage}
        seesTraffic={may(principal.role, 'traffic.see')}
        counts={{
          tools: snapshot === null ? null : snapshot.toolList.tools.length,
          resources: (snapshot?.resources.length ?? 0) + (snapshot?.resourceTemplates.length ?? 0),
          prompts: snapshot?.prompts.length ?? 0,
        }}
      />
      <RefreshOnChange serverKey={card.key} />
      <PageBody>{children}</PageBody>
    </>
  );
}

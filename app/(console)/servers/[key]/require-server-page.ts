import { notFound } from 'next/navigation';
import { requirePage } from '@/app/require-page';
import type { Permission } from '@/lib/auth';
import { isServerKey } from '@/lib/servers';
import { toRights } from '../rights';

export interface ServerPageProps {
  readonly params: Promise<{ readonly key: string }>;
}

/** The server of the address, for those who may see it; the page that is not there where it is none. */
export async function requireServerPage(params: ServerPageProps['params'], permission: Permission = 'servers.see') {
  const { principal, runtime } = await requirePage(permission);
  const { key } = await params;
  const record = isServerKey(key) ? runtime.servers.find(key) : undefined;
  if (record === undefined) notFound();
  return { principal, runtime, record, rights: toRights(principal) };
}

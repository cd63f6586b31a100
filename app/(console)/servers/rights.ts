import type { ServerRights } from '@/components/servers/views';
import { may, type Principal } from '@/lib/auth';

/** What of the servers' pages somebody may do; the actions check again. */
export const toRights = ({ role }: Principal): ServerRights => ({ manage: may(role, 'servers.manage'), call: may(role, 'calls.make') });

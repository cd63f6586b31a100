import { AppError } from '@/lib/core';
import type { DisclosurePlan } from '@/lib/files';
import type { ServerSnapshot } from '@/lib/manifests';
import type { ServerKey } from '@/lib/servers';
import type { CallRequest } from '..';
import type { CallPathOptions } from './ports';
import { toStagedCall } from './stage';

/** What a call would hand over, by what is known of its server; where nothing is, it is connected for that. */
export async function planDisclosure(
  request: Pick<CallRequest, 'serverKey' | 'arguments' | 'runId'>,
  { servers, pool, files }: Pick<CallPathOptions, 'servers' | 'pool' | 'files'>,
  signal: AbortSignal,
): Promise<DisclosurePlan> {
  const { serverKey } = request;
  const entry = servers.find(serverKey)?.entry;
  if (entry === undefined) throw new AppError({ code: 'not_found', message: `There is no server with the key ${serverKey}.` });
  const snapshot = pool.snapshot(serverKey) ?? (await readSnapshot(serverKey, pool, signal));
  const planned = await files.stager.plan(toStagedCall(request, entry, snapshot, pool.peek(serverKey)));
  if (planned.ok) return planned.value;
  const { pointer, message } = planned.error;
  throw new AppError({ code: 'bad_input', message, fields: [{ field: pointer, message }] });
}

async function readSnapshot(key: ServerKey, pool: CallPathOptions['pool'], signal: AbortSignal): Promise<ServerSnapshot> {
  const acquired = await pool.acquire(key, 'read', signal);
  if (!acquired.ok) throw new AppError({ code: 'unavailable', message: acquired.error.message, remedy: acquired.error.remediation, retry: 'later' });
  acquired.value.release();
  return acquired.value.snapshot;
}

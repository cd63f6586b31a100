import type { AuditWriter } from '@/lib/audit/node';
import type { Principal } from '@/lib/auth';
import type { Runtime } from '@/lib/boot';
import { AppError, assertNever, formatDuration } from '@/lib/core';
import type { ServerRecord } from '@/lib/servers';
import type { ActResult, HealthAct } from '@/components/health/action';
import { changeRests } from '@/app/rest-servers';
import { connectAnew, requireSaved, requireStored } from '../servers/save';

interface Wanted {
  readonly key: string;
  readonly act: HealthAct;
  readonly restMinutes: number;
}

interface ActContext {
  readonly principal: Principal;
  readonly runtime: Runtime;
  readonly audit: AuditWriter;
}

/** Does one thing to one server and says what became of it; a refusal is an answer as well. */
export async function actOnServer(find: () => ServerRecord, wanted: Wanted, context: ActContext): Promise<ActResult> {
  const { key } = wanted;
  try {
    return { key, ok: true, remedy: null, testId: null, ...(await perform(find(), wanted, context)) };
  } catch (error) {
    if (error instanceof AppError) return { key, ok: false, message: error.message, remedy: error.remedy, testId: null };
    context.runtime.log.error({ err: error, key, act: wanted.act }, 'a server could not be acted on');
    return { key, ok: false, message: 'Something in the console failed. Its log has the reason.', remedy: null, testId: null };
  }
}

async function perform(record: ServerRecord, { act, restMinutes }: Wanted, { principal, runtime, audit }: ActContext): Promise<Pick<ActResult, 'message'> & Partial<ActResult>> {
  const { entry, source } = record;
  switch (act) {
    case 'test':
      return { message: 'It is being tested.', testId: runtime.tester.start(entry, { source, principal }) };
    case 'restart':
      requireEnabled(record);
      audit.record({ type: 'server.restarted', subject: `server:${entry.key}`, details: {} });
      await runtime.pool.drop(entry.key);
      await connectAnew(runtime, { ...record, entry: { ...entry, connect: 'start' } });
      return { message: 'Its connection was closed and is being opened anew.' };
    case 'rest': {
      requireEnabled(record);
      const forMs = restMinutes * 60_000;
      changeRests(runtime, [entry.key], { kind: 'rest', forMs }, principal.actor.name, audit);
      return { message: `Calls to it rest for ${formatDuration(forMs)}; then one of them tries it.` };
    }
    case 'resume': {
      const changed = changeRests(runtime, [entry.key], { kind: 'resume' }, principal.actor.name, audit);
      return { message: changed.length === 0 ? 'It was not resting.' : 'Its rest is over: calls go again.' };
    }
    case 'disable':
    case 'enable': {
      const enabled = act === 'enable';
      if (requireStored(record).entry.enabled === enabled) return { message: `It was ${act}d already.` };
      await connectAnew(runtime, requireSaved(runtime.store.setEnabled(entry.key, enabled, principal)));
      return { message: enabled ? 'It is enabled.' : 'It is disabled, and nothing of it runs any more.' };
    }
    default:
      return assertNever(act);
  }
}

function requireEnabled({ entry }: ServerRecord): void {
  if (entry.enabled) return;
  throw new AppError({ code: 'conflict', message: 'It is disabled.', remedy: 'Enable it first.' });
}

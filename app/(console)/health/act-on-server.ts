import type { AuditWriter } from '@/lib/audit/node';
import type { Principal } from '@/lib/auth';
import type { Runtime } from '@/lib/boot';
import { AppError, assertNever, formatDuration } from '@/lib/core';
import type { ServerRecord } from '@/lib/servers';
import type { ActResult, HealthAct } from '@/components/health/action';
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
  const note = (type: string, details = {}): void => audit.record({ type, subject: `server:${entry.key}`, details });
  switch (act) {
    case 'test':
      return { message: 'It is being tested.', testId: runtime.tester.start(entry, { source, principal }) };
    case 'restart':
      requireEnabled(record);
      note('server.restarted');
      await runtime.pool.drop(entry.key);
      await connectAnew(runtime, { ...record, entry: { ...entry, connect: 'start' } });
      return { message: 'Its connection was closed and is being opened anew.' };
    case 'rest': {
      requireEnabled(record);
      const restMs = restMinutes * 60_000;
      note('server.rested', { minutes: restMinutes });
      runtime.guards.rest(requireFingerprint(runtime, record), 'An operator asked for it.', runtime.clock.now() + restMs);
      return { message: `Calls to it rest for ${formatDuration(restMs)}; then one of them tries it.` };
    }
    case 'resume': {
      if (!runtime.guards.resume(requireFingerprint(runtime, record))) return { message: 'It was not resting.' };
      note('server.resumed');
      return { message: 'Its rest is over: calls go again.' };
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

function requireFingerprint(runtime: Runtime, { entry }: ServerRecord): string {
  const fingerprint = runtime.fingerprintOf(entry.key);
  if (fingerprint !== null) return fingerprint;
  throw new AppError({ code: 'conflict', message: 'Its configuration cannot be used as it stands, so no call is made to it.', remedy: 'Mend its settings.' });
}

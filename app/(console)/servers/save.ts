import type { SaveOutcome } from '@/components/servers/action';
import type { Runtime } from '@/lib/boot';
import { AppError, assertNever, testIds } from '@/lib/core';
import type { ListedTool } from '@/lib/manifests';
import { parseServerEntry, redactEntry, type ServerRecord } from '@/lib/servers';
import type { Saved } from '@/lib/servers/node';

/** @throws AppError where the servers in force are those of a file */
export function requireWritable(runtime: Runtime): void {
  if (runtime.env.configFile === null) return;
  throw new AppError({
    code: 'conflict',
    message: `This console uses the servers of ${runtime.env.configFile}; none are added in the browser.`,
    remedy: 'Add the server to that file, or start the console without --config.',
  });
}

/** @throws AppError where the server stands in a file */
export function requireStored(record: ServerRecord): ServerRecord {
  if (record.source === 'stored') return record;
  throw new AppError({ code: 'conflict', message: `The server ${record.entry.key} stands in a file that this console only reads.`, remedy: 'Change it in that file.' });
}

/** @throws AppError where the change was not made */
export function requireSaved(saved: Saved): ServerRecord {
  if (saved.ok) return saved.value;
  const problem = saved.error;
  switch (problem.kind) {
    case 'invalid':
      throw new AppError({ code: 'bad_input', message: problem.fields.map((field) => field.message).join(' '), fields: problem.fields });
    case 'conflict':
      throw new AppError({ code: 'conflict', message: 'Someone else changed this server meanwhile.', remedy: 'Look at it again and repeat your change.' });
    case 'missing':
      throw new AppError({ code: 'not_found', message: problem.message });
    default:
      return assertNever(problem);
  }
}

/** What the form is told of a save: its errors by field, or both versions. */
export function toSaveOutcome(saved: Saved): SaveOutcome {
  if (saved.ok) return { kind: 'saved', key: saved.value.entry.key, revision: saved.value.revision };
  const problem = saved.error;
  switch (problem.kind) {
    case 'invalid':
      return { kind: 'invalid', fields: problem.fields };
    case 'conflict':
      return { kind: 'conflict', theirs: redactEntry(problem.current.entry), theirRevision: problem.current.revision };
    case 'missing':
      throw new AppError({ code: 'not_found', message: problem.message });
    default:
      return assertNever(problem);
  }
}

/**
 * The tools that a test of exactly this configuration showed, for a review of them.
 * @throws AppError `conflict` where the test is gone, or was of another connection
 */
export function requireListed(runtime: Runtime, fields: Readonly<Record<string, unknown>>, testId: string | null): readonly ListedTool[] {
  const id = testIds.parse(testId ?? '');
  const listed = id === undefined ? undefined : runtime.tester.find(id)?.result?.snapshot?.toolList.tools;
  if (id === undefined || listed === undefined) {
    throw new AppError({ code: 'conflict', message: 'The test that showed these tools is not there any more.', remedy: 'Test again, or save without a review.' });
  }
  const parsed = parseServerEntry(fields);
  if (parsed.ok && !runtime.tester.isTestOf(id, parsed.value)) {
    throw new AppError({ code: 'conflict', message: 'The test was of another connection than the one to save.', remedy: 'Test again, or save without a review.' });
  }
  return listed;
}

/** After a save: the test of exactly what was saved, passed or failed, is the server's last one; then it is connected. */
export async function settleSaved(runtime: Runtime, record: ServerRecord, testId: string | null): Promise<void> {
  const id = testIds.parse(testId ?? '');
  if (id !== undefined) runtime.tester.adopt(id, record.entry);
  await connectAnew(runtime, record);
}

/** The first start of a package runner may take this long. */
const CONNECT_MS = 150_000;

/** Closes what the server had open under its former configuration and, where it should stand, connects it. */
export async function connectAnew(runtime: Runtime, { entry }: ServerRecord): Promise<void> {
  await runtime.pool.drop(entry.key);
  if (!entry.enabled || entry.connect !== 'start') return;
  // Nobody waits for it: the card follows by the live stream.
  void runtime.pool.acquire(entry.key, 'refresh', AbortSignal.timeout(CONNECT_MS)).then((acquired) => {
    if (acquired.ok) acquired.value.release();
  });
}

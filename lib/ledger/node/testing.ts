import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openTestDatabase } from '@/db/testing';
import { callIds, Redactor, type JsonObject } from '@/lib/core';
import { BlobStore } from '@/lib/files/node';
import { LiveBus } from '@/lib/live/node';
import { toServerKey } from '@/lib/servers';
import { LedgerReader } from './reader';
import { RunStore } from './run-store';
import { LedgerWriter, type OpeningRequest } from './writer';

/** A ledger of its own for a test, with all that it stands on. */
export function openTestLedger(options: { readonly secrets?: readonly string[] } = {}) {
  const database = openTestDatabase();
  const directory = mkdtempSync(join(tmpdir(), 'signalbox-blobs-'));
  const blobs = new BlobStore({ directory, database });
  const bus = new LiveBus();
  const redactor = new Redactor(options.secrets);
  const runs = new RunStore({ database });
  const runId = runs.sessionRun('test', { kind: 'person', name: 'ana@example.org' });
  const toOpening = (more: Partial<OpeningRequest> = {}, args: JsonObject = {}): OpeningRequest => ({
    callId: callIds.create(), runId, step: null, actorKind: 'person', actorName: 'ana@example.org', serverKey: toServerKey('fs'), tool: 'read',
    exposedName: 'fs__read', plumbing: false, policy: null, arguments: args, ...more,
  });
  const writer = new LedgerWriter({ database, blobs, bus, redactor });
  return {
    database, directory, blobs, bus, redactor, runs, runId, toOpening, writer,
    reader: new LedgerReader({ database, blobs, redactor, indexTexts: () => { writer.indexTexts(); } }),
    close: (): void => {
      writer.close();
      database.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

export type TestLedger = ReturnType<typeof openTestLedger>;

/**
 * Another process on the same data: runs a body in which `writer`, `open()` and `say(text)` stand ready. What it
 * says comes line by line on its standard output.
 */
export function spawnWriter(ledger: TestLedger, body: string): ChildProcess {
  const code = `
    import { createInterface } from 'node:readline';
    const { openDatabase } = await import('@/db/client');
    const { BlobStore } = await import('@/lib/files/node');
    const { LedgerWriter } = await import('@/lib/ledger/node');
    const { LiveBus } = await import('@/lib/live/node');
    const { callIds, Redactor } = await import('@/lib/core');
    const database = openDatabase(${JSON.stringify(ledger.database.sqlite.name)});
    const blobs = new BlobStore({ directory: ${JSON.stringify(ledger.directory)}, database });
    const writer = new LedgerWriter({ database, blobs, bus: new LiveBus(), redactor: new Redactor() });
    const open = (tool) => writer.open({ ...${JSON.stringify(ledger.toOpening())}, tool, callId: callIds.create() }).sequence;
    const say = (text) => { writer.commit(); return new Promise((resolve) => process.stdout.write(text + '\\n', resolve)); };
    const heard = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
    ${body}
    writer.close();
    process.exit(0);`;
  return spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', code], { cwd: process.cwd(), stdio: ['pipe', 'pipe', 'inherit'] });
}

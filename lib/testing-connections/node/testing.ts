import { readdirSync, readFileSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import { delimiter, dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openTestDatabase } from '@/db/testing';
import { AuditLog } from '@/lib/audit/node';
import { Redactor, runIds, systemClock } from '@/lib/core';
import { manifestFromResult, type ManifestReading } from '@/lib/manifests';
import { SnapshotStore } from '@/lib/manifests/node';
import { StoredChildRecords, StoredEraVerdicts, TrafficBook, type Connection } from '@/lib/pool/node';
import { parseServerEntry, type ServerEntry } from '@/lib/servers';
import { resolveServer } from '@/lib/servers/node';
import type { ConnectionTestResult } from '../test-result';
import { ConnectionTester } from './connection-tester';

/** A program of `e2e/servers`. */
export const serverProgram = (name: string): string => fileURLToPath(new URL(`../../../e2e/servers/${name}`, import.meta.url));

/** The PATH that the programs of a bench are looked up on. */
export const SEARCH_PATH = [dirname(process.execPath), '/usr/bin', '/bin'].join(delimiter);

const MARKER = 'RAW_MARKER';

/** A tester on the real pool with a data file of its own. */
export interface TestBench {
  /** Marks every process that the entries of this bench start. */
  readonly marker: string;
  /** An entry whose processes carry the marker. */
  entry(fields: Readonly<Record<string, unknown>>): ServerEntry;
  /** An entry for a mode of raw-stdio. */
  rawEntry(mode: string, fields?: Readonly<Record<string, unknown>>): ServerEntry;
  test(entry: ServerEntry, signal?: AbortSignal): Promise<ConnectionTestResult>;
  close(): Promise<void>;
}

export function openTestBench(): TestBench {
  const database = openTestDatabase();
  const marker = randomUUID();
  const tester = new ConnectionTester({
    database,
    bus: { publish: () => undefined },
    audit: new AuditLog({ database, clock: systemClock }),
    clock: systemClock,
    resolve: (entry, jobDirectory) =>
      resolveServer(entry, { environment: { PATH: SEARCH_PATH }, findSecret: () => undefined, jobDirectory, runId: null }),
    jobDirectory: () => fileURLToPath(new URL('.', import.meta.url)),
    eraVerdicts: new StoredEraVerdicts(database),
    children: new StoredChildRecords(database),
    snapshots: new SnapshotStore(database),
    readManifest: (connection, _key, signal) => readManifest(connection, signal),
    redactor: new Redactor(),
    traffic: new TrafficBook({ clock: systemClock, publish: () => undefined, redactor: new Redactor() }),
  });
  const principal = { actor: { kind: 'console', name: 'console' }, role: 'operator', sessionRunId: runIds.create() } as const;

  const entry = (fields: Readonly<Record<string, unknown>>): ServerEntry => {
    const marked = 'url' in fields ? fields : { ...fields, env: { [MARKER]: marker, ...toRecord(fields['env']) } };
    const parsed = parseServerEntry({ key: 'raw', ...marked });
    if (!parsed.ok) throw new Error(JSON.stringify(parsed.error));
    return parsed.value;
  };
  return {
    marker,
    entry,
    rawEntry: (mode, fields = {}) => entry({ command: process.execPath, args: [serverProgram('raw-stdio.mjs'), mode], ...fields }),
    test: (tested, signal = new AbortController().signal) => tester.test(tested, { source: 'stored', principal }, () => undefined, signal),
    close: async () => {
      await tester.close();
      database.close();
    },
  };
}

const toRecord = (value: unknown): object => (typeof value === 'object' && value !== null ? value : {});

async function readManifest(connection: Connection, signal: AbortSignal): Promise<ManifestReading> {
  const nothing = (): void => undefined;
  const answer = await connection.callTool(
    { tool: 'capabilities', arguments: {}, onSent: nothing, onFirstByte: nothing, onProgress: nothing, onLateAnswer: nothing },
    signal,
  );
  return answer.kind === 'result' ? manifestFromResult(answer.result) : { manifest: null, problem: answer.kind };
}

/** The processes that carry the marker in their environment; zombies carry none. */
export function findMarked(marker: string): readonly number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => readEnvironment(name).includes(`${MARKER}=${marker}`))
    .map(Number);
}

function readEnvironment(processId: string): string {
  try {
    return readFileSync(`/proc/${processId}/environ`, 'utf8');
  } catch {
    return '';
  }
}

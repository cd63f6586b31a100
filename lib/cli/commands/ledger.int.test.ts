import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { openDatabase } from '@/db/client';
import { migrateDatabase } from '@/db/migrate';
import { TEST_MIGRATIONS_FOLDER } from '@/db/testing';
import { seedLedger } from '../../../bench/seed-ledger';
import { UsageError } from '../exit-codes';
import { openTerminal } from '../terminal';
import { ledger, type LedgerOptions } from './ledger';

const ENTRIES = 2000;
/** Starting the command from its sources takes long on a busy machine. */
const SPAWN_MS = 300_000;
let home: string;
beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'signalbox-ledger-'));
  const database = openDatabase(join(home, 'signalbox.db'));
  migrateDatabase(database, { migrationsFolder: TEST_MIGRATIONS_FOLDER, backupDirectory: null });
  seedLedger(database, { entries: ENTRIES, newestAt: Date.now(), note: () => undefined });
  database.close();
  vi.stubEnv('SIGNALBOX_HOME', home);
});
afterAll(() => {
  vi.unstubAllEnvs();
  rmSync(home, { recursive: true, force: true });
});

async function run(options: Partial<LedgerOptions>): Promise<string> {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const said = text(stdout);
  stderr.resume();
  try {
    const all = { json: false, server: [], tool: [], outcome: [], code: [], actor: [], plumbing: false, ...options };
    expect(await ledger(all, openTerminal({ stdout, stderr }), stdout)).toBe(0);
  } finally {
    stdout.end();
  }
  return said;
}

describe('signalbox ledger', () => {
  it('prints a table of what is filtered, newest first', async () => {
    const [heading, ...lines] = (await run({ outcome: ['timeout', 'unknown'], limit: 3 })).trimEnd().split('\n');
    expect(heading).toMatch(/^SEQUENCE +TIME +SERVER/);
    expect(lines).toHaveLength(3);
    expect(lines.every((line) => /timeout|unknown/.test(line))).toBe(true);
  });

  it('prints every entry as JSONL, and the same as one document', async () => {
    const lines = (await run({ format: 'jsonl', plumbing: true })).trimEnd().split('\n');
    expect(lines).toHaveLength(ENTRIES);
    expect(JSON.parse(lines[0]!)).toMatchObject({ sequence: ENTRIES, entry_id: 'ev_0400' });
    const document = JSON.parse(await run({ json: true, limit: 2, plumbing: true })) as unknown[];
    expect(document).toEqual(lines.slice(0, 2).map((line) => JSON.parse(line) as unknown));
    expect(JSON.parse(await run({ json: true, text: 'zymurgy' }))).toEqual([]);
  });

  it('prints CSV', async () => {
    expect((await run({ format: 'csv', limit: 2 })).startsWith('entry_id,sequence,')).toBe(true);
  });

  it.each([
    [{ json: true, format: 'jsonl' }], [{ format: 'xml' }], [{ outcome: ['fine'] }], [{ run: 'x' }], [{ minMs: 'long' }],
  ] satisfies [Partial<LedgerOptions>][])('takes no two formats, and no filter that cannot be read: %j', async (options) => {
    await expect(run(options)).rejects.toBeInstanceOf(UsageError);
  });

  it('ends quietly when its reader leaves', { timeout: SPAWN_MS }, async () => {
    const command = ['--import', 'tsx', resolve(import.meta.dirname, '../main.ts'), 'ledger', '--format', 'jsonl', '--plumbing'];
    const child = spawn(process.execPath, command, { env: { ...process.env, SIGNALBOX_HOME: home }, stdio: ['ignore', 'pipe', 'pipe'] });
    let errors = '';
    child.stderr.on('data', (piece: Buffer) => (errors += piece.toString()));
    await once(child.stdout, 'data');
    child.stdout.destroy();
    const [code] = (await once(child, 'exit')) as [number | null];
    expect([code, errors]).toEqual([0, '']);
  });
});

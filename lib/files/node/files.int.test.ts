import { createHash } from 'node:crypto';
import { lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Database } from '@/db/client';
import { openTestDatabase } from '@/db/testing';
import { BlobStore } from './blob-store';
import { requireFileName } from './file-name';
import { JobDirectories } from './job-directories';

let database: Database;
let home: string;
beforeEach(() => {
  database = openTestDatabase();
  home = mkdtempSync(join(tmpdir(), 'signalbox-files-'));
});
afterEach(() => {
  database.close();
  rmSync(home, { recursive: true, force: true });
});

const never = new AbortController().signal;
const sha256 = (content: string | Uint8Array) => createHash('sha256').update(content).digest('hex');
async function* pieces(...texts: string[]) {
  for (const text of texts) yield Buffer.from(text);
}
const mode = (path: string) => lstatSync(path).mode & 0o777;

describe('the blob store', () => {
  it('keeps one content once, whichever way it comes, readable for its owner alone', async () => {
    const blobs = new BlobStore({ directory: join(home, 'blobs'), database });
    const text = 'ä😀'.repeat(600_000);
    const stored = await blobs.put(text);
    expect(stored).toEqual({ sha256: sha256(text), sizeBytes: Buffer.byteLength(text) });
    expect(await blobs.put(pieces(text.slice(0, 3), text.slice(3)))).toEqual(stored);
    expect(blobs.putSync(Buffer.from(text))).toEqual(stored);
    const folder = join(home, 'blobs', stored.sha256.slice(0, 2));
    expect(readdirSync(folder)).toEqual([stored.sha256.slice(2)]);
    expect(mode(join(folder, stored.sha256.slice(2)))).toBe(0o600);
    expect(mode(folder)).toBe(0o700);
    expect((await blobs.read(stored.sha256)).toString()).toBe(text);
    expect(database.sqlite.prepare('SELECT sha256, size_bytes AS sizeBytes FROM blobs').all()).toEqual([stored]);
  });

  it('reads a range, and leaves nothing of a source that fails', async () => {
    const blobs = new BlobStore({ directory: join(home, 'blobs'), database });
    const { sha256: digest } = blobs.putSync('0123456789');
    const read: Buffer[] = [];
    for await (const piece of blobs.stream(digest, { start: 2, end: 4 })) read.push(piece as Buffer);
    expect(Buffer.concat(read).toString()).toBe('234');
    const failing = (async function* () {
      yield Buffer.from('some');
      throw new Error('cut off');
    })();
    await expect(blobs.put(failing)).rejects.toThrow('cut off');
    expect(readdirSync(join(home, 'blobs', 'incoming'))).toEqual([]);
    expect(() => blobs.has('../../etc/passwd')).toThrow();
  });
});

describe('a job directory', () => {
  const open = () => new JobDirectories({ directory: join(home, 'jobs') });

  it('takes a file by stream and says where it is and what it was', async () => {
    const jobs = open();
    const stored = await jobs.put('console', 'notes.txt', pieces('one', 'two'), never);
    expect(stored).toEqual({ name: 'notes.txt', path: join(home, 'jobs/console/notes.txt'), sizeBytes: 6, sha256: sha256('onetwo') });
    expect(readFileSync(stored.path, 'utf8')).toBe('onetwo');
    expect([mode(stored.path), mode(join(home, 'jobs/console'))]).toEqual([0o600, 0o700]);
    expect(await jobs.list('console')).toMatchObject([{ name: 'notes.txt', path: stored.path, sizeBytes: 6 }]);
  });

  it('gives a clashing name a number and overwrites nothing, links least of all', async () => {
    const jobs = open();
    const outside = join(home, 'outside.txt');
    writeFileSync(outside, 'mine');
    symlinkSync(outside, join(jobs.path('console'), 'a.tar.gz'));
    const names = [await jobs.put('console', 'a.tar.gz', pieces('1'), never), await jobs.put('console', 'a.tar.gz', pieces('2'), never)].map(({ name }) => name);
    expect(names).toEqual(['a.tar (2).gz', 'a.tar (3).gz']);
    expect(readFileSync(outside, 'utf8')).toBe('mine');
    expect((await jobs.list('console')).map(({ name }) => name).sort()).toEqual(names);
  });

  it('gives files of one name that come together one name each', async () => {
    const jobs = open();
    const stored = await Promise.all(Array.from({ length: 8 }, (_, index) => jobs.put('console', 'x', pieces(`${index}`), never)));
    expect(new Set(stored.map(({ path }) => path)).size).toBe(8);
    expect(new Set(stored.map(({ path }) => readFileSync(path, 'utf8'))).size).toBe(8);
  });

  it.each(['', '.', '..', '../x', 'a/b', 'a\\b', '/etc/passwd'])('refuses the name %j', async (name) => {
    await expect(open().put('console', name, pieces('x'), never)).rejects.toThrow('is no file name');
  });

  it.each(['', '..', 'a/b', '-x', 'a b'])('refuses the job %j', (job) => {
    expect(() => open().path(job)).toThrow('A job is named');
  });

  it('is refused where a link stands in its place', () => {
    mkdirSync(join(home, 'jobs'));
    symlinkSync(tmpdir(), join(home, 'jobs', 'console'));
    expect(() => open().path('console')).toThrow('not a folder');
  });

  it('leaves nothing of an upload that is broken off', async () => {
    const jobs = open();
    const abort = new AbortController();
    const endless = (async function* () {
      for (;;) {
        yield Buffer.from('x');
        abort.abort();
      }
    })();
    await expect(jobs.put('console', 'x', endless, abort.signal)).rejects.toThrow();
    expect(readdirSync(jobs.path('console'))).toEqual([]);
  });
});

describe('a file name', () => {
  it('stays inside its folder and bounded, whatever it was', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 1, maxLength: 400 }), (name) => {
        let safe: string;
        try {
          safe = requireFileName(name);
        } catch {
          return;
        }
        expect(safe).not.toMatch(/[/\\\0]|^-|^\.\.?$/);
        expect(Buffer.byteLength(safe)).toBeLessThanOrEqual(200);
        expect(safe.length).toBeGreaterThan(0);
      }),
    );
  });
});

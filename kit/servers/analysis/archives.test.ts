import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { MiB, type JsonObject } from '@/lib/core';

import { samples, writeGzipBomb } from '@/e2e/samples/make';
import { listGzip } from './archives/gzip';
import { listingWire } from './archives/listing';
import { withFile } from './open-file';
import { openJob, type Job } from './testing/job';
import { paxRecords, writeTar } from './testing/write-tar';
import { writeZip } from './testing/write-zip';
import { anyText, containing } from '../../testing';

let job: Job;
beforeEach(async () => {
  job = await openJob();
});
afterEach(() => job.remove());

const call = async (content: Buffer, args: JsonObject = {}) => {
  await job.put('archive', content);
  return job.server.callTool('list_archive', { path: 'archive', ...args });
};
const list = async (content: Buffer, args: JsonObject = {}) => {
  const answer = await call(content, args);
  if (!answer.ok) throw new Error(JSON.stringify(answer.error));
  return listingWire.strict().parse(answer.data);
};
const refusal = async (content: Buffer) => {
  const answer = await call(content);
  if (answer.ok) throw new Error(`expected an error, got ${JSON.stringify(answer.data)}`);
  return answer.error;
};

describe('zip', () => {
  it('lists names, sizes, dates, links and encryption', async () => {
    const listing = await list(
      writeZip([
        { name: 'folder/', content: '' },
        { name: 'folder/a.txt', content: 'a'.repeat(1000), method: 'deflated' },
        { name: 'secret.bin', content: 'xx', encrypted: true },
        { name: 'link', content: '/etc/passwd', isLink: true },
        { name: 'dated', content: '', modifiedS: 1_700_000_000 },
      ]),
    );
    expect(listing).toMatchObject({ format: 'zip', total: 5, truncated: false, complete: true, encrypted: true, total_size: 1013 });
    expect(listing.members.map(({ name, kind }) => [name, kind])).toEqual([
      ['folder/', 'folder'], ['folder/a.txt', 'file'], ['secret.bin', 'file'], ['link', 'link'], ['dated', 'file'],
    ]);
    expect(listing.members[1]).toMatchObject({ size: 1000, modified: '2024-02-29T12:30:10', encrypted: false });
    expect(listing.members[1]?.compressed_size).toBeLessThan(100);
    expect(listing.members[4]?.modified).toBe('2023-11-14T22:13:20.000Z');
  });

  it('reads zip64, data descriptors, a comment, and a program in front', async () => {
    const members = [{ name: 'big', content: 'content', zip64: true, withDescriptor: true }];
    for (const zip of [
      writeZip(members, { zip64: true }),
      writeZip(members, { comment: 'PK\x05\x06 is not the end' }),
      writeZip(members, { prefix: Buffer.concat([Buffer.from('MZ'), Buffer.alloc(998)]) }),
    ]) {
      expect(await list(zip)).toMatchObject({ complete: true, members: [{ name: 'big', size: 7, compressed_size: 7 }] });
    }
  });

  it('writes out what a name hides and warns of names that leave the folder', async () => {
    const listing = await list(
      writeZip([
        { name: 'invoice\u202Efdp.exe', content: '' },
        { name: '../../etc/cron.d/x\n', content: '' },
        { name: Buffer.from([0x81, 0x2e, 0x74]), content: '' },
      ]),
    );
    expect(listing.members.map(({ name }) => name)).toEqual(['invoice<U+202E>fdp.exe', '../../etc/cron.d/x<U+000A>', 'ü.t']);
    expect(listing.warnings).toEqual([containing('outside the folder')]);
  });

  it('answers no more members than asked and counts the rest', async () => {
    const zip = writeZip(Array.from({ length: 30 }, (_, index) => ({ name: `member-${index}`, content: '' })));
    expect(await list(zip, { max_members: 5 })).toMatchObject({ total: 30, truncated: true, complete: true });
  });

  it('says what is wrong with one that is cut off or damaged', async () => {
    expect(await refusal(samples['cut-off.zip']!())).toMatchObject({ code: 'unsupported_format', message: containing('cut off'), remediation: containing('whole copy') });
    const damaged = writeZip([{ name: 'a', content: 'x' }]);
    damaged.write('XXXX', damaged.indexOf('PK\x01\x02', 0, 'latin1'), 'latin1');
    expect(await refusal(damaged)).toMatchObject({ code: 'unsupported_format', message: containing('damaged') });
    const overstated = writeZip([{ name: 'a', content: 'x' }]);
    overstated.writeUInt16LE(9, overstated.length - 12);
    expect(await list(overstated)).toMatchObject({ complete: false, total: 1, warnings: [containing('9 members')] });
  });

  it('lists whatever was written into it', async () => {
    const member = fc.record({
      name: fc.stringMatching(/^[A-Za-z0-9_é-]{1,40}$/),
      content: fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
      method: fc.constantFrom('stored' as const, 'deflated' as const),
      encrypted: fc.boolean(),
      withDescriptor: fc.boolean(),
      zip64: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(member, { maxLength: 12 }), fc.string({ maxLength: 20, unit: 'grapheme-ascii' }), fc.boolean(), async (members, comment, zip64) => {
        const listing = await list(writeZip(members, { comment, zip64 }));
        expect(listing.complete).toBe(true);
        expect(listing.members.map(({ name, size, encrypted }) => ({ name, size, encrypted }))).toEqual(
          members.map(({ name, content, encrypted }) => ({ name, size: content.length, encrypted })),
        );
      }),
      { numRuns: 60 },
    );
  });
});

describe('tar', () => {
  it('lists ustar, GNU long names and pax headers, and links', async () => {
    const long = `${'long/'.repeat(40)}name.txt`;
    const listing = await list(
      writeTar([
        { name: 'folder/', type: '5' },
        { name: 'a.txt', prefix: 'folder', content: 'hello' },
        { name: '././@LongLink', type: 'L', content: `${long}\0` },
        { name: 'long', content: 'x'.repeat(600) },
        { name: 'pax', type: 'x', content: paxRecords({ path: 'grüße.txt', mtime: '1700000000.5' }) },
        { name: 'short', content: 'yy' },
        { name: 'link', type: '2', link: '/etc/passwd' },
        { name: 'after', content: 'z' },
      ]),
    );
    expect(listing).toMatchObject({ format: 'tar', complete: true, total: 6, total_size: 608 });
    expect(listing.members.map(({ name }) => name)).toEqual(['folder/', 'folder/a.txt', long, 'grüße.txt', 'link', 'after']);
    expect(listing.members[3]?.modified).toBe('2023-11-14T22:13:20.500Z');
    expect(listing.members[4]).toMatchObject({ kind: 'link', link_target: '/etc/passwd' });
  });

  it('reads sizes in base 256 and says when the end is missing', async () => {
    const sizeField = Buffer.alloc(12);
    sizeField[0] = 0x80;
    sizeField.writeUInt32BE(10_000, 8);
    expect(await list(writeTar([{ name: 'huge', sizeField }]))).toMatchObject({
      complete: false,
      members: [{ name: 'huge', size: 10_000 }],
      warnings: [containing('middle of its last member')],
    });
    const whole = writeTar([{ name: 'a', content: 'x' }, { name: 'b', content: 'y' }]);
    whole[1024 + 3] = 0xff;
    expect(await list(whole)).toMatchObject({ complete: false, total: 1, warnings: [containing('damaged')] });
  });
});

describe('gzip', () => {
  it('tells a compressed tar from a compressed file', async () => {
    expect(await list(samples['folder.tar.gz']!())).toMatchObject({
      format: 'tar.gz',
      complete: true,
      members: [{ kind: 'folder' }, { name: 'folder/readme.txt', size: 15 }, { kind: 'link', link_target: 'readme.txt' }],
    });
    const gz = gzipSync('hello hello hello');
    expect(await list(gz)).toMatchObject({ format: 'gzip', complete: true, members: [{ name: 'archive', size: 17, compressed_size: gz.length }] });
  });

  it('lists what came before the damage', async () => {
    const cut = gzipSync(writeTar(Array.from({ length: 200 }, (_, index) => ({ name: `member-${index}`, content: `${index}`.repeat(400) }))), { level: 1 });
    const listing = await list(cut.subarray(0, cut.length / 2));
    expect(listing).toMatchObject({ format: 'tar.gz', complete: false, warnings: [containing('cut off')] });
    expect(listing.total).toBeGreaterThan(0);
    expect(await refusal(Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 0xff, 0xff, 0xff]))).toMatchObject({ code: 'unsupported_format' });
  });

  it('stops inflating a bomb and holds none of it', async () => {
    const bomb = await job.put('bomb.gz', '');
    await writeGzipBomb(bomb, 96 * MiB);
    const context = { signal: new AbortController().signal, dependency: null, environment: { SIGNALBOX_JOB_DIR: job.directory } };
    const before = process.memoryUsage().external + process.memoryUsage().arrayBuffers;
    const listing = await withFile(bomb, context, (file) => listGzip(file, 10, 64 * MiB));
    expect(listing).toMatchObject({ complete: false, members: [{ name: 'bomb', size: null }], warnings: [containing('64.0 MiB')] });
    expect(process.memoryUsage().external + process.memoryUsage().arrayBuffers - before).toBeLessThan(64 * MiB);
  });
});

it('any bytes are a listing or a refusal with a remedy, never a crash', async () => {
  const starts = [Buffer.alloc(0), Buffer.from('PK\x03\x04', 'latin1'), Buffer.from('PK\x05\x06', 'latin1'), Buffer.from([0x1f, 0x8b, 8]), Buffer.from('MZ')];
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...starts), fc.uint8Array({ maxLength: 2000 }), async (start, bytes) => {
      const answer = await call(Buffer.concat([start, bytes]));
      if (!answer.ok) expect(answer.error).toMatchObject({ code: 'unsupported_format', remediation: anyText() });
    }),
    { numRuns: 150 },
  );
});

it('a flipped byte anywhere in an archive is a listing or a refusal, never a crash', async () => {
  const whole = [
    writeZip([{ name: 'a', content: 'x', zip64: true }, { name: 'b', content: 'yy', modifiedS: 5 }], { zip64: true }),
    writeTar([{ name: 'pax', type: 'x', content: paxRecords({ path: 'p', size: '3' }) }, { name: 'a', content: 'abc' }]),
    samples['folder.tar.gz']!(),
  ];
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...whole), fc.nat(), fc.nat(255), async (archive, at, value) => {
      const changed = Buffer.from(archive);
      changed[at % changed.length] = value;
      const answer = await call(changed);
      if (!answer.ok) expect(answer.error.code).toBe('unsupported_format');
    }),
    { numRuns: 200 },
  );
});

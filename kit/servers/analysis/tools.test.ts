import { createHash, randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import type { JsonObject } from '@/lib/core';

import { samples } from '@/e2e/samples/make';
import { readAs } from './read-as';
import { harmlessSample } from './sample/make';
import { shannon } from './tools/entropy';
import { openJob, type Job } from './testing/job';
import { containing } from '../../testing';

let job: Job;
beforeEach(async () => {
  job = await openJob();
});
afterEach(() => job.remove());

const data = async (tool: string, args: JsonObject): Promise<JsonObject> => {
  const answer = await job.server.callTool(tool, args);
  if (!answer.ok) throw new Error(JSON.stringify(answer.error));
  return answer.data;
};
const error = async (tool: string, args: JsonObject) => {
  const answer = await job.server.callTool(tool, args);
  if (answer.ok) throw new Error(`expected an error, got ${JSON.stringify(answer.data)}`);
  return answer.error;
};

describe('hashes', () => {
  it('gives the known digests of nothing and of abc', async () => {
    await job.put('empty', '');
    await job.put('abc', 'abc');
    expect(await data('hashes', { path: 'empty' })).toMatchObject({ size: 0, md5: 'd41d8cd98f00b204e9800998ecf8427e' });
    expect(await data('hashes', { path: 'abc' })).toEqual({
      size: 3,
      md5: '900150983cd24fb0d6963f7d28e17f72',
      sha1: 'a9993e364706816aba3e25717850c26c9cd0d89d',
      sha256: 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
    });
  });

  it('reads a file of many chunks whole', async () => {
    const content = randomBytes(3 * 256 * 1024 + 17);
    await job.put('large', content);
    expect((await data('hashes', { path: 'large' })).sha256).toBe(createHash('sha256').update(content).digest('hex'));
  });
});

describe('identify_file', () => {
  const identify = async (name: string, content: Buffer | string) => {
    await job.put(name, content);
    return data('identify_file', { path: name });
  };

  it.each([
    ['empty.bin', '', { kind: 'empty', extension_fits: null }],
    ['note.txt', 'Hello, world\n', { kind: 'text', type: 'text (ASCII)', mime: 'text/plain', extension_fits: true }],
    ['grüße.md', 'Grüße\n', { kind: 'text', type: 'text (UTF-8)', extension_fits: null }],
    ['invoice.pdf', 'not a document\n', { kind: 'text', extension_fits: false }],
    ['run', '#!/usr/bin/env python3\nprint(1)\n', { kind: 'script', type: 'python3 script (ASCII)', extension: 'py' }],
    ['data.json', '{"a": 1}', { kind: 'text', type: 'JSON document (ASCII)', extension_fits: true }],
    ['two-letters.txt', 'MZ is how programs begin', { kind: 'text', extension_fits: true }],
    ['noise', Buffer.from([0, 1, 2, 3, 250, 251]), { kind: 'unknown', mime: 'application/octet-stream' }],
  ])('knows %s', async (name, content, expected) => {
    expect(await identify(name, content)).toMatchObject(expected);
  });

  it('knows programs, archives and UTF-16 text by content and says when the name lies', async () => {
    expect(await identify('photo.jpg', samples['header-only.exe']!())).toMatchObject({
      kind: 'program',
      type: 'Windows program (PE, x86-64, console)',
      extension: 'exe',
      extension_fits: false,
    });
    expect(await identify('sample.jar', harmlessSample())).toMatchObject({ kind: 'known', mime: 'application/zip', extension_fits: true });
    expect(await identify('letter.txt', samples['utf16.txt']!())).toMatchObject({ kind: 'text', type: 'text (UTF-16LE)', extension_fits: true });
  });

  it('never fails on bytes that nobody meant', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 4096 }), fc.constantFrom('', 'MZ', '\x7fELF', 'PK\x03\x04', '\x1f\x8b', '#!', '\ufeff'), async (bytes, start) => {
        expect(await identify('any', Buffer.concat([Buffer.from(start, 'latin1'), bytes]))).toHaveProperty('kind');
      }),
      { numRuns: 100 },
    );
  });
});

describe('strings', () => {
  it('finds ASCII and UTF-16 of both byte orders, each once, with offsets', async () => {
    const wide = Buffer.from('http://example.org/wide', 'utf16le');
    const content = Buffer.concat([Buffer.from([0, 1, 2]), Buffer.from('plain text'), Buffer.from([0, 0xff, 0xfe]), wide, Buffer.from([0, 0, 0xff, 0xff, 0xff]), Buffer.from(wide).swap16(), Buffer.from([0xff])]);
    await job.put('mixed', content);
    expect((await data('strings', { path: 'mixed' })).strings).toEqual([
      { offset: 3, encoding: 'ascii', text: 'plain text', length: 10 },
      { offset: 16, encoding: 'utf-16le', text: 'http://example.org/wide', length: 23 },
      { offset: 16 + wide.length + 5, encoding: 'utf-16be', text: 'http://example.org/wide', length: 23 },
    ]);
  });

  it('finds a text that lies across the seam of two reads, and a needle in a very long run', async () => {
    const seam = 256 * 1024;
    const content = Buffer.alloc(2 * seam, 0);
    content.write('across the seam', seam - 7);
    await job.put('seam', content);
    expect(await data('strings', { path: 'seam', contains: 'the seam' })).toMatchObject({ total: 1, strings: [{ offset: seam - 7, text: 'across the seam' }] });
    const long = Buffer.alloc(3 * seam, 'a');
    long.write('needle', seam - 3);
    await job.put('long', long);
    const found = await data('strings', { path: 'long', contains: 'NEEDLE', ignore_case: true });
    expect(found).toMatchObject({ total: 1, strings: [{ offset: 0, length: 3 * seam }] });
  });

  it('bounds what it answers and says how much there is', async () => {
    await job.put('many', Array.from({ length: 50 }, (_, index) => `text number ${index}`).join('\0'));
    const found = await data('strings', { path: 'many', max_results: 10 });
    expect(found.strings).toHaveLength(10);
    expect(found).toMatchObject({ total: 50, truncated: true });
    expect(await data('strings', { path: 'many', min_length: 14 })).toMatchObject({ total: 40, truncated: false });
  });

  it('begins its answer with read_as where quotes were not looked for', async () => {
    await job.put('sample.zip', harmlessSample());
    const found = await data('strings', { path: 'sample.zip', contains: '"https://"' });
    expect(Object.keys(found)[0]).toBe('read_as');
    expect(found).toMatchObject({ read_as: { contains: 'https://' }, total: 1 });
    expect(await data('strings', { path: 'sample.zip', contains: 'https://' })).not.toHaveProperty('read_as');
  });
});

describe('readAs', () => {
  it.each([
    ['"http"', 'http'], ["'a b'", 'a b'], ['`x`', 'x'], ['""', ''],
    ['"a"b"', '"a"b"'], ['"', '"'], ['"a\'', '"a\''], ['http', 'http'], ['""x""', '""x""'], ['"\'x\'"', "'x'"], [' "x"', ' "x"'],
  ])('reads %s as %s', (written, read) => {
    expect(readAs(written)).toBe(read);
  });
});

describe('find_bytes', () => {
  it('finds overlapping places, across reads, with wildcards', async () => {
    const content = Buffer.alloc(300 * 1024);
    content.write('aaaa', 10);
    content.set([0x4d, 0x5a, 0x77, 0x00], 256 * 1024 - 2);
    await job.put('file', content);
    expect(await data('find_bytes', { path: 'file', text: 'aa' })).toMatchObject({ offsets: [10, 11, 12], total: 3, pattern: '61 61' });
    expect(await data('find_bytes', { path: 'file', hex: '4d5a ?? 00' })).toMatchObject({ offsets: [256 * 1024 - 2], total: 1 });
    expect(await data('find_bytes', { path: 'file', hex: '00', max_results: 2 })).toMatchObject({ offsets: [0, 1], truncated: true });
  });

  it('reads text without its quotes, in the encoding asked for', async () => {
    await job.put('wide', Buffer.from('..key', 'utf16le'));
    const found = await data('find_bytes', { path: 'wide', text: "'key'", encoding: 'utf-16le' });
    expect(Object.entries(found)[0]).toEqual(['read_as', { text: 'key' }]);
    expect(found.offsets).toEqual([4]);
  });

  it.each([
    [{ hex: '4d', text: 'M' }, 'exactly one'], [{}, 'exactly one'], [{ hex: '4' }, 'half a byte'], [{ hex: 'zz' }, 'no hexadecimal digit'],
    [{ hex: '?? ??' }, 'wildcards only'], [{ hex: '4?' }, 'whole byte'], [{ text: '""' }, 'nothing to look for'],
  ])('refuses %j', async (args, words) => {
    await job.put('file', 'x');
    expect(await error('find_bytes', { path: 'file', ...args })).toMatchObject({ code: 'bad_argument', message: containing(words) });
  });

  it('finds exactly what a plain search finds', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 400, max: 3 }), fc.uint8Array({ minLength: 1, maxLength: 3, max: 3 }), async (bytes, wanted) => {
        await job.put('file', Buffer.from(bytes));
        const expected = [...bytes.keys()].filter((at) => at + wanted.length <= bytes.length && wanted.every((byte, index) => bytes[at + index] === byte));
        expect((await data('find_bytes', { path: 'file', hex: Buffer.from(wanted).toString('hex'), max_results: 1000 })).offsets).toEqual(expected);
      }),
      { numRuns: 50 },
    );
  });
});

describe('entropy', () => {
  it('measures 0 for one value, 8 for all values alike, and nothing for nothing', async () => {
    await job.put('zeros', Buffer.alloc(4096));
    await job.put('all', Buffer.from(Array.from({ length: 4096 }, (_, index) => index % 256)));
    await job.put('empty', '');
    expect(await data('entropy', { path: 'zeros' })).toMatchObject({ entropy: 0, size: 4096 });
    expect(await data('entropy', { path: 'all' })).toMatchObject({ entropy: 8 });
    expect(await data('entropy', { path: 'empty' })).toMatchObject({ entropy: 0, blocks: [], highest: null });
    expect(shannon(Float64Array.from([1, 1, 2]), 4)).toBe(1.5);
  });

  it('cuts the file into blocks that cover it and finds the packed part', async () => {
    await job.put('packed', Buffer.concat([Buffer.alloc(700_000), randomBytes(100_000)]));
    const measured = await data('entropy', { path: 'packed', blocks: 8 });
    const blocks = measured.blocks as { offset: number; size: number }[];
    expect(blocks.reduce((sum, block) => sum + block.size, 0)).toBe(800_000);
    expect(measured.highest).toMatchObject({ offset: 700_000 });
  });
});

it('the committed samples are what their scripts make', async () => {
  const { readFile } = await import('node:fs/promises');
  expect(await readFile(new URL('sample/harmless-sample.zip', import.meta.url))).toEqual(harmlessSample());
  for (const [name, make] of Object.entries(samples)) {
    expect((await readFile(new URL(`../../../e2e/samples/${name}`, import.meta.url))).toString('hex'), name).toBe(make().toString('hex'));
  }
});

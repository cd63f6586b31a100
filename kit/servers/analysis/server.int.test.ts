import { execFileSync } from 'node:child_process';
import { chmod, copyFile, mkdir, mkdtemp, rename, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { build, type BuildOptions } from 'esbuild';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';

import { GiB, type JsonObject } from '@/lib/core';
import { BUNDLE } from '@/scripts/bundle-options.mjs';

import { manifestWire } from '../../manifest';
import { withFile } from './open-file';
import { openJob, type Job } from './testing/job';
import { startRaw, type RawHost } from './testing/raw-host';
import { containing, having, including, matching } from '../../testing';

const MODERN = '2026-07-28';

const resultOf = z.object({
  result: z.looseObject({
    content: z.array(z.object({ type: z.literal('text'), text: z.string() })),
    structuredContent: z.record(z.string(), z.unknown()).optional(),
    isError: z.boolean().optional(),
  }),
});

/** The server as it is shipped: one file, made by esbuild. */
let bundles: string;
beforeAll(async () => {
  bundles = await mkdtemp(path.join(tmpdir(), 'analysis-bundle-'));
  await bundle({ entryPoints: { analysis: 'kit/servers/analysis/main.ts' } });
});
afterAll(() => rm(bundles, { recursive: true, force: true }));

const bundle = (input: Pick<BuildOptions, 'entryPoints' | 'stdin'>) =>
  build({
    ...BUNDLE,
    ...input,
    outdir: bundles,
    outExtension: { '.js': '.mjs' },
  });

let job: Job;
const hosts: RawHost[] = [];
beforeEach(async () => {
  job = await openJob();
});
afterEach(async () => {
  await Promise.all(hosts.splice(0).map((host) => host.end()));
  await job.remove();
});

function start(environment: Record<string, string> = {}): RawHost {
  const host = startRaw([path.join(bundles, 'analysis.mjs')], { PATH: '', SIGNALBOX_JOB_DIR: job.directory, ...environment });
  hosts.push(host);
  return host;
}

async function openLegacy(environment: Record<string, string> = {}): Promise<RawHost> {
  const host = start(environment);
  await host.request('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'raw', version: '0' } });
  host.notify('notifications/initialized');
  return host;
}

const call = async (host: RawHost, name: string, args: JsonObject, meta: JsonObject = {}) =>
  resultOf.parse(await host.request('tools/call', { name, arguments: args, ...meta })).result;

const ENVELOPE = {
  _meta: {
    'io.modelcontextprotocol/protocolVersion': MODERN,
    'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '0' },
    'io.modelcontextprotocol/clientCapabilities': {},
  },
};

describe('over stdio', () => {
  it('serves the legacy era: initialize, list, call, and a clean end', async () => {
    await job.put('abc', 'abc');
    const host = start();
    const opened = await host.request('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'raw', version: '0' } });
    expect(opened).toMatchObject({ result: { protocolVersion: '2025-06-18', serverInfo: { name: 'analysis' }, capabilities: { tools: {} } } });
    host.notify('notifications/initialized');
    const listed = await host.request('tools/list');
    expect(listed).toMatchObject({
      result: {
        tools: including([
          having({ name: 'hashes', annotations: having({ readOnlyHint: true }), outputSchema: having({ type: 'object' }) }),
          having({ name: 'reputation', annotations: having({ openWorldHint: true }) }),
        ]),
      },
    });
    const answer = await call(host, 'hashes', { path: 'abc' });
    expect(answer.structuredContent).toMatchObject({ md5: '900150983cd24fb0d6963f7d28e17f72' });
    expect(JSON.parse(answer.content[0]!.text)).toEqual(answer.structuredContent);
    expect(await host.request('tools/call', { name: 'no_such_tool', arguments: {} })).toMatchObject({ error: { code: -32602 } });
    const { exitCode, stdout, stderr } = await host.end();
    expect(exitCode).toBe(0);
    for (const line of stdout) expect(JSON.parse(line)).toHaveProperty('jsonrpc', '2.0');
    expect(stderr.trim().split('\n')).toEqual([matching(/^analysis 1\.0\.0 is ready; not available here: unpack \(.*scan_rules \(.*reputation \(/)]);
  });

  it('serves the modern era: discover, list and call in its envelope', async () => {
    await job.put('abc', 'abc');
    const host = start();
    expect(await host.request('server/discover', ENVELOPE)).toMatchObject({ result: { supportedVersions: [MODERN], capabilities: { tools: {} } } });
    expect(await host.request('tools/list', ENVELOPE)).toMatchObject({ result: { tools: including([having({ name: 'strings' })]) } });
    const answer = await call(host, 'strings', { path: 'abc', contains: "'b'", min_length: 1 }, ENVELOPE);
    expect(Object.keys(answer.structuredContent ?? {})[0]).toBe('read_as');
    expect(answer.content[0]?.text).toMatch(/^\{"read_as":\{"contains":"b"\}/);
  });

  it('answers initialize after a probe of the modern era, on the same process', async () => {
    const host = start();
    await host.request('server/discover', ENVELOPE);
    const opened = await host.request('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'raw', version: '0' } });
    expect(opened).toMatchObject({ result: { protocolVersion: '2025-11-25' } });
  });

  it('answers an error as a result with the envelope, and strange arguments by name', async () => {
    const host = await openLegacy();
    const missing = await call(host, 'hashes', { path: 'nowhere.bin' });
    expect(missing.isError).toBe(true);
    expect(JSON.parse(missing.content[0]!.text)).toEqual({
      error: { code: 'no_such_file', message: containing('nowhere.bin'), remediation: containing(job.directory) },
      tool: 'hashes',
    });
    // With an output schema, a structured error would be refused by clients that check it.
    expect(missing.structuredContent).toBeUndefined();
    const strange = await call(host, 'hashes', { path: 'x', toolCallId: 'abc' });
    expect(strange.content[0]?.text).toContain('/toolCallId: is not an argument');
  });

  it('gives up a cancelled call without an answer and goes on', async () => {
    await truncate(await job.put('sparse', ''), 20 * GiB);
    await job.put('abc', 'abc');
    const host = await openLegacy();
    void host.request('tools/call', { name: 'hashes', arguments: { path: 'sparse' } }, 77).catch(() => undefined);
    host.notify('notifications/cancelled', { requestId: 77, reason: 'enough' });
    expect((await call(host, 'hashes', { path: 'abc' })).structuredContent).toMatchObject({ size: 3 });
    const { stdout, exitCode } = await host.end();
    expect(exitCode).toBe(0);
    expect(stdout.some((line) => line.includes('"id":77'))).toBe(false);
  });

  it('ends when the host goes away in the middle of a call', async () => {
    await truncate(await job.put('sparse', ''), 20 * GiB);
    const host = await openLegacy();
    void host.request('tools/call', { name: 'entropy', arguments: { path: 'sparse' } }).catch(() => undefined);
    expect((await host.end()).exitCode).toBe(0);
  });
});

describe('standard output', () => {
  it('carries the protocol alone, whatever the author’s code prints while it loads and runs', async () => {
    await bundle({
      stdin: {
        resolveDir: process.cwd(),
        sourcefile: 'noisy.ts',
        loader: 'ts',
        contents: `
          import '@/kit/guard-stdout';
          import { defineServer, defineTool } from '@/kit';
          import { z } from 'zod';
          import fs from 'node:fs';
          import { spawnSync } from 'node:child_process';
          console.log('loading by console');
          process.stdout.write('loading by stream\\n');
          fs.writeSync(1, 'loading by descriptor\\n');
          spawnSync('/bin/echo', ['loading by child'], { stdio: 'inherit' });
          const run = () => (console.info('running by console'), { done: true });
          const noisy = defineTool({ name: 'noisy', description: 'Prints.', input: z.strictObject({}), run });
          await defineServer({ name: 'noisy', version: '0', tools: [noisy] }).start();`,
      },
    });
    const host = startRaw([path.join(bundles, 'stdin.mjs')], { PATH: '' });
    hosts.push(host);
    await host.request('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'raw', version: '0' } });
    expect((await call(host, 'noisy', {})).structuredContent).toEqual({ done: true });
    const { stdout, stderr } = await host.end();
    for (const line of stdout) expect(JSON.parse(line)).toHaveProperty('jsonrpc');
    for (const words of ['loading by console', 'loading by stream', 'loading by descriptor', 'loading by child', 'running by console']) {
      expect(stderr).toContain(words);
    }
  });
});

describe('the manifest', () => {
  const readManifest = async (host: RawHost) => manifestWire.parse((await call(host, 'capabilities', {})).structuredContent);

  it('says on a plain machine what is missing and how to get it, and calls answer so', async () => {
    await job.put('abc', 'abc');
    const host = await openLegacy();
    const manifest = await readManifest(host);
    const unavailable = manifest.tools.filter((tool) => !tool.available);
    expect(unavailable.map(({ name }) => name)).toEqual(['unpack', 'scan_rules', 'pdf_text', 'reputation']);
    for (const { reason, remediation, optional_dependency } of unavailable) {
      expect([reason, remediation, optional_dependency]).not.toContain(null);
    }
    expect(manifest).toMatchObject({ external: false });
    expect(manifest.tools.find(({ name }) => name === 'unpack')?.without).toContain('lists the members');
    const errorCode = async (name: string, args: JsonObject) => {
      const { error } = z.object({ error: z.object({ code: z.string(), remediation: z.string() }) }).parse(JSON.parse((await call(host, name, args)).content[0]!.text));
      return error.code;
    };
    expect(await errorCode('scan_rules', { path: 'abc', rules: 'rule x { condition: true }' })).toBe('missing_dependency');
    expect(await errorCode('reputation', { hash: 'a'.repeat(64) })).toBe('not_configured');
  });

  it('without 7-Zip, unpack still lists members', async () => {
    await copyFile('kit/servers/analysis/sample/harmless-sample.zip', path.join(job.directory, 'sample.zip'));
    const host = await openLegacy();
    expect((await call(host, 'unpack', { path: 'sample.zip' })).structuredContent).toMatchObject({ unpacked: false, total: 3, members: [{ name: 'note.txt' }, {}, {}] });
  });

  it('finds a program that is there, runs it on the file, and reads what it prints', async () => {
    const programs = path.join(job.directory, 'programs');
    await mkdir(programs);
    await writeFile(
      path.join(programs, 'yara'),
      '#!/bin/sh\nfor last; do :; done\n/usr/bin/grep -q secret "$last" && printf "Found [a,b] /dev/stdin\\n0x2:\\$s: secret\\nQuiet [] /dev/stdin\\n"\nexit 0\n',
    );
    await chmod(path.join(programs, 'yara'), 0o755);
    await job.put('sample', 'a secret');
    const host = await openLegacy({ PATH: programs });
    expect((await readManifest(host)).tools.find(({ name }) => name === 'scan_rules')).toMatchObject({ available: true, reason: null });
    expect((await call(host, 'scan_rules', { path: 'sample', rules: 'rule Found { condition: true }' })).structuredContent).toEqual({
      rules: [{ rule: 'Found', tags: ['a', 'b'], strings: [{ offset: 2, identifier: '$s', data: 'secret' }] }, { rule: 'Quiet', tags: [], strings: [] }],
      total_matches: 1,
      truncated: false,
    });
    const including = await call(host, 'scan_rules', { path: 'sample', rules: 'include "/etc/passwd"' });
    expect(including.content[0]?.text).toContain('include another file');
  });

  it('takes no file that is not executable for a program', async () => {
    await job.put('programs/yara', '#!/bin/sh\n');
    const host = await openLegacy({ PATH: path.join(job.directory, 'programs') });
    expect((await readManifest(host)).tools.find(({ name }) => name === 'scan_rules')?.available).toBe(false);
  });
});

describe('reputation', () => {
  it('sends the hash and the key to the service alone, and reads what it answers', async () => {
    const asked: { url: string | undefined; authorization: string | undefined }[] = [];
    const service = createServer((request, response) => {
      asked.push({ url: request.url, authorization: request.headers.authorization });
      if (request.url?.endsWith(`/${'b'.repeat(64)}`)) response.writeHead(404).end();
      else if (request.url?.endsWith(`/${'c'.repeat(64)}`)) response.writeHead(302, { location: 'http://127.0.0.1:9/steal' }).end();
      else if (request.url?.endsWith(`/${'d'.repeat(64)}`)) response.writeHead(401).end('{"key":"k-1234567890"}');
      else response.writeHead(200, { 'content-type': 'application/json' }).end('{"verdict":"clean"}');
    });
    await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
    const address = service.address();
    if (address === null || typeof address === 'string') throw new Error('no port');
    const local = await openJob({ REPUTATION_API_URL: `http://127.0.0.1:${address.port}/v1/files/`, REPUTATION_API_KEY: 'k-1234567890' });
    const ask = (letter: string) => local.server.callTool('reputation', { hash: letter.repeat(64) });
    try {
      expect(await ask('A')).toMatchObject({ ok: true, data: { known: true, report: { verdict: 'clean' }, service: `127.0.0.1:${address.port}` } });
      expect(asked[0]).toEqual({ url: `/v1/files/${'a'.repeat(64)}`, authorization: 'Bearer k-1234567890' });
      expect(await ask('b')).toMatchObject({ ok: true, data: { known: false, report: null } });
      expect(await ask('c')).toMatchObject({ ok: false, error: { code: 'tool_failed' } });
      const refused = await ask('d');
      expect(refused).toMatchObject({ ok: false, error: { code: 'not_configured', remediation: containing('REPUTATION_API_KEY') } });
      expect(JSON.stringify(refused)).not.toContain('k-1234567890');
      expect(await local.server.callTool('reputation', { hash: 'not a hash' })).toMatchObject({ ok: false, error: { code: 'bad_argument' } });
      expect(await local.server.callTool('capabilities')).toMatchObject({ ok: true, data: { external: true } });
    } finally {
      service.close();
      await local.remove();
    }
  });

  it('never quotes a key that no header can carry', async () => {
    const local = await openJob({ REPUTATION_API_URL: 'http://127.0.0.1:9/', REPUTATION_API_KEY: 'secret\nkey' });
    const answer = await local.server.callTool('reputation', { hash: 'a'.repeat(64) });
    expect(answer).toMatchObject({ ok: false, error: { code: 'not_configured' } });
    expect(JSON.stringify(answer)).not.toContain('secret');
    await local.remove();
  });
});

describe('confinement', () => {
  const codeFor = async (given: string) => {
    const answer = await job.server.callTool('hashes', { path: given });
    return answer.ok ? 'ok' : answer.error.code;
  };

  it('opens what lies in the job directory, by relative and by absolute path, links inside included', async () => {
    const file = await job.put('folder/file', 'x');
    await symlink('folder/file', path.join(job.directory, 'inside'));
    for (const given of ['folder/file', './folder/../folder/file', file, 'inside']) expect(await codeFor(given)).toBe('ok');
  });

  it('refuses everything else, whether it exists or not', async () => {
    const other = await openJob();
    const outside = await other.put('secret', 'x');
    await symlink(outside, path.join(job.directory, 'to-file'));
    await symlink(other.directory, path.join(job.directory, 'to-folder'));
    await mkdir(`${job.directory}-sibling`);
    for (const given of [outside, '../nowhere', '/etc/passwd', '/no/such/file', 'to-file', 'to-folder/secret', 'to-folder/nothing', `${job.directory}-sibling`]) {
      expect([given, await codeFor(given)]).toEqual([given, 'path_outside_job']);
    }
    await other.remove();
    await rm(`${job.directory}-sibling`, { recursive: true });
  });

  it('names what is no regular file, and never waits for a pipe', async () => {
    execFileSync('/usr/bin/mkfifo', [path.join(job.directory, 'pipe')]);
    await symlink('loop', path.join(job.directory, 'loop'));
    expect(await codeFor('pipe')).toBe('bad_argument');
    expect(await codeFor('.')).toBe('bad_argument');
    expect(await codeFor('nothing')).toBe('no_such_file');
    expect(await codeFor('loop')).toBe('no_such_file');
    expect(await codeFor('nul\0byte')).toBe('bad_argument');
  });

  it('without a job opens what its user may, and with a job that is gone opens nothing', async () => {
    const file = await job.put('file', 'x');
    const context = (environment: Record<string, string>) => ({ signal: new AbortController().signal, dependency: null, environment });
    expect(await withFile(file, context({}), async ({ sizeBytes }) => sizeBytes)).toBe(1);
    for (const directory of ['', 'relative', '/no/such/job']) {
      await expect(withFile(file, context({ SIGNALBOX_JOB_DIR: directory }), async () => 0)).rejects.toMatchObject({ error: { code: 'not_configured' } });
    }
  });

  it('never reads a file outside while a folder on the way turns into a link and back', async () => {
    const other = await openJob();
    await other.put('file', 'OUTSIDE');
    await job.put('folder/file', 'inside!');
    const folder = path.join(job.directory, 'folder');
    const parked = path.join(job.directory, 'parked');
    const evil = path.join(job.directory, 'evil');
    await symlink(other.directory, evil);
    let done = false;
    const swapping = (async () => {
      while (!done) {
        await rename(folder, parked);
        await rename(evil, folder);
        await rename(folder, evil);
        await rename(parked, folder);
      }
    })();
    const context = { signal: new AbortController().signal, dependency: null, environment: { SIGNALBOX_JOB_DIR: job.directory } };
    const seen = new Set<string>();
    for (let round = 0; round < 3000; round += 1) {
      try {
        seen.add(await withFile('folder/file', context, async (file) => (await file.read(0, 16)).toString()));
      } catch {
        seen.add('refused');
      }
    }
    done = true;
    await swapping;
    await other.remove();
    expect(seen).not.toContain('OUTSIDE');
    expect(seen).toContain('inside!');
    expect(seen).toContain('refused');
  });
});

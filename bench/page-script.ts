import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { z } from 'zod';
import type { Benchmark } from './benchmark';

const BUILD = join(import.meta.dirname, '..', '.next');
const PAGE = 'app/(console)/servers/page';
/** Product section 18. */
const AIM_KIB = 200;

const buildSchema = z.object({ rootMainFiles: z.array(z.string()) });
const pageSchema = z.object({ entryJSFiles: z.record(z.string(), z.array(z.string())) });

/** The script that a browser loads for `/servers`, each file compressed as the console sends it; what is loaded when it is wanted is left out. */
export const pageScriptBenchmark: Benchmark = {
  name: 'page-script',
  about: 'the script of /servers, compressed, of the build in .next',
  run: () => {
    const files = listScripts();
    const weights = files.map((file) => ({ file: basename(file), kib: toKib(gzipSync(readFileSync(join(BUILD, file)), { level: 6 }).length) }));
    const value = Math.round(weights.reduce((sum, { kib }) => sum + kib, 0) * 10) / 10;
    return Promise.resolve({ name: 'page-script', unit: 'KiB', value, aim: AIM_KIB, holds: value <= AIM_KIB, details: { page: '/servers', files: weights } });
  },
};

const toKib = (bytes: number): number => Math.round((bytes / 1024) * 10) / 10;

/** @throws Error where nothing was built, or the build says it in another form */
function listScripts(): readonly string[] {
  const manifest = join(BUILD, 'server', `${PAGE}_client-reference-manifest.js`);
  if (!existsSync(manifest)) throw new Error('There is no build to weigh: run `npm run build` first.');
  const { rootMainFiles } = buildSchema.parse(JSON.parse(readFileSync(join(BUILD, 'build-manifest.json'), 'utf8')));
  // A script of one assignment, whose right side is JSON.
  const json = /^globalThis\.__RSC_MANIFEST\[[^\]]+\]\s*=\s*(\{.*\});?\s*$/m.exec(readFileSync(manifest, 'utf8'))?.[1] ?? 'null';
  const files = pageSchema.parse(JSON.parse(json)).entryJSFiles[`[project]/${PAGE}`];
  if (files === undefined) throw new Error(`The build has no page ${PAGE}.`);
  // Those of the layouts around it are among them.
  return [...new Set([...rootMainFiles, ...files])];
}

// Bundles what runs outside Next: the command line, the bundled servers, and workers, each a file of its own.
import { rmSync } from 'node:fs';
import { build } from 'esbuild';
import { BUNDLE } from './bundle-options.mjs';

// Natives and packages that find files of their own stay outside the bundle.
const EXTERNAL = ['better-sqlite3', '@node-rs/argon2', 'pino', 'next', 'server-only'];

rmSync('dist', { recursive: true, force: true });
await Promise.all([
  build({ ...BUNDLE, entryPoints: { main: 'lib/cli/main.ts' }, outdir: 'dist/cli', splitting: true, external: EXTERNAL }),
  build({ ...BUNDLE, entryPoints: { selection: 'lib/packs/node/selection-worker.ts' }, outdir: 'dist/workers', splitting: false }),
  build({ ...BUNDLE, entryPoints: { analysis: 'kit/servers/analysis/main.ts' }, outdir: 'dist/servers', splitting: false }),
]);

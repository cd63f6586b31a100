// Bundles what runs outside Next: the command line, the bundled servers, and workers, each a file of its own.
import { rmSync } from 'node:fs';
import { build } from 'esbuild';

const shared = {
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20.19',
  logLevel: 'warning',
  legalComments: 'none',
  // jsonc-parser's CommonJS build asks for its parts in a way that cannot be bundled.
  mainFields: ['module', 'main'],
  sourcemap: false,
  // CommonJS packages inside an ESM bundle ask for `require`.
  banner: { js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);" },
};

// Natives and packages that find files of their own stay outside the bundle.
const EXTERNAL = ['better-sqlite3', '@node-rs/argon2', 'pino', 'next', 'server-only'];

rmSync('dist', { recursive: true, force: true });
await Promise.all([
  build({ ...shared, entryPoints: { main: 'lib/cli/main.ts' }, outdir: 'dist/cli', splitting: true, external: EXTERNAL }),
  build({ ...shared, entryPoints: { analysis: 'kit/servers/analysis/main.ts' }, outdir: 'dist/servers', splitting: false }),
]);

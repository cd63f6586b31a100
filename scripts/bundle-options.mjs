/**
 * How everything outside Next is bundled: what is shipped and what the tests start are made alike.
 * @satisfies {import('esbuild').BuildOptions}
 */
export const BUNDLE = {
  bundle: true,
  platform: /** @type {const} */ ('node'),
  format: /** @type {const} */ ('esm'),
  target: 'node20.19',
  logLevel: /** @type {const} */ ('warning'),
  legalComments: /** @type {const} */ ('none'),
  // jsonc-parser's CommonJS build asks for its parts in a way that cannot be bundled.
  mainFields: ['module', 'main'],
  sourcemap: false,
  // CommonJS packages inside an ESM bundle ask for `require`.
  banner: { js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);" },
};

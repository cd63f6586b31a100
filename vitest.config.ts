import { defineConfig } from 'vitest/config';

const alias = { '@': import.meta.dirname, 'server-only': new URL('./e2e/stand-ins/server-only.ts', import.meta.url).pathname };

export default defineConfig({
  test: {
    projects: [
      {
        resolve: { alias },
        test: {
          name: 'unit',
          include: ['{app,components,lib,db,e2e,kit,scripts}/**/*.test.{ts,tsx}', '*.test.ts'],
          exclude: ['**/*.int.test.ts', '**/node_modules/**'],
          setupFiles: ['./e2e/setup/console-noise.ts'],
          testTimeout: 20_000,
        },
      },
      {
        resolve: { alias },
        test: {
          name: 'int',
          include: ['**/*.int.test.ts'],
          exclude: ['**/node_modules/**'],
          pool: 'forks',
          setupFiles: ['./e2e/setup/console-noise.ts'],
          // Real processes on a shared machine: deadlines are generous, no test asserts a short one.
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});

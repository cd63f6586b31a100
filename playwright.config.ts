import { defineConfig } from '@playwright/test';

export default defineConfig({
  testDir: 'e2e/specs',
  outputDir: 'test-results/browser',
  fullyParallel: false,
  // A console, a browser and real servers for each worker: two cores carry two.
  workers: 2,
  retries: 0,
  timeout: 120_000,
  expect: { timeout: 20_000 },
  forbidOnly: process.env.CI !== undefined,
  use: {
    browserName: 'chromium',
    launchOptions: {
      executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
      args: ['--disable-background-networking', '--disable-component-update', '--disable-sync', '--no-first-run'],
    },
    viewport: { width: 1440, height: 900 },
    trace: 'retain-on-failure',
    actionTimeout: 20_000,
  },
});

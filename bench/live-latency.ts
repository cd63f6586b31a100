import { chromium, type Page } from '@playwright/test';
import { z } from 'zod';
import { ADMIN, startConsole, type RunningConsole } from '../e2e/fixtures/console';
import { rawStdio } from '../e2e/fixtures/real-servers';
import { signIn } from '../e2e/fixtures/test';
import { callTool, field, open, openTool, pasteServer, testAndSave } from '../e2e/pages/servers';
import type { Benchmark, BenchmarkResult } from './benchmark';
import { findPercentile, round } from './statistics';

const VIEWERS = 20;
const CALLS = 60;
const AIM_MS = 150;

export const liveLatencyBenchmark: Benchmark = {
  name: 'live-latency',
  about: `from a call's end to its row in a browser, with ${VIEWERS} viewers (needs the built console and Chromium)`,
  run: async (note): Promise<BenchmarkResult> => {
    const app = await startConsole();
    const browser = await chromium.launch({ executablePath: process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium' });
    const leave = new AbortController();
    try {
      const storageState = await signIn(app.url, ADMIN);
      const context = await browser.newContext({ baseURL: app.url, storageState });
      const cookie = storageState.cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
      const caller = await context.newPage();
      await pasteServer(caller, rawStdio('echo'), 'bench');
      await testAndSave(caller, 'bench');
      // One of the viewers draws its rows; the others read the same stream and draw nothing.
      const others = Array.from({ length: VIEWERS - 1 }, () => follow(app, cookie, leave.signal));
      const viewer = await context.newPage();
      await open(viewer, '/ledger?server=bench');
      await viewer.evaluate(WATCH);
      await openTool(caller, 'bench', 'plain');
      for (let n = 0; n < CALLS; n += 1) {
        await field(caller, 'text').fill(`call ${n}`);
        await callTool(caller, 'plain');
      }
      note(`${CALLS} calls were made`);
      const latencies = await readLatencies(viewer, app, cookie);
      leave.abort();
      await Promise.all(others);
      const value = round(findPercentile(latencies, 0.95));
      const details = { viewers: VIEWERS, calls: latencies.length, p50Ms: findPercentile(latencies, 0.5), p99Ms: findPercentile(latencies, 0.99) };
      return { name: 'live-latency', unit: 'ms (p95)', value, aim: AIM_MS, holds: value <= AIM_MS, details };
    } finally {
      leave.abort();
      await browser.close();
      await app.stop();
    }
  },
};

/** Reads the live stream as a page does, until told to stop. */
async function follow(app: RunningConsole, cookie: string, signal: AbortSignal): Promise<void> {
  try {
    const answer = await fetch(`${app.url}/api/live`, { headers: { cookie, accept: 'text/event-stream' }, signal });
    if (!answer.ok || answer.body === null) throw new Error(`the live stream answered ${answer.status}`);
    for await (const part of answer.body) void part;
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

/** Notes in the page when each row of the ledger first stands there as ended; a text, since the browser runs it as it is written. */
const WATCH = `
  window.seenRows = {};
  new MutationObserver(() => {
    for (const row of document.querySelectorAll('[role=row]')) {
      const sequence = /\\/ledger\\/(\\d+)/.exec(row.querySelector('a')?.getAttribute('href') ?? '')?.[1];
      if (sequence !== undefined && [...row.querySelectorAll('[role=cell]')].some((cell) => /^\\W*ok$/.test(cell.textContent.trim()))) window.seenRows[sequence] ??= Date.now();
    }
  }).observe(document.body, { subtree: true, childList: true, characterData: true, attributes: true });`;

async function readLatencies(page: Page, app: RunningConsole, cookie: string): Promise<number[]> {
  const seen = z.record(z.string(), z.number()).parse(await page.evaluate('window.seenRows'));
  const latencies: number[] = [];
  for (const [sequence, seenAt] of Object.entries(seen)) {
    const answer = await fetch(`${app.url}/api/ledger/${sequence}`, { headers: { cookie } });
    const { entry } = entrySchema.parse(await answer.json());
    latencies.push(seenAt - entry.finishedAt);
  }
  if (latencies.length < CALLS / 2) throw new Error(`only ${latencies.length} of ${CALLS} rows were seen`);
  return latencies;
}

const entrySchema = z.object({ entry: z.object({ finishedAt: z.number() }) });

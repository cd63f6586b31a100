import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ADMIN, startConsole } from '../fixtures/console';
import { rawStdio } from '../fixtures/real-servers';
import { expect, signIn, test } from '../fixtures/test';
import { open, openTool, pasteServer, testAndSave } from '../pages/servers';
import { verifies } from '../requirements';

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    // A zombie is gone as far as anyone is concerned: its parent has yet to read its end.
    return !readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z');
  } catch {
    return false;
  }
};

const readPids = (file: string): number[] => (existsSync(file) ? readFileSync(file, 'utf8').trim().split(/\s+/).map(Number) : []);

test(`no process outlives the console, and a cut-off call reads interrupted ${verifies('hygiene.signals', 'ledger.interrupted')}`, async ({ browser, watch }) => {
  test.slow();
  const home = mkdtempSync(join(tmpdir(), 'signalbox-life-'));
  const pidFile = join(home, 'pids.txt');
  const first = await startConsole({ home });
  let context = await browser.newContext({ storageState: await signIn(first.url, ADMIN), baseURL: first.url });
  let page = await context.newPage();
  await pasteServer(page, `RAW_PIDS=${pidFile} ${rawStdio('forks')}`, 'forker');
  await testAndSave(page, 'forker');
  await pasteServer(page, rawStdio('calls'), 'endless');
  await testAndSave(page, 'endless');
  await open(page, '/servers/forker');
  await expect(page.getByText('connected', { exact: true }).first()).toBeVisible({ timeout: 60_000 });
  await openTool(page, 'endless', 'never');
  await page.getByRole('button', { name: 'Call never' }).click();
  const outcome = page.getByRole('region', { name: 'What became of the call' });
  await expect(outcome.getByText('sent', { exact: false }).first()).toBeVisible();
  const entry = (await outcome.getByRole('link', { name: /in the ledger/ }).getAttribute('href')) ?? '';
  const started = readPids(pidFile);
  expect(started.length).toBeGreaterThan(0);
  await context.close();
  await first.kill();

  const second = await startConsole({ home });
  await expect.poll(() => started.filter(isAlive), { timeout: 30_000 }).toEqual([]);
  context = await browser.newContext({ storageState: await signIn(second.url, ADMIN), baseURL: second.url });
  page = await context.newPage();
  watch(page);
  await open(page, entry);
  await expect(page.getByText('interrupted').first()).toBeVisible();
  await expect(page.getByText(/may have/).first()).toBeVisible();
  await open(page, '/servers/forker');
  await expect(page.getByText('connected', { exact: true }).first()).toBeVisible({ timeout: 60_000 });
  await context.close();
  const again = readPids(pidFile);
  await second.stop();
  await expect.poll(() => again.filter(isAlive), { timeout: 30_000 }).toEqual([]);
  rmSync(home, { recursive: true, force: true, maxRetries: 5 });
});

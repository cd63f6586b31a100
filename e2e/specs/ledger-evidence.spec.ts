import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { ADMIN, startConsole } from '../fixtures/console';
import { rawStdio } from '../fixtures/real-servers';
import { expect, signIn, test } from '../fixtures/test';
import { addEcho, callEcho, listedCalls, openPanel } from '../pages/ledger';
import { callTool, field, open, openTool, pasteServer, testAndSave } from '../pages/servers';
import { verifies } from '../requirements';

async function download(page: Page, name: RegExp): Promise<string> {
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('group', { name: 'Export' }).getByRole('link', { name }).click()]);
  return readFileSync(await file.path(), 'utf8');
}

test(`what is filtered is exported as JSONL and CSV ${verifies('ledger.export')}`, async ({ page }) => {
  await addEcho(page, 'exported');
  const wanted = await callEcho(page, 'exported', 'to be exported');
  await callEcho(page, 'exported', 'left out');
  await open(page, '/ledger?server=exported&text=to+be+exported');
  await expect(listedCalls(page)).toHaveCount(1);
  const panel = await openPanel(page, 'Export');
  await expect(panel.getByText('1 call as filtered')).toBeVisible();
  const lines = (await download(page, /^JSONL/)).trimEnd().split('\n');
  expect(lines).toHaveLength(1);
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ sequence: wanted, server: 'exported', tool: 'plain', arguments: { text: 'to be exported' }, outcome: 'ok' });
  const [header, record, ...others] = (await download(page, /^CSV/)).trimEnd().split('\r\n');
  expect(header).toMatch(/^entry_id,sequence,/);
  expect(record).toContain(`,${wanted},`);
  expect(others).toEqual([]);
});

test(`two calls stand side by side, and one is copied as a command ${verifies('ledger.compare', 'ledger.copy')}`, async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await addEcho(page, 'compared');
  const one = await callEcho(page, 'compared', 'the first');
  const other = await callEcho(page, 'compared', "the 'second'");
  await open(page, `/ledger/${one}`);
  await page.getByRole('textbox', { name: /^Compare with entry/ }).fill(String(other));
  await page.getByRole('button', { name: 'Compare', exact: true }).click();
  await expect(page).toHaveURL(new RegExp(`/ledger/compare\\?a=${one}&b=${other}`));
  const row = page.getByRole('table', { name: 'Arguments' }).getByRole('row').filter({ hasText: 'differs' });
  await expect(row).toContainText('the first');
  await expect(row).toContainText('second');

  await open(page, `/ledger/${other}`);
  await page.getByRole('button', { name: 'Copy this call as a command line' }).click();
  await expect(page.getByRole('button', { name: 'Copy this call as a command line' })).toContainText('copied');
  const line = await page.evaluate(() => navigator.clipboard.readText());
  expect(line).toBe(`signalbox call compared plain --args '{"text":"the '\\''second'\\''"}'`);
});

test(`what the retention deletes is told as deleted at its address ${verifies('ledger.retention')}`, async ({ browser, watch }) => {
  test.slow();
  const app = await startConsole();
  try {
    const context = await browser.newContext({ baseURL: app.url, storageState: await signIn(app.url, ADMIN) });
    const page = await context.newPage();
    watch(page);
    await addEcho(page, 'kept');
    const gone = await callEcho(page, 'kept', 'to be deleted');
    const last = await callEcho(page, 'kept', 'to be kept');
    await open(page, '/settings/retention');
    await page.getByRole('textbox', { name: /^Keep entries at most/ }).fill('1');
    await page.getByRole('form', { name: 'Retention of the ledger' }).getByRole('button', { name: 'Save' }).click();
    await expect(page.getByText('the newest 1 entry at most').first()).toBeVisible();
    await expect.poll(async () => (await page.request.get(`/api/ledger/${gone}`)).status()).toBe(410);
    await open(page, `/ledger/${gone}`);
    await expect(page.getByText(/This call was deleted by console under the retention/)).toBeVisible();
    await expect(page.getByRole('list', { name: 'Runs that it was deleted with' })).toContainText('run_');
    expect((await page.request.get(`/api/ledger/${last}`)).status()).toBe(200);
    await open(page, '/settings/retention');
    await expect(page.getByRole('table', { name: 'Deleted calls' })).toContainText('console');
    await context.close();
  } finally {
    await app.stop();
  }
});

test(`the page of a 50 MB result gets a preview, and stays quick ${verifies('results.large')}`, async ({ page }) => {
  test.slow();
  await pasteServer(page, rawStdio('calls'), 'previewed');
  await testAndSave(page, 'previewed');
  await openTool(page, 'previewed', 'big');
  await field(page, 'Arguments as JSON').fill(JSON.stringify({ mib: 50 }));
  const outcome = await callTool(page, 'big');
  const address = (await outcome.getByRole('link', { name: /in the ledger/ }).getAttribute('href')) ?? '';
  for (const path of [address, `/api${address}`]) {
    const answer = await page.request.get(path);
    expect((await answer.body()).length, path).toBeLessThan(1024 * 1024);
  }
  await open(page, address);
  await expect(page.getByText('This is a preview: the whole is 50').first()).toBeVisible();
  await page.getByRole('tab', { name: 'JSON' }).click();
  await expect(page.getByRole('tab', { name: 'JSON' })).toHaveAttribute('aria-selected', 'true');
});

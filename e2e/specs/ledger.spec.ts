import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rawStdio } from '../fixtures/real-servers';
import { expect, test } from '../fixtures/test';
import { callTool, field, open, openTool, pasteServer, testAndSave } from '../pages/servers';
import { verifies } from '../requirements';

test(`the ledger of a second window fills live, and filters stand in the address ${verifies('ledger.live', 'ledger.filters')}`, async ({
  page,
  context,
  watch,
}) => {
  await pasteServer(page, rawStdio('echo'), 'gallery');
  await testAndSave(page, 'gallery');
  const second = await context.newPage();
  watch(second);
  await open(second, '/ledger?server=gallery');
  await openTool(page, 'gallery', 'plain');
  await field(page, 'text').fill('seen in two windows');
  await callTool(page, 'plain');
  await expect(second.getByRole('row').filter({ hasText: 'gallery' }).first()).toContainText('ok');
  await open(second, '/ledger?server=gallery&outcome=tool_error');
  await expect(second.getByRole('row').filter({ hasText: 'gallery' })).toHaveCount(0);
  await expect(second.getByText(/clear/i).first()).toBeVisible();
});

test(`a running call is cancelled and the server is told ${verifies('calls.cancel')}`, async ({ page }) => {
  const log = join(mkdtempSync(join(tmpdir(), 'signalbox-cancel-')), 'cancelled.txt');
  await pasteServer(page, `RAW_CANCEL_LOG=${log} ${rawStdio('calls')}`, 'slow-calls');
  await testAndSave(page, 'slow-calls');
  await openTool(page, 'slow-calls', 'never');
  await page.getByRole('button', { name: 'Call never' }).click();
  const outcome = page.getByRole('region', { name: 'What became of the call' });
  await outcome.getByRole('button', { name: /cancel/i }).click();
  await expect(outcome.getByText('cancelled', { exact: false }).first()).toBeVisible();
  await expect.poll(() => { try { return readFileSync(log, 'utf8'); } catch { return ''; } }).toContain('never');
});

test(`an entry is called again with edited arguments ${verifies('calls.again')}`, async ({ page }) => {
  await open(page, '/servers/analysis/tools?tool=identify_file');
  await page.locator('input[type=file]').setInputFiles({ name: 'first.txt', mimeType: 'text/plain', buffer: Buffer.from('first') });
  await expect(field(page, 'path')).toHaveValue(/first/);
  const outcome = await callTool(page, 'identify_file');
  await outcome.getByRole('link', { name: /in the ledger/ }).click();
  await expect(page).toHaveURL(/\/ledger\/\d+$/);
  const before = page.url();
  await page.getByRole('button', { name: 'Call again…' }).click();
  const editor = field(page, 'Arguments for identify_file, as JSON');
  await editor.fill('{"path": "missing.bin"}');
  await page.getByRole('button', { name: 'Call identify_file' }).click();
  await expect(page).not.toHaveURL(before);
  await expect(page.getByText('no_such_file').first()).toBeVisible();
});

test(`a 50 MB result is kept whole, shown as a preview, and downloaded ${verifies('results.large')}`, async ({ page }) => {
  await pasteServer(page, rawStdio('calls'), 'big-results');
  await testAndSave(page, 'big-results');
  await openTool(page, 'big-results', 'big');
  await field(page, 'Arguments as JSON').fill(JSON.stringify({ mib: 50 }));
  const outcome = await callTool(page, 'big');
  await outcome.getByRole('link', { name: /in the ledger/ }).click();
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: /download/i }).first().click()]);
  const bytes = readFileSync(await download.path());
  expect(bytes.length).toBeGreaterThan(50 * 1024 * 1024);
  expect(createHash('sha256').update(bytes).digest('hex')).toHaveLength(64);
});

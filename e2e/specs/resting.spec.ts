import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '../fixtures/test';
import { callTool, cardOf, open, openTool, pasteServer, testAndSave } from '../pages/servers';
import { verifies } from '../requirements';

const MOODY = join(import.meta.dirname, '..', 'servers', 'moody-stdio.mjs');

let folder: string;
let down: string;
test.beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'signalbox-moody-'));
  down = join(folder, 'down');
});
test.afterEach(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));

const moody = (limits: object): string =>
  JSON.stringify({ mcpServers: { moody: { command: 'node', args: [MOODY], era: 'legacy', env: { MOODY_DOWN: down, MOODY_MANIFEST: '1' }, limits } } });

test(`a server that does not answer rests, and is tried at a press ${verifies('calls.rest', 'runs.header')}`, async ({ page }) => {
  test.slow();
  await pasteServer(page, moody({ idle_s: 1, total_s: 5, failures_to_open: 2, cooldown_s: 600 }), 'moody');
  await testAndSave(page, 'moody');
  writeFileSync(down, '');
  for (let n = 0; n < 2; n += 1) {
    await openTool(page, 'moody', 'mood');
    await callTool(page, 'mood', 'timeout');
  }
  await openTool(page, 'moody', 'mood');
  await expect(await callTool(page, 'mood', 'not sent')).toContainText('server_resting');

  await open(page, '/servers');
  const card = cardOf(page, 'moody');
  await expect(card.getByText('resting', { exact: true })).toBeVisible();
  await expect(card).toContainText('2 calls in a row were not answered; the last one, mood, ran out of time.');
  await expect(card).toContainText(/One call tries it in \d+ (s|min)/);
  await open(page, '/servers/moody');
  await expect(page.getByText('2 calls in a row were not answered', { exact: false }).first()).toBeVisible();
  rmSync(down);
  await page.getByRole('button', { name: 'Let one call through now' }).click();
  await expect(page.getByText('The next call to moody goes through.', { exact: false }).first()).toBeVisible();
  await openTool(page, 'moody', 'mood');
  const answered = await callTool(page, 'mood');
  await expect(answered).toContainText('well again');

  await answered.getByRole('link', { name: /in the ledger/ }).click();
  await page.getByRole('complementary', { name: 'About this entry' }).getByRole('link', { name: /^run_/ }).click();
  await expect(page).toHaveURL(/\/runs\/run_/);
  const failure = page.getByRole('list', { name: 'Distinct failures' }).getByRole('listitem').filter({ hasText: 'mood of moody' }).filter({ hasText: 'idle limit' });
  await expect(failure).toHaveCount(1);
  await expect(failure).toContainText('Do this:');
  await failure.getByRole('link', { name: '2 entries' }).click();
  await expect(page).toHaveURL(/\/ledger\?.*tool=mood/);
  await expect(page.getByText('timeout', { exact: true }).first()).toBeVisible();
});

test(`a call that waits says how many are ahead, and one that may have happened is checked first ${verifies('calls.queue', 'calls.verify')}`, async ({ page, context, watch }) => {
  test.slow();
  await pasteServer(page, moody({ idle_s: 60, total_s: 90, max_concurrent_calls: 1 }), 'narrow');
  await testAndSave(page, 'narrow');
  await openTool(page, 'narrow', 'hang');
  await page.getByRole('button', { name: 'Call hang' }).click();
  const hanging = page.getByRole('region', { name: 'What became of the call' });
  await expect(hanging.getByText('sent', { exact: true }).first()).toBeVisible();

  const other = await context.newPage();
  watch(other);
  await openTool(other, 'narrow', 'answer');
  await other.getByRole('button', { name: 'Call answer' }).click();
  const waiting = other.getByRole('region', { name: 'What became of the call' });
  await expect(waiting.getByText('queued', { exact: true }).first()).toBeVisible();
  await expect(waiting.getByText('next in the queue')).toBeVisible();
  const overview = await context.newPage();
  watch(overview);
  await open(overview, '/servers');
  await expect(cardOf(overview, 'narrow')).toContainText('1 in flight, 1 queued');

  await hanging.getByRole('button', { name: 'Cancel the call' }).click();
  await expect(waiting.getByText('ok', { exact: true }).first()).toBeVisible();
  await expect(cardOf(overview, 'narrow')).not.toContainText('queued');
  await expect(hanging).toContainText('may have been carried out');
  await expect(hanging.getByRole('link', { name: 'Check with answer' })).toBeVisible();

  await hanging.getByRole('link', { name: /in the ledger/ }).click();
  await page.getByRole('button', { name: 'Call again…' }).click();
  await expect(page.getByText('First see whether the call was carried out', { exact: false })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Call hang all the same' })).toBeVisible();
  await page.getByRole('link', { name: 'Check with answer' }).first().click();
  await expect(page).toHaveURL(/\/servers\/narrow\/tools\?tool=answer/);
});

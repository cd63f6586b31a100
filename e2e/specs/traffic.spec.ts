import { request } from '@playwright/test';
import { startRawHttp } from '../servers/raw-http.mjs';
import { rawStdio } from '../fixtures/real-servers';
import { expect, expectAccessible, signIn, test } from '../fixtures/test';
import { callTool, field, open, openTool, pasteServer, testAndSave } from '../pages/servers';
import { verifies } from '../requirements';

/** The first message of either era. */
const HANDSHAKE = /server\/discover|initialize/;
const CANARY = 'c4nary-value-of-the-traffic';

test(`what passed on the wire is shown both ways, with its pairs, by filter and by key ${verifies('traffic.wire', 'traffic.filter')}`, async ({ page }) => {
  // A configuration of its own: identical servers share a connection, and what others passed over it would stand here.
  await pasteServer(page, rawStdio('calls', 'of-its-own'), 'wired');
  await testAndSave(page, 'wired');
  await openTool(page, 'wired', 'echo');
  await field(page, 'text').fill('over the wire');
  await callTool(page, 'echo');

  await open(page, '/servers/wired/traffic');
  const table = page.getByRole('table', { name: 'Messages' });
  await expect(table.getByText(/connection 1, test, opened|connection \d+, shared, opened/).first()).toBeVisible();
  const call = table.getByRole('row').filter({ hasText: 'tools/call' }).filter({ hasText: 'answered in' }).last();
  await call.click();
  const panel = page.getByRole('complementary', { name: /request · tools\/call/ });
  await expect(panel.getByText('over the wire').first()).toBeVisible();
  await expect(panel.getByRole('heading', { name: 'Its answer' })).toBeVisible();
  await expectAccessible(page);

  await page.keyboard.press('o');
  await expect(page.getByRole('complementary', { name: /result · tools\/call/ })).toBeVisible();
  await page.keyboard.press('k');
  await expect(page).toHaveURL(/message=\d+/);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('complementary', { name: /tools\/call|request|result/ })).toHaveCount(0);

  await page.getByRole('searchbox', { name: 'Method' }).fill('initialize');
  await expect(page).toHaveURL(/method=initialize/);
  await expect(table.getByText('tools/call')).toHaveCount(0);
  await expect(table.getByText('initialize').first()).toBeVisible();
  await page.getByRole('searchbox', { name: 'Method' }).fill('no such method');
  await expect(page.getByText('No messages match what is set')).toBeVisible();
  await page.getByRole('button', { name: 'Clear the filter' }).click();
  await expect(table.getByText('tools/call').first()).toBeVisible();
});

test(`the list follows what passes, stands still while it is paused, and is copied without secrets ${verifies('traffic.live', 'traffic.copy')}`, async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const server = await startRawHttp();
  try {
    const config = { mcpServers: { paused: { url: server.url, headers: { Authorization: `Bearer ${CANARY}` } } } };
    await pasteServer(page, JSON.stringify(config), 'paused');
    await testAndSave(page, 'paused');
    await open(page, '/servers/paused/traffic');
    const table = page.getByRole('table', { name: 'Messages' });
    await expect(table.getByText(HANDSHAKE).first()).toBeVisible();
    await page.keyboard.press('p');
    await expect(page.getByRole('button', { name: 'Resume', exact: true })).toBeVisible();

    const other = await context.newPage();
    await openTool(other, 'paused', 'echo');
    await field(other, 'text').fill(`said ${CANARY}`);
    await callTool(other, 'echo');
    await other.close();

    await expect(page.getByRole('button', { name: /^Resume, \d+ new$/ })).toBeVisible();
    await expect(table.getByText('tools/call')).toHaveCount(0);
    await page.getByRole('button', { name: /^Resume, \d+ new$/ }).click();
    await expect(table.getByText('tools/call').first()).toBeVisible();

    await page.getByRole('button', { name: 'Copy all that is shown as JSON' }).click();
    await expect(page.getByText('copied', { exact: true })).toBeVisible();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect(copied).toContain('"tools/call"');
    expect(copied).toContain('[redacted]');
    expect(copied).not.toContain(CANARY);
    expect(JSON.parse(copied)).toContainEqual(expect.objectContaining({ direction: 'sent', standing: 'answered' }));
  } finally {
    await server.close();
  }
});

test(`a set-up that fails leaves its handshake, and a deleted server leaves nothing ${verifies('traffic.failed')}`, async ({ page }) => {
  await pasteServer(page, rawStdio('exitAfterRead'), 'failed');
  await page.getByRole('button', { name: 'Save without a test' }).click();
  await expect(page).toHaveURL(/\/servers\/failed$/);
  await open(page, '/servers/failed/traffic');
  await expect(page.getByText(HANDSHAKE).first()).toBeVisible();
  await expect(page.getByText('never answered').first()).toBeVisible();

  await open(page, '/servers');
  await page.getByRole('article', { name: 'failed', exact: true }).getByRole('button', { name: 'More for failed' }).click();
  await page.getByRole('menuitem', { name: 'Delete…' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByRole('article', { name: 'failed', exact: true })).toHaveCount(0);
  const [command, ...args] = rawStdio('ok').split(' ');
  await pasteServer(page, JSON.stringify({ mcpServers: { failed: { command, args, connect: 'use' } } }), 'failed');
  await page.getByRole('button', { name: 'Save without a test' }).click();
  await expect(page).toHaveURL(/\/servers\/failed$/);
  await open(page, '/servers/failed/traffic');
  await expect(page.getByText('Nothing has passed yet')).toBeVisible();
});

test(`traffic is for an operator and an admin; others are told who may see it ${verifies('traffic.roles')}`, async ({ app, page, browser, watch }) => {
  await open(page, '/settings');
  await page.getByRole('button', { name: /add/i }).first().click();
  await page.getByLabel('Name').fill('Ann Analyst');
  await page.getByLabel('E-mail address').fill('ann@signalbox.example');
  await page.getByLabel('Password').fill('anns own long password');
  await page.getByRole('combobox', { name: 'Role', exact: true }).last().selectOption('analyst');
  await page.getByRole('dialog').or(page.locator('form')).getByRole('button', { name: /add|make/i }).last().click();
  await expect(page.getByText('ann@signalbox.example').first()).toBeVisible();

  const state = await signIn(app.url, { email: 'ann@signalbox.example', password: 'anns own long password' });
  const analyst = await browser.newContext({ storageState: state, baseURL: app.url });
  const theirs = await analyst.newPage();
  watch(theirs);
  await theirs.goto('/servers/analysis/log');
  await expect(theirs.getByRole('link', { name: 'Log' })).toBeVisible();
  await expect(theirs.getByRole('link', { name: 'Traffic' })).toHaveCount(0);
  await theirs.goto('/servers/analysis/traffic');
  await expect(theirs.getByText(/shown to an operator and to an admin/)).toBeVisible();
  const direct = await request.newContext({ baseURL: app.url, storageState: state });
  const refused = await direct.get('/api/servers/analysis/traffic?texts=1');
  expect(refused.status()).toBe(403);
  expect(await refused.text()).toContain('needs the role operator');
  await Promise.all([direct.dispose(), analyst.close()]);
});

test('the list fits a phone, and its panel takes the screen', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await open(page, '/servers/analysis/traffic');
  const table = page.getByRole('table', { name: 'Messages' });
  await expect(table.getByText(HANDSHAKE).first()).toBeVisible();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  await table.getByRole('button', { name: HANDSHAKE }).first().click();
  await expect(page.getByRole('complementary', { name: HANDSHAKE })).toBeVisible();
  await expectAccessible(page);
});

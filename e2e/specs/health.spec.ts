import { request, type Locator, type Page } from '@playwright/test';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { rawStdio } from '../fixtures/real-servers';
import { ADMIN, startConsole } from '../fixtures/console';
import { expect, expectAccessible, signIn, test } from '../fixtures/test';

import { open, pasteServer, testAndSave } from '../pages/servers';
import { verifies } from '../requirements';

/** Without cookies: a new context takes those of the signed-in admin otherwise. */
const NOBODY = { cookies: [], origins: [] };

const rowOf = (page: Page, key: string): Locator => page.getByRole('row').filter({ has: page.getByRole('link', { name: key, exact: true }) });

async function act(page: Page, key: string, name: string): Promise<Locator> {
  await page.getByRole('checkbox', { name: `Select ${key}` }).check();
  await page.getByRole('button', { name, exact: true }).click();
  await page.getByRole('checkbox', { name: `Select ${key}` }).uncheck();
  return page.getByRole('region', { name: 'What became of it' }).getByRole('listitem').filter({ hasText: key });
}

async function addServer(page: Page, key: string, mode = 'echo'): Promise<void> {
  await pasteServer(page, rawStdio(mode), key);
  await testAndSave(page, key);
}

test(`the health page tells how servers stand, and acts on them ${verifies('health.table', 'health.act')}`, async ({ page }) => {
  await addServer(page, 'well-one');
  await open(page, '/health');
  const row = rowOf(page, 'well-one');
  await expect(row).toContainText('connected');
  await expect(row.getByRole('img', { name: /^Latency over the last day/ })).toBeVisible();
  await expect(row).toContainText(/MiB/);

  await expect(await act(page, 'well-one', 'Test')).toContainText(/done.*It works/);
  await expect(await act(page, 'well-one', 'Rest')).toContainText('Calls to it rest for 10 min');
  await expect(row).toContainText('resting');
  await expect(await act(page, 'well-one', 'Resume')).toContainText('calls go again');
  await expect(row).toContainText('connected');
  const before = await row.locator('.font-mono').textContent();
  await expect(await act(page, 'well-one', 'Restart')).toContainText('is being opened anew');
  await expect(row.locator('.font-mono')).not.toHaveText(before ?? '');

  await page.getByRole('checkbox', { name: 'Select well-one' }).check();
  await page.getByRole('button', { name: 'Disable…' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Disable' }).click();
  await expect(row).toContainText('disabled');
  await expect(await act(page, 'well-one', 'Enable')).toContainText('It is enabled');
  await expect(row).toContainText('connected');

  await page.getByRole('button', { name: 'Server', exact: true }).click();
  await expect(page).toHaveURL(/sort=server/);
  await open(page, '/health?state=resting');
  await expect(page.getByText('No servers match what is set')).toBeVisible();
});

test(`a server that stands still fails by the next check, is in the inbox, and is posted ${verifies('health.check', 'health.webhook', 'inbox.changes')}`, async ({ page }) => {
  const posts: string[] = [];
  const receiver: Server = createServer((request, response) => {
    request.on('data', (part: Buffer) => posts.push(part.toString('utf8')));
    request.on('end', () => response.writeHead(204).end());
  });
  await new Promise<void>((done) => receiver.listen(0, '127.0.0.1', done));
  const { port } = receiver.address() as AddressInfo;

  await addServer(page, 'still-one');
  await open(page, '/health');
  await page.getByLabel('Address to post changes to').fill(`http://127.0.0.1:${port}/hook-of-ours`);
  await page.getByRole('button', { name: 'Keep' }).click();
  await page.getByRole('button', { name: 'Post a test' }).click();
  await expect(page.getByRole('list', { name: 'The last posts' })).toContainText('a test');
  expect(await page.content()).not.toContain('hook-of-ours');
  await page.getByLabel('Seconds between two checks').fill('2');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('At least 5 seconds.')).toBeVisible();
  await page.getByLabel('Seconds between two checks').fill('5');
  await page.getByLabel('Post changes of state to the address').check();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('How servers are watched was saved.')).toBeVisible();

  const row = rowOf(page, 'still-one');
  const processId = Number(await row.locator('.font-mono').textContent());
  process.kill(processId, 'SIGSTOP');
  try {
    await expect(row).toContainText('failing', { timeout: 40_000 });
    await expect(row).toContainText('did not answer a check');
    await open(page, '/servers');
    await expect(page.getByRole('article', { name: 'still-one' })).toContainText('did not answer a check');
  } finally {
    process.kill(processId, 'SIGCONT');
  }
  await expect(page.getByRole('article', { name: 'still-one' })).toContainText('connected', { timeout: 40_000 });
  await expect.poll(() => posts.map((post) => (JSON.parse(post) as { server: string | null; to: string | null }).to)).toEqual(expect.arrayContaining(['failing', 'connected']));

  await expect(page.getByRole('link', { name: /Inbox.*not read/ }).first()).toBeVisible();
  await open(page, '/inbox?server=still-one');
  const items = page.getByRole('list', { name: 'Changes of state' }).getByRole('listitem');
  await expect(items).toHaveCount(2);
  await items.last().getByRole('button', { name: 'Mark still-one as read' }).click();
  await expect(items.last().getByRole('button', { name: 'Mark still-one as not read' })).toBeVisible();
  await page.getByRole('checkbox', { name: 'Not read' }).check();
  await expect(items).toHaveCount(1);
  await page.getByRole('button', { name: 'Mark all as read' }).focus();
  await page.keyboard.press('Enter');
  await expect(items).toHaveCount(0);
  // The rail counts every server's changes, and another's may have come in meanwhile.
  await expect(async () => {
    await open(page, '/inbox');
    const others = page.getByRole('button', { name: 'Mark all as read' });
    if (await others.isVisible()) await others.click();
    await expect(page.getByRole('link', { name: /Inbox.*not read/ })).toHaveCount(0);
  }).toPass({ timeout: 60_000 });
  receiver.close();
});

test(`only an operator acts, and only an admin sets ${verifies('health.roles')}`, async ({ app, browser, page, watch }) => {
  for (const role of ['viewer', 'operator'] as const) {
    const email = `${role}@health.example`;
    await open(page, '/settings');
    await page.getByRole('button', { name: /add/i }).first().click();
    await page.getByLabel('Name').fill(role);
    await page.getByLabel('E-mail address').fill(email);
    await page.getByLabel('Password').fill('a password of theirs');
    await page.getByRole('combobox', { name: 'Role', exact: true }).last().selectOption(role);
    await page.getByRole('dialog').or(page.locator('form')).getByRole('button', { name: /add|make/i }).last().click();
    await expect(page.getByText(email).first()).toBeVisible();
    const context = await browser.newContext({ baseURL: app.url, storageState: await signIn(app.url, { email, password: 'a password of theirs' }) });
    const theirs = await context.newPage();
    watch(theirs);
    await open(theirs, '/health');
    await expect(theirs.getByRole('table', { name: 'Health of the servers' })).toBeVisible();
    await expect(theirs.getByRole('button', { name: 'Restart' })).toHaveCount(role === 'operator' ? 1 : 0);
    await expect(theirs.getByLabel('Seconds between two checks')).toHaveCount(0);
    await context.close();
  }
});

test(`readiness is open, metrics are not ${verifies('health.probes')}`, async ({ app }) => {
  test.slow();
  const stranger = await request.newContext({ storageState: NOBODY });
  const ready = await stranger.get(`${app.url}/api/healthz`);
  expect([ready.status(), await ready.json()]).toEqual([200, { ok: true, checks: { database: 'ok', pool: 'ok', monitor: 'ok' } }]);
  expect((await stranger.get(`${app.url}/api/metrics`)).status()).toBe(404);
  const measured = await startConsole({ env: { SIGNALBOX_METRICS_TOKEN: 'a-token-of-some-length' } });
  try {
    expect((await stranger.get(`${measured.url}/api/metrics`)).status()).toBe(401);
    const told = await stranger.get(`${measured.url}/api/metrics`, { headers: { authorization: 'Bearer a-token-of-some-length' } });
    expect(await told.text()).toContain('signalbox_server_state{server="analysis"');
    const admin = await request.newContext({ storageState: await signIn(measured.url, ADMIN) });
    expect((await admin.get(`${measured.url}/api/metrics`)).status()).toBe(401);
    await admin.dispose();
  } finally {
    await measured.stop();
    await stranger.dispose();
  }
});

for (const width of [390, 1440]) {
  test(`health and inbox are accessible, ${width} px wide ${verifies('pages.accessible')}`, async ({ page }) => {
    await page.setViewportSize({ width, height: 900 });
    for (const path of ['/health', '/health?state=resting', '/inbox', '/inbox?unread=1']) {
      await open(page, path);
      await expectAccessible(page);
      const { scrollWidth, clientWidth } = await page.evaluate(() => ({
        scrollWidth: document.documentElement.scrollWidth, clientWidth: document.documentElement.clientWidth,
      }));
      expect(scrollWidth, `${path} fits`).toBeLessThanOrEqual(clientWidth);
    }
    if (width < 768) await expect(page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: /^Inbox/ })).toBeVisible();
  });
}

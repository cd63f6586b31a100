import { request } from '@playwright/test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startConsole } from '../fixtures/console';
import { expect, expectAccessible, signIn, test } from '../fixtures/test';
import { callTool, field, open } from '../pages/servers';
import { verifies } from '../requirements';

/** Without cookies: a new context takes those of the signed-in admin otherwise. */
const NOBODY = { cookies: [], origins: [] };

test(`the one-time link makes the first admin and works once ${verifies('setup.link.once')}`, async ({ browser, watch }) => {
  const home = mkdtempSync(join(tmpdir(), 'signalbox-setup-'));
  const fresh = await startConsole({ home, env: { SIGNALBOX_ADMIN_EMAIL: '', SIGNALBOX_ADMIN_PASSWORD: '' } });
  try {
    const findLink = () => /http:\/\/\S+\/setup\?token=\S+/.exec(fresh.output())?.[0];
    await expect.poll(findLink, 'the link in the terminal').toBeDefined();
    const link = findLink();
    const context = await browser.newContext({ storageState: NOBODY });
    const page = await context.newPage();
    watch(page);
    await page.goto(link ?? '');
    await expectAccessible(page);
    await page.getByLabel('Name').fill('Grace');
    await page.getByLabel('E-mail address').fill('grace@signalbox.example');
    await page.getByLabel('Password').fill('short');
    await page.getByRole('button', { name: 'Make the first admin' }).click();
    await expect(page.getByText(/at least 10 characters/i).last()).toBeVisible();
    await page.getByLabel('Password').fill('long enough for anyone');
    await page.getByRole('button', { name: 'Make the first admin' }).click();
    await expect(page).toHaveURL(/\/servers$/);
    const other = await browser.newContext({ storageState: NOBODY });
    const late = await other.newPage();
    await late.goto(link ?? '');
    await expect(late).toHaveURL(/\/sign-in/);
    await Promise.all([context.close(), other.close()]);
  } finally {
    await fresh.stop();
    rmSync(home, { recursive: true, force: true });
  }
});

test(`nobody gets anything without a sign-in, from another site or under another name ${verifies('access.closed')}`, async ({ app, browser }) => {
  const stranger = await request.newContext({ baseURL: app.url, storageState: NOBODY });
  for (const path of ['/api/servers', '/api/ledger', '/api/live', '/api/ledger/1', '/api/palette', '/api/servers/analysis/traffic']) {
    expect((await stranger.get(path)).status(), path).toBe(401);
  }
  expect((await stranger.post('/api/jobs/console/files?name=x', { data: 'x', headers: { Origin: app.url } })).status()).toBe(401);
  expect((await stranger.get('/api/servers', { headers: { Host: 'evil.example' } })).status()).toBeGreaterThanOrEqual(400);
  const state = await signIn(app.url, { email: 'admin@signalbox.example', password: 'correct horse battery' });
  const admin = await request.newContext({ baseURL: app.url, storageState: state });
  expect((await admin.get('/api/servers')).status()).toBe(200);
  expect((await admin.post('/api/jobs/console/files?name=x', { data: 'x', headers: { Origin: 'http://evil.example' } })).status()).toBe(403);
  await Promise.all([stranger.dispose(), admin.dispose()]);

  const context = await browser.newContext({ storageState: NOBODY, baseURL: app.url });
  const page = await context.newPage();
  for (const path of ['/servers', '/servers/analysis/tools', '/ledger', '/settings']) {
    await page.goto(path);
    await expect(page).toHaveURL(/\/sign-in\?next=/);
  }
  await expectAccessible(page);
  await page.getByLabel('E-mail address').fill('admin@signalbox.example');
  await page.getByLabel('Password').fill('wrong password here');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByRole('alert').first()).toBeVisible();
  await context.close();
});

test(`a viewer sees the record without what was said, and who can see it ${verifies('access.roles')}`, async ({ app, page, browser, watch }) => {
  await open(page, '/servers/analysis/tools?tool=hashes');
  await page.locator('input[type=file]').setInputFiles({ name: 'secret-name.txt', mimeType: 'text/plain', buffer: Buffer.from('v') });
  await expect(field(page, 'path')).toHaveValue(/secret-name/);
  const outcome = await callTool(page, 'hashes');
  const entry = (await outcome.getByRole('link', { name: /in the ledger/ }).getAttribute('href')) ?? '';

  await open(page, '/settings');
  await page.getByRole('button', { name: /add/i }).first().click();
  await page.getByLabel('Name').fill('Vic Viewer');
  await page.getByLabel('E-mail address').fill('vic@signalbox.example');
  await page.getByLabel('Password').fill('vics own long password');
  await page.getByRole('combobox', { name: 'Role', exact: true }).last().selectOption('viewer');
  await page.getByRole('dialog').or(page.locator('form')).getByRole('button', { name: /add|make/i }).last().click();
  await expect(page.getByText('vic@signalbox.example').first()).toBeVisible();

  const state = await signIn(app.url, { email: 'vic@signalbox.example', password: 'vics own long password' });
  const context = await browser.newContext({ storageState: state, baseURL: app.url });
  const viewer = await context.newPage();
  watch(viewer);
  await viewer.goto(entry);
  await expect(viewer.getByText(/analyst/i).first()).toBeVisible();
  await expect(viewer.getByText('secret-name')).toHaveCount(0);
  await viewer.goto('/servers/new');
  await expect(viewer.getByText(/operator/i).first()).toBeVisible();
  await viewer.goto('/settings');
  await expect(viewer.getByText(/admin/i).first()).toBeVisible();
  expect((await viewer.request.get(`/api${entry}/result`)).status()).toBe(403);
  await context.close();
});

import type { Page } from '@playwright/test';
import { expect, expectAccessible, test } from '../fixtures/test';
import { npmServer } from '../fixtures/real-servers';
import { callTool, openTool, pasteServer, testAndSave } from '../pages/servers';
import { verifies } from '../requirements';

// Each area by itself, in any order and on any worker: together they are every page.
test.describe.configure({ mode: 'parallel' });

async function visitAll(page: Page, paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    await page.goto(path);
    await expect(page.getByRole('main')).toBeVisible();
    await expectAccessible(page);
  }
}

async function addEverything(page: Page, key: string): Promise<void> {
  await pasteServer(page, `node ${npmServer('everything')}`, key);
  await testAndSave(page, key);
}

test(`the form of a new server, the cards and how a server stands have no accessibility violation ${verifies('pages.accessible')}`, async ({ page }) => {
  await pasteServer(page, `node ${npmServer('everything')}`, 'axe-stands');
  await expectAccessible(page);
  await testAndSave(page, 'axe-stands');
  await visitAll(page, ['/servers', ...['', '/log', '/traffic', '/health', '/settings'].map((tab) => `/servers/axe-stands${tab}`)]);
});

test(`what a server offers has no accessibility violation ${verifies('pages.accessible')}`, async ({ page }) => {
  await addEverything(page, 'axe-offers');
  await openTool(page, 'axe-offers', 'get-sum');
  await expectAccessible(page);
  await visitAll(page, ['/tools', '/tools?review=1', '/resources', '/prompts'].map((tab) => `/servers/axe-offers${tab}`));
});

test(`a call and its record have no accessibility violation ${verifies('pages.accessible')}`, async ({ page }) => {
  await addEverything(page, 'axe-calls');
  await openTool(page, 'axe-calls', 'get-tiny-image');
  const outcome = await callTool(page, 'get-tiny-image');
  await expectAccessible(page);
  const entry = (await outcome.getByRole('link', { name: /in the ledger/ }).getAttribute('href')) ?? '';
  await visitAll(page, ['/runs', '/ledger', '/ledger?outcome=timeout', entry]);
});

test(`the settings, the inbox and the health page have no accessibility violation ${verifies('pages.accessible')}`, async ({ page }) => {
  await visitAll(page, ['/settings', '/settings/vault', '/settings/audit', '/settings/retention', '/inbox', '/health']);
});

test('a page that is not there says so, without a violation', async ({ page, announced }) => {
  announced.answer('/no-such-page');
  await page.goto('/no-such-page');
  await expect(page.getByRole('heading').first()).toBeVisible();
  await expectAccessible(page);
});

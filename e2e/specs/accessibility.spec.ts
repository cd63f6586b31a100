import { expect, expectAccessible, test } from '../fixtures/test';
import { npmServer } from '../fixtures/real-servers';
import { callTool, openTool, pasteServer, testAndSave } from '../pages/servers';
import { verifies } from '../requirements';

test(`no page has an accessibility violation ${verifies('pages.accessible')}`, async ({ page }) => {
  test.slow();
  await pasteServer(page, `node ${npmServer('everything')}`, 'axe-everything');
  await expectAccessible(page);
  await testAndSave(page, 'axe-everything');
  await openTool(page, 'axe-everything', 'get-sum');
  await expectAccessible(page);
  await openTool(page, 'axe-everything', 'get-tiny-image');
  const outcome = await callTool(page, 'get-tiny-image');
  await expectAccessible(page);
  const entry = (await outcome.getByRole('link', { name: /in the ledger/ }).getAttribute('href')) ?? '';
  const pages = [
    '/servers',
    ...['', '/tools', '/tools?review=1', '/resources', '/prompts', '/log', '/traffic', '/health', '/settings'].map((tab) => `/servers/axe-everything${tab}`),
    '/runs',
    '/ledger',
    '/ledger?outcome=timeout',
    entry,
    '/settings',
    '/settings/vault',
    '/settings/audit',
  ];
  for (const path of pages) {
    await page.goto(path);
    await expect(page.getByRole('main')).toBeVisible();
    await expectAccessible(page);
  }
});

test('a page that is not there says so, without a violation', async ({ page, announced }) => {
  announced.answer('/no-such-page');
  await page.goto('/no-such-page');
  await expect(page.getByRole('heading').first()).toBeVisible();
  await expectAccessible(page);
});

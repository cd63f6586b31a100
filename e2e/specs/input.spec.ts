import { rawStdio } from '../fixtures/real-servers';
import { expect, test } from '../fixtures/test';
import { field, open, pasteServer, testAndSave } from '../pages/servers';
import { verifies } from '../requirements';

test(`bad input names the field and the mend, and nothing typed is lost ${verifies('input.errors')}`, async ({ page }) => {
  await open(page, '/servers/new');
  const pasted = page.getByLabel('Paste what you have');
  await pasted.fill('{\n  "mcpServers": {\n    "cut": { "command": "node", "args": [');
  await expect(page.getByText(/Line 3, column \d+/)).toBeVisible();
  await expect(pasted).toHaveValue(/"cut"/);

  await pasteServer(page, 'https://example.test/mcp', 'Not A Key');
  await page.getByRole('button', { name: 'Save without a test' }).click();
  await expect(page.getByText(/a key begins with a small letter/).last()).toBeVisible();
  await expect(field(page, 'URL')).toHaveValue('https://example.test/mcp');

  await field(page, 'Key').fill('analysis-2');
  await field(page, 'URL').fill('http//nope');
  await page.getByRole('button', { name: 'Save without a test' }).click();
  await expect(page).toHaveURL(/\/servers\/new/);
  await expect(field(page, 'URL')).toHaveAttribute('aria-invalid', 'true');
  await expect(field(page, 'URL')).toHaveValue('http//nope');
});

test('a key that is taken is told at its field', async ({ page }) => {
  await pasteServer(page, rawStdio('ok'), 'taken-key');
  await page.getByRole('button', { name: 'Save without a test' }).click();
  await expect(page).toHaveURL(/\/servers\/taken-key$/);
  await pasteServer(page, rawStdio('ok'), 'taken-key');
  await page.getByRole('button', { name: 'Save without a test' }).click();
  await expect(field(page, 'Key')).toHaveAttribute('aria-invalid', 'true');
  await expect(page).toHaveURL(/\/servers\/new/);
});

test('odd tool names are set aside, and a schema that refers to itself still gives a form', async ({ page }) => {
  await pasteServer(page, rawStdio('t_name'), 'odd-names');
  await testAndSave(page, 'odd-names');
  await open(page, '/servers/odd-names/tools');
  await expect(page.getByText(/set aside/i).first()).toBeVisible();
  await pasteServer(page, rawStdio('recursive'), 'recursive');
  await testAndSave(page, 'recursive');
  await open(page, '/servers/recursive/tools');
  const links = page.locator('a[href*="?tool="], a[href*="&tool="]');
  const addresses = await links.evaluateAll((found) => found.map((link) => link.getAttribute('href') ?? ''));
  expect(addresses.length).toBeGreaterThan(0);
  for (const address of addresses) {
    await open(page, address);
    await expect(page.getByRole('button', { name: /^Call / })).toBeVisible();
  }
});

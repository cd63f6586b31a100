import { expect, test } from '../fixtures/test';
import { callTool, cardOf, field, open } from '../pages/servers';
import { verifies } from '../requirements';

test(`a new install shows what does not work here, and how to mend it ${verifies('servers.unavailable')}`, async ({ page }) => {
  await open(page, '/');
  const card = cardOf(page, 'analysis');
  await expect(card.getByText('connected', { exact: true })).toBeVisible({ timeout: 60_000 });
  await expect(card).toContainText('scan_rules');
  await expect(card).toContainText('yara is not on the PATH');
  await expect(card).toContainText('apt-get install yara');
  await expect(card).toContainText(/still answers: lists the members/);
});

test(`the harmless sample is identified in two presses ${verifies('calls.sample')}`, async ({ page }) => {
  await open(page, '/servers');
  await cardOf(page, 'analysis').getByRole('button', { name: 'Try it' }).click();
  await expect(page).toHaveURL(/\/servers\/analysis\/tools\?tool=identify_file/);
  await expect(await callTool(page, 'identify_file')).toContainText('application/zip');
});

test('a file chosen in the form goes into the job directory and is read there', async ({ page }) => {
  await open(page, '/servers/analysis/tools?tool=hashes');
  await page.locator('input[type=file]').setInputFiles({ name: 'abc.txt', mimeType: 'text/plain', buffer: Buffer.from('abc') });
  await expect(field(page, 'path')).toHaveValue(/abc/);
  await expect(await callTool(page, 'hashes')).toContainText('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
});

import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { expect, test } from '../fixtures/test';
import { npmServer } from '../fixtures/real-servers';
import { callTool, cardOf, field, open, openTool, pasteServer, testAndSave } from '../pages/servers';
import { verifies } from '../requirements';
import { startLegacyHttp } from '../servers/legacy-http.mjs';
import { startModernHttp } from '../servers/modern-http.mjs';

test(`a command line becomes a tested, reviewed server ${verifies('servers.new.paste', 'servers.new.stages', 'calls.form')}`, async ({ page }) => {
  await pasteServer(page, `node ${npmServer('everything')}`, 'everything');
  await expect(field(page, 'Command')).toHaveValue('node');
  await field(page, 'Label').fill('The reference server');
  await expect(page.getByLabel('Paste what you have')).toHaveValue(/The reference server/);

  await page.getByRole('button', { name: 'Test', exact: true }).click();
  await expect(page.getByRole('list', { name: 'Stages of the test' }).getByRole('listitem').nth(3)).toBeVisible({ timeout: 60_000 });
  await page.getByRole('button', { name: /^Save and expose \d+ tools$/ }).click({ timeout: 60_000 });
  await expect(page).toHaveURL(/\/servers\/everything$/);

  await openTool(page, 'everything', 'echo');
  await field(page, 'message').fill('through the form');
  const outcome = await callTool(page, 'echo');
  await expect(outcome).toContainText('Echo: through the form');
});

test('the filesystem server reads what was put into the job directory, its only root', async ({ page }) => {
  await pasteServer(page, JSON.stringify({ mcpServers: { files: { command: 'node', args: [npmServer('filesystem'), tmpdir()] } } }), 'files');
  await testAndSave(page, 'files');
  await openTool(page, 'files', 'read_text_file');
  await page.locator('input[type=file]').first().setInputFiles({ name: 'note.txt', mimeType: 'text/plain', buffer: Buffer.from('a note on disk') });
  await expect(field(page, 'path')).toHaveValue(/note/);
  await expect(await callTool(page, 'read_text_file')).toContainText('a note on disk');
});

test(`Streamable HTTP servers of both eras are added by their URL ${verifies('servers.http')}`, async ({ page }) => {
  const [modern, legacy] = [await startModernHttp(), await startLegacyHttp()];
  try {
    for (const [key, server, era] of [['modern-http', modern, 'modern'], ['legacy-http', legacy, 'legacy']] as const) {
      await pasteServer(page, server.url, key);
      await testAndSave(page, key);
      await open(page, '/servers');
      await expect(cardOf(page, key)).toContainText(era);
      await openTool(page, key, 'echo');
      await field(page, 'text').fill('over http');
      await expect(await callTool(page, 'echo')).toContainText('over http');
    }
  } finally {
    await Promise.all([modern.close(), legacy.close()]);
  }
});

test(`a failing server shows its remedy, and is mended in its settings ${verifies('servers.failure.remedy')}`, async ({ page }) => {
  await pasteServer(page, 'no-such-program-xyz --stdio', 'mendable');
  await page.getByRole('button', { name: 'Test', exact: true }).click();
  await expect(page.getByText(/no-such-program-xyz/).first()).toBeVisible();
  await expect(page.getByText('Do this:').first()).toBeVisible();
  await page.getByRole('button', { name: 'Save without a test' }).click();
  await expect(page).toHaveURL(/\/servers\/mendable$/);

  await open(page, '/servers');
  const card = cardOf(page, 'mendable');
  await card.getByRole('button', { name: 'Test', exact: true }).click();
  await expect(card.getByText('Do this:').first()).toBeVisible();
  await expect(card.getByText(/PATH/).first()).toBeVisible();

  await open(page, '/servers/mendable/settings');
  await field(page, 'Command').fill('node');
  await field(page, 'argument 1').fill(npmServer('memory'));
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('mendable was saved.')).toBeVisible();

  await open(page, '/servers');
  await cardOf(page, 'mendable').getByRole('button', { name: 'Test', exact: true }).click();
  await expect(cardOf(page, 'mendable').getByText('connected', { exact: true })).toBeVisible({ timeout: 60_000 });
});

test('a failed test is that of the server which it was saved as, and a redirect’s address is one press', async ({ page }) => {
  const modern = await startModernHttp();
  const elsewhere = createServer((_request, response) => response.writeHead(301, { location: modern.url }).end());
  await new Promise<void>((ready) => elsewhere.listen(0, '127.0.0.1', ready));
  const address = elsewhere.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  try {
    await open(page, '/servers/new');
    await page.getByLabel('Paste what you have').fill(JSON.stringify({ mcpServers: { moved: { command: 'node', url: `http://127.0.0.1:${port}/mcp`, connect: 'use' } } }));
    await expect(page.getByRole('button', { name: 'Test', exact: true })).toBeDisabled();
    await page.getByRole('button', { name: 'Keep the url alone' }).click();
    await page.getByRole('button', { name: 'Test', exact: true }).click();
    await expect(page.getByRole('button', { name: 'Use this address' })).toBeVisible();
    await page.getByRole('button', { name: 'Save without a test' }).click();
    await expect(page).toHaveURL(/\/servers\/moved$/);
    await open(page, '/servers');
    const card = cardOf(page, 'moved');
    await expect(card.getByText(/Its last test failed/)).toBeVisible();
    await card.getByRole('button', { name: 'Use this address' }).click();
    await expect(card.getByText(/Its last test failed/)).toHaveCount(0);
    await card.getByRole('button', { name: 'Test', exact: true }).click();
    await expect(card.getByText(/The test passed/)).toBeVisible({ timeout: 60_000 });
  } finally {
    elsewhere.close();
    await modern.close();
  }
});

test(`a server is disabled, duplicated and deleted ${verifies('servers.manage')}`, async ({ page }) => {
  await pasteServer(page, `node ${npmServer('sequential-thinking')}`, 'thinking');
  await testAndSave(page, 'thinking');
  await open(page, '/servers');
  await cardOf(page, 'thinking').getByRole('switch', { name: 'thinking enabled' }).click();
  await expect(cardOf(page, 'thinking').getByText('disabled', { exact: true })).toBeVisible();

  await cardOf(page, 'thinking').getByRole('button', { name: 'More for thinking' }).click();
  await page.getByRole('menuitem', { name: 'Duplicate' }).click();
  await expect(field(page, 'Key')).toHaveValue('thinking-2');
  await page.getByRole('button', { name: 'Save without a test' }).click();
  await expect(page).toHaveURL(/\/servers\/thinking-2$/);

  await open(page, '/servers');
  await cardOf(page, 'thinking').getByRole('button', { name: 'More for thinking' }).click();
  await page.getByRole('menuitem', { name: 'Delete…' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect(cardOf(page, 'thinking')).toHaveCount(0);
  await expect(cardOf(page, 'thinking-2')).toBeVisible();
});

import { expect, type Browser, type Locator, type Page } from '@playwright/test';
import { signIn } from '../fixtures/test';
import { rawStdio } from '../fixtures/real-servers';
import { callTool, field, open, openTool, pasteServer, testAndSave } from './servers';

/** Adds a server that answers with its arguments. */
export async function addEcho(page: Page, key: string): Promise<void> {
  await pasteServer(page, rawStdio('echo'), key);
  await testAndSave(page, key);
}

/** Calls the echo's tool with a text and answers the number of the entry. */
export async function callEcho(page: Page, key: string, text: string): Promise<number> {
  await openTool(page, key, 'plain');
  await field(page, 'text').fill(text);
  const outcome = await callTool(page, 'plain');
  const address = await outcome.getByRole('link', { name: /in the ledger/ }).getAttribute('href');
  return Number(/\d+$/.exec(address ?? '')?.[0]);
}

/** The lines of the list, without its heading. */
export const listedCalls = (page: Page): Locator => page.getByRole('table', { name: 'Calls' }).getByRole('row').filter({ has: page.getByRole('cell') });

/** Opens one of the panels at the right end of the filter bar. */
export async function openPanel(page: Page, name: 'Views' | 'Export'): Promise<Locator> {
  await page.getByRole('search', { name: 'Filter the ledger' }).getByRole('button', { name: new RegExp(`^${name}`) }).click();
  return page.getByRole('group', { name });
}

/** Makes an account and a page that is signed in with it. */
export async function openAs(page: Page, browser: Browser, url: string, role: 'viewer' | 'analyst', email: string): Promise<Page> {
  const password = 'a password of theirs';
  await open(page, '/settings');
  await page.getByRole('button', { name: /add/i }).first().click();
  await page.getByLabel('Name').fill(role);
  await page.getByLabel('E-mail address').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('combobox', { name: 'Role', exact: true }).last().selectOption(role);
  await page.getByRole('dialog').or(page.locator('form')).getByRole('button', { name: /add|make/i }).last().click();
  await expect(page.getByText(email).first()).toBeVisible();
  const context = await browser.newContext({ baseURL: url, storageState: await signIn(url, { email, password }) });
  return context.newPage();
}

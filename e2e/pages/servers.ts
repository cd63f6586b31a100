import { expect, type Locator, type Page } from '@playwright/test';

/** Goes to a page and waits until it listens: what is typed into a page that does not yet is lost. */
export async function open(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await expect(page.getByTitle('Live: what happens shows at once.')).toBeVisible();
}

/** A text field by its label, required or not. */
export const field = (page: Page, label: string): Locator =>
  page.getByRole('textbox', { name: new RegExp(`^${label}( \\(required\\))?$`) });

/** The card of a server on `/servers`. */
export const cardOf = (page: Page, key: string): Locator => page.getByRole('article', { name: key, exact: true });

/** Pastes what a person has into `/servers/new`, and gives the server a key of the test's own. */
export async function pasteServer(page: Page, text: string, key: string): Promise<void> {
  await open(page, '/servers/new');
  await page.getByLabel('Paste what you have').fill(text);
  await expect(field(page, 'Key')).not.toHaveValue('');
  await field(page, 'Key').fill(key);
}

/** Tests the pasted server, accepts its tools as they are, and saves it. */
export async function testAndSave(page: Page, key: string): Promise<void> {
  await page.getByRole('button', { name: 'Test', exact: true }).click();
  await page.getByRole('button', { name: /^Save and expose \d+ tools?$/ }).click({ timeout: 60_000 });
  await expect(page).toHaveURL(new RegExp(`/servers/${key}$`));
}

/** Opens a tool's form on its server's page. */
export async function openTool(page: Page, key: string, tool: string): Promise<void> {
  await open(page, `/servers/${key}/tools?tool=${encodeURIComponent(tool)}`);
  await expect(page.getByRole('heading', { name: tool, exact: true })).toBeVisible();
}

/** Presses the form's button and waits until the call has ended as `word` says. */
export async function callTool(page: Page, tool: string, word = 'ok'): Promise<Locator> {
  await page.getByRole('button', { name: `Call ${tool}` }).click();
  const outcome = page.getByRole('region', { name: 'What became of the call' });
  await expect(outcome).toHaveAttribute('aria-busy', 'false', { timeout: 60_000 });
  await expect(outcome.getByText(word, { exact: true }).first()).toBeVisible();
  return outcome;
}

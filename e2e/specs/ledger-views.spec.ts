import { expect, test } from '../fixtures/test';
import { addEcho, callEcho, listedCalls, openAs, openPanel } from '../pages/ledger';
import { open } from '../pages/servers';
import { verifies } from '../requirements';

test(`a filter gets a name, for its owner or for everybody ${verifies('ledger.views')}`, async ({ app, browser, page, watch }) => {
  await addEcho(page, 'viewed');
  await callEcho(page, 'viewed', 'one');
  await open(page, '/ledger?server=viewed&outcome=ok');
  let views = await openPanel(page, 'Views');
  await views.getByRole('textbox', { name: /^Save the filter as/ }).fill('What went well');
  await views.getByRole('checkbox', { name: 'Share with everybody' }).check();
  await views.getByRole('button', { name: 'Save' }).click();
  await expect(views.getByRole('link', { name: 'What went well' })).toBeVisible();
  await open(page, '/ledger?server=viewed&outcome=timeout');
  views = await openPanel(page, 'Views');
  await views.getByRole('textbox', { name: /^Save the filter as/ }).fill('Mine alone');
  await views.getByRole('button', { name: 'Save' }).click();
  await expect(views.getByRole('link', { name: 'Mine alone' })).toBeVisible();
  await views.getByRole('link', { name: 'What went well' }).click();
  await expect(page).toHaveURL(/server=viewed&outcome=ok/);
  await expect(listedCalls(page).first()).toContainText('viewed');

  const theirs = await openAs(page, browser, app.url, 'analyst', 'views@ledger.example');
  watch(theirs);
  await open(theirs, '/ledger');
  const shared = await openPanel(theirs, 'Views');
  await expect(shared.getByRole('link', { name: 'What went well' })).toBeVisible();
  await expect(shared.getByRole('link', { name: 'Mine alone' })).toHaveCount(0);
  await expect(shared.getByRole('button', { name: 'Delete the view What went well' })).toHaveCount(0);
  await theirs.context().close();
});

test(`words are found in arguments and results, and not offered to who does not see them ${verifies('ledger.text')}`, async ({ app, browser, page, watch }) => {
  await addEcho(page, 'searched');
  await callEcho(page, 'searched', 'a heliotrope among others');
  await callEcho(page, 'searched', 'nothing of note');
  await open(page, '/ledger?server=searched');
  await expect(listedCalls(page)).toHaveCount(2);
  await page.getByRole('searchbox', { name: 'Find in contents' }).fill('heliot');
  await expect(page).toHaveURL(/text=heliot/);
  await expect(listedCalls(page)).toHaveCount(1);
  await page.getByRole('searchbox', { name: 'Find in contents' }).fill('');
  await expect(listedCalls(page)).toHaveCount(2);

  const theirs = await openAs(page, browser, app.url, 'viewer', 'text@ledger.example');
  watch(theirs);
  await open(theirs, '/ledger?server=searched&text=heliotrope');
  await expect(theirs.getByText('An analyst can search in arguments').first()).toBeVisible();
  await expect(theirs.getByRole('searchbox', { name: 'Find in contents' })).toHaveCount(0);
  await theirs.context().close();
});

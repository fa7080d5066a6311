// Docket under a path of its host, in a browser: the module loads there, pages follow each other without a load in between,
// what scripts put on a page leads where it should, and a task is followed live.
import { expect, test as base } from '@playwright/test';

import { freeAddress } from '../support/cluster';
import { tick } from '../support/mouse';
import { completed, hydrated, search, selectionBar } from '../support/pages';
import { start } from '../support/server';

const path = '/apps/docket';

const test = base.extend<{ under: { url: string; password: string } }>({
  under: async ({}, use, testInfo) => {
    const url = await freeAddress();
    const settings = { DOCKET__HTTP__PUBLIC_URL: `${url}${path}` };
    const server = await start(new URL(url).host, testInfo.outputPath('docket.log'), settings);
    await use({ url: `${url}${path}`, password: server.passwords.manager });
    await server.stop();
  },
});

test('everything works under a path', async ({ page, under }) => {
  const astray: string[] = [];
  page.on('request', (request) => {
    const { origin, pathname } = new URL(request.url());
    if (under.url.startsWith(origin) && !pathname.startsWith(`${path}/`) && pathname !== '/favicon.ico') astray.push(pathname);
  });
  await page.goto(`${under.url}/people?programStatus=ACTIVE`);
  await page.getByLabel('Username').fill('manager');
  await page.getByLabel('Password').fill(under.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page).toHaveURL(`${under.url}/people?programStatus=ACTIVE`);
  await hydrated(page);

  // From page to page: by links, by a form, and back.
  const main = page.getByRole('navigation', { name: 'Main' });
  await main.getByRole('link', { name: 'My tasks' }).click();
  await expect(page).toHaveURL(`${under.url}/tasks`);
  await expect(main.getByRole('link', { name: 'My tasks' })).toHaveAttribute('aria-current', 'page');
  await main.getByRole('link', { name: 'Settings' }).click();
  await expect(page).toHaveURL(`${under.url}/settings`);
  await main.getByRole('link', { name: 'People' }).click();
  await search(page, 'an');
  await expect(page).toHaveURL(/\/apps\/docket\/people\?q=an/);

  // A selection goes along, and an action leads to its task, which is followed live.
  await tick(page.locator('tbody input[type=checkbox]').first());
  await expect(page).toHaveURL(/\/apps\/docket\/people\?.*sel=/);
  await selectionBar(page).getByRole('link', { name: 'Set program status…' }).click();
  await expect(page).toHaveURL(/\/apps\/docket\/actions\/new\/program-status\?sel=/);
  await tick(page.getByRole('radio').first());
  await page.getByRole('button', { name: /^Set 1 person to / }).click();
  await expect(page).toHaveURL(/\/apps\/docket\/tasks\//);
  await expect(page.locator('[data-live]')).toHaveAttribute('data-live', 'on');
  await completed(page);

  // at once: by now the page is complete.
  const addresses = await page.locator('[href^="/"], [action^="/"], [formaction^="/"]').evaluateAll((elements) =>
    elements.flatMap((element) => ['href', 'action', 'formaction'].map((name) => element.getAttribute(name))).filter((at) => at !== null),
  );
  expect(addresses.length).toBeGreaterThan(10);
  expect(addresses.filter((address) => !address.startsWith(`${path}/`) && !address.startsWith('#'))).toEqual([]);
  expect(astray).toEqual([]);
});

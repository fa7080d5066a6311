// The list of people as its readers want it: sorted, with their columns, starred, narrowed by any fact, and kept as a view that
// colleagues find.
import { expect, type Locator, type Page } from '@playwright/test';

import { test as base } from '../support/mail';
import { tick } from '../support/mouse';
import { loadedAt, open } from '../support/pages';
import { freePort, start, type Server } from '../support/server';
import { signIn } from '../support/session';

const test = base.extend<{ docket: Server }>({
  docket: async ({}, use, info) => {
    const server = await start(`127.0.0.1:${await freePort()}`, info.outputPath('docket.log'), {});
    await use(server);
    await server.stop();
  },
});

const head = (page: Page, name: string): Locator =>
  page.getByRole('columnheader').filter({ has: page.getByRole('link', { name, exact: true }) });
const menu = (page: Page, words: string | RegExp): Locator =>
  page.locator('details.menu').filter({ has: page.locator('summary', { hasText: words }) });
/** What a column says, from the first row to the last. */
async function column(page: Page, name: string): Promise<string[]> {
  // at once: the order was waited for.
  const heads = await page.getByRole('columnheader').allTextContents();
  const cells = page.locator(`#results tbody tr > :nth-child(${heads.indexOf(name) + 2})`);
  return cells.allTextContents();
}
/** Waits until a column says what comes first before what comes after it. */
async function isSorted(page: Page, name: string): Promise<void> {
  await expect(async () => {
    const values = await column(page, name);
    expect(values.length).toBeGreaterThan(1);
    expect(values).toEqual([...values].sort((a, b) => (a < b ? -1 : Number(a > b))));
  }).toPass();
}

for (const scripts of [true, false]) {
  test.describe(scripts ? 'with scripts' : 'without scripts', () => {
    test.use({ javaScriptEnabled: scripts });

    test('every column sorts, and the order outlives a page', async ({ page, docket }) => {
      await page.setViewportSize({ width: 1500, height: 900 });
      await signIn(page, 'manager', docket.passwords.manager);
      for (const name of ['Program status', 'Since', 'Student type', 'Major', 'Campus', 'Start term', 'Coach']) {
        await head(page, name).getByRole('link').click();
        await expect(head(page, name)).toHaveAttribute('aria-sort', 'ascending');
      }
      await head(page, 'Campus').getByRole('link').click();
      await expect(head(page, 'Campus')).toHaveAttribute('aria-sort', 'ascending');
      await isSorted(page, 'Campus');
      // at once: the order was waited for.
      const first = await column(page, 'Name');
      await page.getByRole('link', { name: 'Next', exact: true }).click();
      await expect(page.locator('#results tbody tr').first()).not.toContainText(first[0]);
      await isSorted(page, 'Campus');
      await head(page, 'Campus').getByRole('link').click();
      await expect(head(page, 'Campus')).toHaveAttribute('aria-sort', 'descending');
    });

    test('in a narrow window the least asked for columns stand aside, and what the list is sorted by does not', async ({ page, docket }) => {
      await page.setViewportSize({ width: 1024, height: 768 });
      await signIn(page, 'manager', docket.passwords.manager);
      await expect(head(page, 'Coach')).toBeVisible();
      const aside = ['Student type', 'Major', 'Start term'];
      for (const name of aside) await expect(page.locator(`th[abbr="${name}"]`)).toBeHidden();
      await (scripts ? open(page, '/people?sort=major') : page.goto('/people?sort=major'));
      await expect(head(page, 'Major')).toBeVisible();
      await expect(page.locator('th[abbr="Student type"]')).toBeHidden();
      await page.setViewportSize({ width: 1500, height: 768 });
      for (const name of aside) await expect(head(page, name)).toBeVisible();
    });

    test('a star watches somebody where they stand', async ({ page, docket }) => {
      await signIn(page, 'manager', docket.passwords.manager);
      if (scripts) await open(page, '/people?q=a');
      const loaded = await loadedAt(page).catch(() => 0);
      const star = page.getByRole('button', { name: /^Watch / }).first();
      // at once: the name stays when the star is filled.
      const name = (await star.getAttribute('aria-label'))?.replace('Watch ', '') ?? '';
      await star.click();
      await expect(page.getByRole('button', { name: `Stop watching ${name}`, exact: true })).toBeVisible();
      await expect(page.getByRole('link', { name: 'Watch list 1' })).toBeVisible();
      if (scripts) expect(await loadedAt(page)).toBe(loaded);
      await page.getByRole('button', { name: `Stop watching ${name}`, exact: true }).click();
      await expect(page.getByRole('button', { name: `Watch ${name}`, exact: true })).toBeVisible();
    });

    test('columns and the height of rows are one’s own, until they are taken back', async ({ page, docket }) => {
      await signIn(page, 'manager', docket.passwords.manager);
      if (scripts) await open(page, '/people');
      const display = menu(page, 'Display');
      await display.locator('summary').click();
      await tick(display.getByRole('radio', { name: 'Compact' }));
      await tick(display.getByRole('checkbox', { name: 'Coach' }), false);
      await tick(display.getByRole('checkbox', { name: 'Email' }));
      await display.getByRole('button', { name: 'Apply' }).click();
      await expect(head(page, 'Email')).toBeVisible();
      await expect(head(page, 'Coach')).toHaveCount(0);
      await page.goto('/people?q=a');
      await expect(head(page, 'Email')).toBeVisible();
      await expect(page.locator('#results')).toHaveAttribute('data-density', 'compact');
      await menu(page, 'Display').locator('summary').click();
      await page.getByRole('button', { name: 'Reset' }).click();
      await expect(head(page, 'Coach')).toBeVisible();
      await expect(head(page, 'Email')).toHaveCount(0);
    });

    test('my own caseload is listed without the coach, who is the same in every row', async ({ page, docket }) => {
      await signIn(page, 'coach', docket.passwords.coach);
      await expect(head(page, 'Campus')).toBeVisible();
      await expect(head(page, 'Coach')).toHaveCount(0);
      await menu(page, 'Display').locator('summary').click();
      await expect(page.getByText('not on your own caseload')).toBeVisible();
    });

    test('once all are selected, the button for that is gone', async ({ page, docket }) => {
      await signIn(page, 'manager', docket.passwords.manager);
      await (scripts ? open(page, '/people?programStatus=ACTIVE') : page.goto('/people?programStatus=ACTIVE'));
      const all = page.getByRole('button', { name: /^Select all [\d,]+ people( who match)?$/ });
      const row = page.getByRole('table').locator('tbody tr').first();
      await expect(row).toBeVisible();
      // at once: nothing of it moves by itself.
      const before = (await row.boundingBox())!.y;
      await all.click();
      await expect(page.getByText(/selected, everyone who matches$/)).toBeVisible();
      await expect(all).toBeHidden();
      const now = async () => (await row.boundingBox())!.y;
      await expect.poll(now, 'no row moves away under the pointer').toBe(before);
      await page.getByRole('button', { name: 'Clear', exact: true }).click();
      await expect(all).toBeVisible();
    });

    test('days the wrong way round are refused at their field, and the list stays', async ({ page, docket }) => {
      await signIn(page, 'manager', docket.passwords.manager);
      if (scripts) await open(page, '/people?programStatus=ACTIVE');
      else await page.goto('/people?programStatus=ACTIVE');
      const more = menu(page, /^More/);
      await more.locator('summary').click();
      await page.locator('#sinceFrom').fill('2026-08-31');
      await page.locator('#sinceTo').fill('2026-08-01');
      await page.getByRole('button', { name: 'Apply' }).first().click();
      await expect(page.getByText('The end date is before the start date.')).toBeVisible();
      await expect(page.locator('#sinceTo')).toHaveAttribute('aria-invalid', 'true');
      await expect(page.locator('#sinceTo')).toHaveValue('2026-08-01');
      await expect(page.locator('#sinceFrom')).toHaveValue('2026-08-31');
      await expect(page.locator('.chip')).toHaveText('Status: Active');
      await expect(page.locator('#results tbody tr').first()).toBeVisible();
      await page.locator('#sinceTo').fill('2999-08-01');
      await page.getByRole('button', { name: 'Apply' }).first().click();
      await expect(page.locator('.chip')).toHaveText(['Status: Active', /^Status set on or after/, /^Status set on or before/]);
      await expect(page.getByText('The end date is before the start date.')).toHaveCount(0);
    });

    test('on a small screen the filters are one line that opens', async ({ page, docket }) => {
      await page.setViewportSize({ width: 375, height: 800 });
      await signIn(page, 'manager', docket.passwords.manager);
      if (scripts) await open(page, '/people?programStatus=ACTIVE&activated=yes');
      else await page.goto('/people?programStatus=ACTIVE&activated=yes');
      const apply = page.getByRole('search').getByRole('button', { name: 'Apply' });
      const fold = page.getByText('Filters · 2', { exact: true });
      await expect(fold).toBeVisible();
      await expect(apply).toBeHidden();
      // at once: nothing of it moves by itself.
      const [search, word] = [await page.getByRole('searchbox').boundingBox(), await fold.boundingBox()];
      expect(Math.abs(search!.y + search!.height / 2 - word!.y - word!.height / 2), 'one line').toBeLessThan(8);
      await fold.click();
      await expect(apply).toBeVisible();
      const status = menu(page, 'Status').first();
      await status.locator('summary').click();
      await tick(status.getByRole('checkbox', { name: 'Active', exact: true }), false);
      await apply.click();
      await expect(page.getByText('Filters · 1', { exact: true })).toBeVisible();
      await expect(apply).toBeHidden();
      await page.setViewportSize({ width: 1280, height: 800 });
      await expect(page.getByText('Filters · 1', { exact: true })).toBeHidden();
      await expect(apply).toBeVisible();
    });

    test('whoever is not activated has a row as high as the others', async ({ page, docket }) => {
      await page.setViewportSize({ width: 1280, height: 800 });
      await signIn(page, 'manager', docket.passwords.manager);
      if (scripts) await open(page, '/people');
      const display = menu(page, 'Display');
      await display.locator('summary').click();
      await tick(display.getByRole('radio', { name: 'Compact' }));
      await display.getByRole('button', { name: 'Apply' }).click();
      await expect(page.locator('#results')).toHaveAttribute('data-density', 'compact');
      await page.goto('/people?activated=no&limit=50');
      await expect(page.locator('#results').getByText('not activated', { exact: true }).first()).toBeVisible();
      // at once: the rows are all there, and have the height that they keep.
      const heights = await page.locator('#results tbody tr').evaluateAll((rows) => rows.map((row) => row.getBoundingClientRect().height));
      expect(Math.max(...heights)).toBeLessThan(36);
    });

    test('a view is kept with what narrows it, changed, renamed, and found by colleagues', async ({ page, docket }) => {
      const hostile = '<b>Not</b> “here”';
      await signIn(page, 'manager', docket.passwords.manager);
      if (scripts) await open(page, '/people');
      const more = menu(page, /^More/);
      await more.locator('summary').click();
      await tick(more.getByRole('radio', { name: 'Not activated' }));
      await page.getByRole('button', { name: 'Apply' }).first().click();
      await expect(page.locator('.chip')).toHaveText('Activated: Not activated');
      await menu(page, 'Save view').locator('summary').click();
      await page.getByLabel('Name of the view').fill(hostile);
      await page.getByRole('button', { name: 'Save this view' }).click();
      await expect(page.getByRole('heading', { level: 1, name: hostile })).toBeVisible();
      await expect(page.getByText('Saved view', { exact: true })).toBeVisible();

      await head(page, 'Campus').getByRole('link').click();
      await expect(page.getByText('Saved view, changed')).toBeVisible();
      await page.getByRole('button', { name: 'Save changes' }).click();
      await expect(page.getByText('Saved view', { exact: true })).toBeVisible();
      await expect(head(page, 'Campus')).toHaveAttribute('aria-sort', 'ascending');

      await menu(page, /^View/).locator('summary').click();
      await page.getByLabel('New name of the view').fill('Not activated');
      await page.getByRole('button', { name: 'Rename' }).click();
      await expect(page.getByRole('heading', { level: 1, name: 'Not activated' })).toBeVisible();
      await menu(page, /^View/).locator('summary').click();
      await page.getByRole('button', { name: 'Share with colleagues' }).click();
      await expect(page.getByText('shared with colleagues')).toBeVisible();

      await page.context().clearCookies();
      await signIn(page, 'coach', docket.passwords.coach);
      const shared = page.getByRole('list', { name: 'Shared with you' }).getByRole('link', { name: /^Not activated/ });
      await shared.click();
      await expect(page.getByRole('heading', { level: 1, name: 'Not activated' })).toBeVisible();
      await expect(page.getByText('shared by Lund, Katrin')).toBeVisible();
      await expect(page.getByRole('button', { name: 'Delete view' })).toHaveCount(0);
    });
  });
}

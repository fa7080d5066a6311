// Back leads to where one was: the filters, what is selected, the height of the page, and the link that was followed.
import { expect, type Page } from '@playwright/test';

import { test } from '../support/docket';
import { tick } from '../support/mouse';
import { hydrated, open, selectionBar } from '../support/pages';
import { signIn } from '../support/session';

test('from a person far down the list, and from a list that was sorted', async ({ page }) => {
  await signIn(page, 'manager');
  await open(page, '/people?q=G1-0&limit=100');
  await tick(page.locator('tbody input[type=checkbox]').first());
  await expect(page).toHaveURL(/[?&]sel=/);
  const person = page.locator('tbody tr').nth(60).getByRole('link').first();
  await person.scrollIntoViewIfNeeded();
  // at once: nothing scrolls by itself.
  const height = await page.evaluate(() => scrollY);
  expect(height).toBeGreaterThan(500);
  await person.click();
  await expect(page.getByRole('heading', { name: 'Timeline' })).toBeVisible();
  await page.goBack();
  await hydrated(page);
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(height);
  await expect(person).toBeFocused();
  await expect(selectionBar(page).getByRole('status')).toHaveText('1 selected');

  await page.getByRole('link', { name: 'School ID', exact: true }).click();
  const sorted = page.getByRole('columnheader', { name: 'School ID' });
  await expect(sorted).toHaveAttribute('aria-sort', 'ascending');
  await page.goBack();
  await expect(sorted).not.toHaveAttribute('aria-sort', 'ascending');
  await expect(page).toHaveURL(/q=G1-0/);
});

const byId = (page: Page) => page.getByRole('columnheader', { name: 'School ID' });
const sort = (page: Page) => page.getByRole('link', { name: 'School ID', exact: true }).click();

/** Answers to these addresses wait until they are let go. */
async function hold(page: Page, address: RegExp): Promise<() => void> {
  let go = (): void => undefined;
  const waited = new Promise<void>((told) => (go = told));
  await page.route(address, async (route) => {
    await waited;
    await route.continue().catch(() => undefined);
  });
  return go;
}

test('Back and Forward while an answer is on its way end at the list of the address', async ({ page }) => {
  await signIn(page, 'manager');
  await open(page, '/people');
  await sort(page);
  await expect(byId(page)).toHaveAttribute('aria-sort', 'ascending');
  const go = await hold(page, /\/people$/);
  await page.evaluate(() => history.back());
  await expect(page).toHaveURL(/\/people$/);
  await page.evaluate(() => history.forward());
  await expect(page).toHaveURL(/sort=schoolId/);
  go();
  await sort(page);
  await expect(byId(page)).toHaveAttribute('aria-sort', 'descending');
  await page.goBack();
  await expect(byId(page)).toHaveAttribute('aria-sort', 'ascending');
});

test('an answer that breaks off is asked for once more', async ({ page }) => {
  await signIn(page, 'manager');
  await open(page, '/people');
  await page.evaluate(() => {
    const { text } = Response.prototype;
    Response.prototype.text = function () {
      Response.prototype.text = text;
      return Promise.reject(new TypeError('broken off'));
    };
  });
  await sort(page);
  await expect(byId(page)).toHaveAttribute('aria-sort', 'ascending');
});

test('who is selected while the next page is on its way comes along', async ({ page }) => {
  await signIn(page, 'manager');
  await open(page, '/people');
  const go = await hold(page, /after=/);
  await page.getByRole('link', { name: 'Next' }).click();
  const boxes = page.locator('tbody input[type=checkbox]');
  // at once: rows stay until others are there.
  const first = await boxes.first().getAttribute('value');
  await tick(boxes.nth(3));
  await expect(page).toHaveURL(/[?&]sel=/);
  go();
  await expect(boxes.first()).not.toHaveAttribute('value', first!);
  await expect(page).toHaveURL(/[?&]sel=/);
  await expect(selectionBar(page).getByRole('status')).toHaveText('1 selected');
});

test('what is ticked before scripts are there is selected', async ({ page }) => {
  await signIn(page, 'manager');
  let arrives = (): void => undefined;
  const asked = new Promise<void>((go) => (arrives = go));
  await page.route('**/frontend_bg.wasm', async (route) => {
    await asked;
    await route.continue();
  });
  await page.goto('/people', { waitUntil: 'commit' });
  const boxes = page.locator('tbody input[type=checkbox]');
  await tick(boxes.nth(1));
  await tick(boxes.nth(2));
  arrives();
  await hydrated(page);
  await expect(selectionBar(page).getByRole('status')).toHaveText('2 selected');
  await expect(boxes.nth(1)).toBeChecked();
  await expect(page).toHaveURL(/[?&]sel=/);
});

test('a filter that is changed while an answer is on its way keeps the change', async ({ page }) => {
  await signIn(page, 'manager');
  await open(page, '/people');
  let arrives = (): void => undefined;
  const asked = new Promise<void>((go) => (arrives = go));
  await page.route(/\/people\?q=slow/, async (route) => {
    await asked;
    await route.continue();
  });
  const box = page.getByRole('searchbox', { name: 'Search name, school ID or email' });
  await box.fill('slow');
  await box.press('Enter');
  await box.fill('slow and more');
  arrives();
  await expect(page).toHaveURL(/q=slow/);
  await expect(page.getByText('Search: “slow”')).toBeVisible();
  await expect(box).toHaveValue('slow and more');
});

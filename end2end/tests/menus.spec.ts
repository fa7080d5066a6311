// Menus of boxes by the mouse: a press on the words beside a box ticks it and leaves the menu open, as a hand expects it.
import { expect, type Page } from '@playwright/test';

import { test } from '../support/docket';
import { clickWords } from '../support/mouse';
import { open } from '../support/pages';
import { signIn } from '../support/session';

const menu = (page: Page, name: string) =>
  page.locator('details.menu').filter({ has: page.locator('summary', { hasText: name }) });

test.beforeEach(({ page }) => signIn(page, 'admin'));

test('a click on the words of a filter ticks it and leaves the menu open', async ({ page }) => {
  await open(page, '/people');
  const status = menu(page, 'Status');
  await status.locator('summary').click();
  for (const name of ['Inactive', 'No-show']) {
    const box = status.getByRole('checkbox', { name, exact: true });
    await clickWords(box);
    await expect(box).toBeChecked();
    await expect(status).toHaveAttribute('open');
  }
  await page.getByRole('button', { name: 'Apply' }).click();
  await expect(page.getByText('Status: ')).toHaveText('Status: Inactive or No-show');
  await expect(status).not.toHaveAttribute('open');
});

test('a click on the words of a column ticks it and leaves the menu open', async ({ page }) => {
  await open(page, '/admin/tasks');
  const columns = menu(page, 'Columns');
  await columns.locator('summary').click();
  const box = columns.getByRole('checkbox', { name: 'Owner', exact: true });
  // at once: nobody else ticks it.
  const before = await box.isChecked();
  await clickWords(box);
  await expect(box).toBeChecked({ checked: !before });
  await expect(columns).toHaveAttribute('open');
});

test('a menu still closes where one leaves it', async ({ page }) => {
  await open(page, '/people');
  const status = menu(page, 'Status');
  const summary = status.locator('summary');

  await summary.click();
  await page.getByRole('heading', { name: 'People', level: 1 }).click();
  await expect(status).not.toHaveAttribute('open');

  await summary.click();
  await page.getByRole('searchbox').focus();
  await expect(status).not.toHaveAttribute('open');

  await summary.click();
  await page.keyboard.press('Escape');
  await expect(status).not.toHaveAttribute('open');
  await expect(summary).toBeFocused();
});

test('on a small screen no menu is cut off', async ({ page }) => {
  await page.setViewportSize({ width: 375, height: 812 });
  await open(page, '/people');
  const menus = page.locator(':is(.topbar, .head) details.menu');
  await expect(menus.filter({ hasText: 'Save view' })).toBeVisible();
  // at once: a page has its menus from the beginning.
  const all = await menus.all();
  expect(all.length).toBeGreaterThan(3);
  for (const one of all) {
    await one.locator('summary').click();
    const panel = one.locator('> .panel');
    await expect(panel).toBeVisible();
    // at once: it has just been seen.
    const { x, width } = (await panel.boundingBox())!;
    expect({ left: x >= 0, right: x + width <= 375 }).toEqual({ left: true, right: true });
    await page.keyboard.press('Escape');
    await expect(one).not.toHaveAttribute('open');
  }
});

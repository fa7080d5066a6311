// The list of people while others enter and leave it: whoever one points at, has in focus or reads stays who they are.
import { expect, type Page } from '@playwright/test';

import { open } from '../support/pages';
import { block, changeable, statuses } from '../support/people';
import { change, test } from '../support/queue';
import { signIn } from '../support/session';

const rows = (page: Page) => page.getByRole('table').locator('tbody tr');
const names = (page: Page) => rows(page).locator('th').allTextContents();
const focused = (page: Page) => page.evaluate(() => document.activeElement?.textContent);
const under = (page: Page, at: { x: number; y: number }) =>
  page.evaluate(({ x, y }) => document.elementFromPoint(x, y)?.closest('tr')?.querySelector('th')?.textContent, at);

test('a row stays who it is while others enter and leave the list', async ({ page }) => {
  await signIn(page, 'manager');
  const [most, , , few] = await statuses(page.request, block(17));
  const people = await changeable(page.request, block(17), few.name, 8);
  const [here, later] = [people.slice(4), people.slice(0, 4)];
  await change(page.request, here, few.name);
  await open(page, `/people?q=${block(17)}&programStatus=${few.name}`);
  await expect(page.locator('[data-live]')).toHaveAttribute('data-live', 'on');
  // at once: on a live page rows stay as they are.
  const before = await names(page);
  const shown = before.length;

  // Under the pointer, and with the focus on it, while three come who stand before everybody.
  const row = rows(page).nth(shown - 1);
  const link = row.locator('th a');
  await link.hover();
  // at once: the pointer has found it where it stays.
  const box = (await link.boundingBox())!;
  const at = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  await link.focus();
  await change(page.request, later.slice(0, 3), few.name);
  const show = page.getByRole('link', { name: /^Show 3 new$/ });
  await expect(show).toBeVisible();
  await expect.poll(() => names(page)).toEqual(before);
  await expect.poll(() => focused(page)).toBe(before[shown - 1]);
  await expect.poll(() => under(page, at), { message: 'nothing has moved under the pointer' }).toBe(before[shown - 1]);

  // Under an open menu.
  const menu = page.locator('details.menu').filter({ has: page.locator('summary', { hasText: 'Status' }) });
  await menu.locator('summary').click();
  await change(page.request, later.slice(3), few.name);
  await expect(page.getByRole('link', { name: /^Show 4 new$/ })).toBeVisible();
  await expect.poll(() => names(page)).toEqual(before);
  await expect(menu).toHaveAttribute('open');
  await page.keyboard.press('Escape');

  // One leaves: the row says so where it stands.
  const left = rows(page).locator(`xpath=self::tr[@data-key="${here[0]}"]`);
  await expect(left).toContainText(few.label);
  await change(page.request, here.slice(0, 1), most.name);
  await expect(left).toContainText(most.label);
  await expect.poll(() => names(page)).toEqual(before);

  // Asked for, they come, and who has left goes.
  await page.getByRole('link', { name: /^Show 4 new$/ }).click();
  await expect(rows(page)).toHaveCount(shown + 3);
  await expect(left).toHaveCount(0);
  await expect(page.getByRole('link', { name: /show$/ })).toHaveCount(0);
});

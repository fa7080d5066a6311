// The journeys with the keyboard alone. At every step the focus is somewhere, and one can see where.
import { expect, type Page } from '@playwright/test';

import { tabTo } from '../support/keyboard';
import { completed, hydrated, number, searchBox, selectionBar, task } from '../support/pages';
import { block, statuses } from '../support/people';
import { test } from '../support/queue';
import { passwordOf, signIn } from '../support/session';

/** Where the focus is, for messages; the body means that it is lost. */
const focused = (page: Page): Promise<string> => page.evaluate(() => document.activeElement?.tagName ?? 'BODY');

test('from signing in to the end of a task', async ({ page }) => {
  await page.goto('/login');
  await hydrated(page);
  await tabTo(page, page.getByLabel('Username'));
  await page.keyboard.type('manager');
  await tabTo(page, page.getByLabel('Password'));
  await page.keyboard.type(passwordOf('manager'));
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/people/);
  await hydrated(page);

  // Past the bars, straight to the page.
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Skip to the page' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('main')).toBeFocused();

  const [most, , , few] = await statuses(page.request, block(13));
  await tabTo(page, searchBox(page));
  await page.keyboard.type(block(13));
  await page.keyboard.press('Enter');
  await expect(page.getByText('100 people match')).toBeVisible();
  await expect(searchBox(page)).toBeFocused();

  const filters = page.getByRole('search');
  const status = filters.locator('summary', { hasText: 'Status' });
  await tabTo(page, status);
  await page.keyboard.press('Enter');
  await tabTo(page, filters.getByRole('checkbox', { name: most.label, exact: true }));
  await page.keyboard.press('Space');
  await page.keyboard.press('Escape');
  await expect(status).toBeFocused();
  await expect(filters.getByRole('checkbox', { name: most.label, exact: true })).toBeHidden();
  const apply = page.getByRole('button', { name: 'Apply' });
  await tabTo(page, apply);
  await page.keyboard.press('Enter');
  await expect(page.getByText(`Status: ${most.label}`)).toBeVisible();
  await expect(apply).toBeFocused();

  const byId = page.getByRole('link', { name: 'School ID', exact: true });
  await tabTo(page, byId);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('columnheader', { name: 'School ID' })).toHaveAttribute('aria-sort', 'ascending');
  await expect(byId).toBeFocused();

  const rows = page.getByRole('table').locator('tbody tr');
  await tabTo(page, rows.nth(0).getByRole('checkbox'));
  await page.keyboard.press('Space');
  await expect(selectionBar(page).getByRole('status')).toHaveText('1 selected');
  await tabTo(page, rows.nth(1).getByRole('checkbox'));
  await page.keyboard.press('Space');
  await expect(selectionBar(page).getByRole('status')).toHaveText('2 selected');
  await expect(page).toHaveURL(/[?&]sel=/);
  await expect.poll(() => focused(page)).toBe('INPUT');

  await tabTo(page, selectionBar(page).getByRole('link', { name: 'Set program status…' }));
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'Set program status' })).toBeVisible();
  await expect(page.getByRole('main')).toBeFocused();
  await tabTo(page, page.getByRole('radio', { name: 'Active', exact: true }));
  const radio = page.getByRole('radio', { name: few.label, exact: true });
  await page.keyboard.press('Space');
  // at once: the browser itself chooses by the key, before it is up.
  for (let step = 0; step < 5 && !(await radio.isChecked()); step++) await page.keyboard.press('ArrowDown');
  await expect(radio).toBeChecked();
  await tabTo(page, page.getByRole('button', { name: 'Check first' }));
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'What will happen' })).toBeVisible();
  await expect.poll(() => focused(page)).not.toBe('BODY');

  const confirm = page.getByRole('button', { name: /^Set [\d,]+ (people|person) to / });
  await expect.poll(async () => number(await confirm.textContent())).toBeGreaterThan(0);
  await tabTo(page, confirm);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/tasks\//);
  await completed(page);
  await expect(task(page)).toBeVisible();
  await tabTo(page, page.getByRole('navigation', { name: 'Outcome' }).getByRole('link', { name: 'Done' }));
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/outcome=DONE/);
  await expect(page.getByRole('navigation', { name: 'Outcome' }).getByRole('link', { name: 'Done' })).toBeFocused();
});

/** Selects the first three people of a block, by keys alone. */
async function pickThree(page: Page, number: number): Promise<void> {
  await page.goto(`/people?q=${block(number)}`);
  await hydrated(page);
  await page.keyboard.press('j');
  await expect(page.getByRole('table').locator('tbody tr').first().getByRole('link').first()).toBeFocused();
  await page.keyboard.press('x');
  await expect(selectionBar(page).getByRole('status')).toHaveText('1 selected');
  await page.keyboard.press('Shift+ArrowDown');
  await page.keyboard.press('Shift+ArrowDown');
  await expect(selectionBar(page).getByRole('status')).toHaveText('3 selected');
  await expect(page).toHaveURL(/[?&]sel=/);
}

test('single keys search, walk, tick and lead to places', async ({ page }) => {
  await signIn(page, 'manager');
  await hydrated(page);
  await page.keyboard.press('/');
  await expect(searchBox(page)).toBeFocused();
  // What is typed is text.
  await page.keyboard.type('gt?xjk/');
  await expect(searchBox(page)).toHaveValue('gt?xjk/');

  await pickThree(page, 14);
  await page.keyboard.press('Shift+ArrowUp');
  await expect(selectionBar(page).getByRole('status')).toHaveText('2 selected');
  await page.keyboard.press('j');
  await page.keyboard.press('k');
  await expect(page.getByRole('table').locator('tbody tr').nth(1).getByRole('link').first()).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Timeline' })).toBeVisible();

  // Each page has its own scripts, and keys do nothing before they are there.
  await hydrated(page);
  await page.keyboard.press('g');
  await page.keyboard.press('t');
  await expect(page.getByRole('heading', { level: 1, name: 'My tasks' })).toBeVisible();
  await hydrated(page);
  await page.keyboard.press('?');
  const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await expect(help).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(help).toBeHidden();
  await page.keyboard.press('g');
  await page.keyboard.press('p');
  await expect(page.getByRole('heading', { level: 1, name: 'People' })).toBeVisible();
});

test('an export, from the selection to the file', async ({ page }) => {
  await signIn(page, 'manager');
  await pickThree(page, 14);
  await tabTo(page, selectionBar(page).getByRole('link', { name: 'Export…' }));
  await page.keyboard.press('Enter');
  await expect(page.getByRole('main')).toBeFocused();
  await tabTo(page, page.getByRole('checkbox', { name: 'Coach' }));
  await page.keyboard.press('Space');
  await expect(page.getByRole('checkbox', { name: 'Coach' })).not.toBeChecked();
  await tabTo(page, page.getByRole('button', { name: 'Export 3 people' }));
  await page.keyboard.press('Enter');
  await completed(page);
  await tabTo(page, page.getByRole('link', { name: /^Download CSV/ }));
  const [download] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')]);
  expect(download.suggestedFilename()).toMatch(/\.csv$/);
});

test('onto the watch list, and off it by the undo', async ({ page }) => {
  await signIn(page, 'manager');
  await pickThree(page, 14);
  await tabTo(page, selectionBar(page).getByRole('link', { name: 'Watch list…' }));
  await page.keyboard.press('Enter');
  await expect(page.getByRole('main')).toBeFocused();
  const watch = page.getByRole('radio', { name: /^Watch/ });
  await tabTo(page, watch);
  await expect(watch).toBeChecked();
  await tabTo(page, page.getByRole('button', { name: 'Change watch list for 3 people' }));
  await page.keyboard.press('Enter');
  await completed(page);
  await tabTo(page, page.getByRole('link', { name: 'Undo…' }));
  await page.keyboard.press('Enter');
  await tabTo(page, page.getByRole('button', { name: 'Restore 3 people' }));
  await page.keyboard.press('Enter');
  await expect(page.getByRole('region', { name: 'Related tasks' })).toContainText('Original task');
  await completed(page);
});

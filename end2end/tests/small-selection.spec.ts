// A few people, picked by hand: the selection is kept on the server from page to page, and so few are changed without a
// page to check on.
import { expect, type Page } from '@playwright/test';

import { tick, untick } from '../support/mouse';
import { completed, hydrated, outcomes, search, searchBox, selectionBar, task } from '../support/pages';
import { block, statuses } from '../support/people';
import { test } from '../support/queue';
import { signIn } from '../support/session';

/** Keeps requests from the server until the returned function is called. */
async function hold(page: Page, url: string): Promise<() => void> {
  let letGo = () => {};
  const held = new Promise<void>((resolve) => (letGo = resolve));
  await page.route(url, async (route) => {
    await held;
    await route.continue();
  });
  return letGo;
}

test('three people from two pages, changed at once', async ({ page }) => {
  await signIn(page, 'manager');
  await hydrated(page);
  await search(page, block(3));
  const [, , , few] = await statuses(page.request, block(3));
  const live = page.locator('[data-live]');
  await expect(live).toHaveAttribute('data-live', 'on');

  const rows = page.getByRole('table').locator('tbody tr');
  // at once: rows stay until others are asked for, and then the test waits for them.
  const nameOf = (nth: number) => rows.nth(nth).getByRole('rowheader').textContent();
  const picked = [await nameOf(0), await nameOf(2)];
  await tick(rows.nth(0).getByRole('checkbox'));
  await tick(rows.nth(2).getByRole('checkbox'));
  const selected = selectionBar(page).getByRole('status');
  await expect(selected).toHaveText('2 selected');
  await expect(live).toHaveAttribute('data-live', 'paused');
  await expect(page).toHaveURL(/[?&]sel=/);

  const first = await nameOf(0);
  await page.getByRole('link', { name: 'Next' }).click();
  await expect(rows.nth(0).getByRole('rowheader')).not.toHaveText(first!);
  await expect(selected).toHaveText('2 selected');
  picked.push(await nameOf(1));
  await tick(rows.nth(1).getByRole('checkbox'));
  await expect(selected).toHaveText('3 selected');

  await page.getByRole('link', { name: 'First page' }).click();
  await expect(rows.nth(0).getByRole('rowheader')).toHaveText(first!);
  await expect(rows.getByRole('checkbox', { checked: true })).toHaveCount(2);
  await expect(selected).toHaveText('3 selected');
  await page.reload();
  await hydrated(page);
  await expect(selected).toHaveText('3 selected');

  await selectionBar(page).getByRole('link', { name: 'Set program status…' }).click();
  await tick(page.getByRole('radio', { name: few.label, exact: true }));
  await page.getByRole('button', { name: `Set 3 people to ${few.label}` }).click();
  await expect(page).toHaveURL(/\/tasks\//);
  await expect(live).toHaveAttribute('data-live', 'on');
  await completed(page);
  const treated = async () => {
    const { All: all, Done: done, Skipped: skipped } = await outcomes(page);
    return [all, done + skipped];
  };
  await expect.poll(treated).toEqual([3, 3]);
  const ledger = page.getByRole('table').locator('tbody').getByRole('rowheader');
  await expect.poll(async () => (await ledger.allTextContents()).sort()).toEqual(picked.sort());
  await expect(task(page).getByRole('heading', { level: 1 })).toHaveText(`Set status to ${few.label}`);
});

test('a range of rows by shift-click, and the whole page by one box', async ({ page }) => {
  await signIn(page, 'manager');
  await hydrated(page);
  await search(page, block(4));
  const rows = page.getByRole('table').locator('tbody tr');
  const selected = selectionBar(page).getByRole('status');
  await rows.nth(1).getByRole('checkbox').click();
  await rows.nth(4).getByRole('checkbox').click({ modifiers: ['Shift'] });
  await expect(selected).toHaveText('4 selected');
  const wholePage = page.getByRole('checkbox', { name: /on this page$/ });
  await tick(wholePage);
  await expect(selected).toHaveText('25 selected');
  await untick(wholePage);
  await expect(selectionBar(page)).toHaveCount(0);
});

test('an expired selection is begun anew with what is ticked on the page', async ({ page }) => {
  await signIn(page, 'manager');
  await hydrated(page);
  await search(page, block(4));
  const boxes = page.getByRole('table').locator('tbody').getByRole('checkbox');
  const selected = selectionBar(page).getByRole('status');
  // at once: rows stay until others are asked for.
  const first = await boxes.first().getAttribute('value');
  await tick(boxes.nth(0));
  await expect(page).toHaveURL(/[?&]sel=/);
  await page.getByRole('link', { name: 'Next' }).click();
  await expect(boxes.first()).not.toHaveAttribute('value', first!);
  const second = page.waitForResponse('**/api/page/select-shown');
  await tick(boxes.nth(1));
  await expect(selected).toHaveText('2 selected');
  await second;

  // As after 30 minutes.
  const token = new URL(page.url()).searchParams.get('sel')!;
  await page.evaluate((token) => fetch('/api/page/drop-selection', { method: 'POST', body: new URLSearchParams({ token }) }), token);
  await tick(boxes.nth(2));
  await expect(page.getByRole('alert')).toContainText('The selection is gone');
  await expect(selected).toHaveText('2 selected');
  await expect(page).toHaveURL((url) => ![null, token].includes(url.searchParams.get('sel')));

  // What is shown comes before what is kept, and a page that is left in between takes its request along.
  const kept = page.waitForResponse('**/api/page/select-shown');
  await tick(boxes.nth(3));
  await expect(selected).toHaveText('3 selected');
  await expect(page.getByRole('alert')).toHaveCount(0);
  await kept;
  await page.reload();
  await hydrated(page);
  await expect(selected).toHaveText('3 selected');
});

test('what is cleared stays cleared, whatever is still on its way', async ({ page }) => {
  await signIn(page, 'manager');
  await hydrated(page);
  await search(page, block(4));
  const boxes = page.getByRole('table').locator('tbody').getByRole('checkbox');
  const selected = selectionBar(page).getByRole('status');
  const letGo = await hold(page, '**/api/page/select-shown');
  await tick(boxes.nth(0));
  await expect(selected).toHaveText('1 selected');
  const forgotten = page.waitForResponse('**/api/page/drop-selection');
  await page.getByRole('button', { name: 'Clear' }).click();
  await expect(selectionBar(page)).toHaveCount(0);
  letGo();
  await forgotten;
  await expect(page).not.toHaveURL(/[?&]sel=/);
  await expect(selectionBar(page)).toHaveCount(0);
  await expect(boxes.nth(0)).not.toBeChecked();

  await tick(boxes.nth(1));
  await expect(page).toHaveURL(/[?&]sel=/);
  await expect(selected).toHaveText('1 selected');
});

test('whoever is quick acts on everybody who is ticked', async ({ page }) => {
  await signIn(page, 'manager');
  await hydrated(page);
  await search(page, block(4));
  const boxes = page.getByRole('table').locator('tbody').getByRole('checkbox');
  await tick(boxes.nth(0));
  await expect(page).toHaveURL(/[?&]sel=/);
  const letGo = await hold(page, '**/api/page/select-shown');
  await tick(boxes.nth(1));
  await tick(boxes.nth(2));
  await selectionBar(page).getByRole('link', { name: 'Export…' }).click();
  letGo();
  await expect(page.getByRole('heading', { name: 'Export', exact: true })).toBeVisible();
  await expect(page.getByText('3 people selected')).toBeVisible();
});

test('what somebody types stays while a selection begins and ends', async ({ page }) => {
  await signIn(page, 'manager');
  await hydrated(page);
  await searchBox(page).fill('half a na');
  await tick(page.getByRole('table').getByRole('checkbox').nth(1));
  await expect(page).toHaveURL(/sel=/);
  await expect(searchBox(page)).toHaveValue('half a na');
  await page.getByRole('button', { name: 'Clear' }).click();
  await expect(page).not.toHaveURL(/sel=/);
  await expect(searchBox(page)).toHaveValue('half a na');
});

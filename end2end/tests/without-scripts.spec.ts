// The same journey in a browser that runs no scripts: forms, links, and a page that is loaded again by itself.
import { expect } from '@playwright/test';

import { tick } from '../support/mouse';
import { completed, filterByStatus, number, numbers, outcomes, search, selectionBar, selectMatching, sum, task, taskId } from '../support/pages';
import { block, statuses } from '../support/people';
import { test } from '../support/queue';
import { signIn } from '../support/session';

test.use({ javaScriptEnabled: false });

test('a program status change without scripts', async ({ page, hold }) => {
  await signIn(page, 'manager');
  const [most, , , few] = await statuses(page.request, block(1));
  await search(page, block(1));
  await filterByStatus(page, [most.label, few.label]);
  const selected = await selectMatching(page);
  expect(selected).toBe(most.count + few.count);

  await selectionBar(page).getByRole('link', { name: 'Set program status…' }).click();
  await tick(page.getByRole('radio', { name: few.label, exact: true }));
  // Few enough that the page would also let one submit at once.
  await page.getByRole('button', { name: /^Check/ }).click();
  const sums = page.getByRole('table', { name: /the lines add up to the total/ });
  await expect.poll(async () => number(await sums.locator('tfoot').getByRole('cell').first().textContent())).toBe(selected);
  // at once: the foot comes after them.
  const lines = await numbers(sums.locator('tbody tr td:first-child'));
  expect(sum(lines)).toBe(selected);

  await hold.take();
  await page.getByRole('button', { name: /^Set [\d,]+ (people|person) to / }).click();
  await expect(page).toHaveURL(/\/tasks\//);
  await expect(task(page)).toHaveAttribute('data-task-status', 'QUEUED');
  await page.getByRole('link', { name: 'Refresh' }).click();
  await expect(task(page)).toHaveAttribute('data-task-status', 'QUEUED');
  await hold.release();
  // Nothing is clicked: the page asks to be loaded again, and stops asking when there is nothing to wait for.
  await completed(page);
  await expect(page.getByRole('link', { name: 'Refresh' })).toHaveCount(0);
  await expect(page.locator('meta[http-equiv=refresh]')).toHaveCount(0);

  const counted = async () => {
    const { All: all, ...each } = await outcomes(page);
    return { all, each: sum(Object.values(each)), done: each.Done };
  };
  await expect.poll(counted).toEqual({ all: selected, each: selected, done: lines[0] });
  const id = await taskId(page);
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'My tasks' }).click();
  await expect(page.locator(`tr[data-task-id="${id}"]`)).toHaveAttribute('data-task-status', 'COMPLETED');
});

test('a queued task is cancelled without scripts', async ({ page, hold }) => {
  await signIn(page, 'manager');
  const [, , , few] = await statuses(page.request, block(2));
  await search(page, block(2));
  await tick(page.getByRole('checkbox', { name: /^Select / }).nth(1));
  await page.getByRole('button', { name: 'Update selection' }).click();
  await expect(selectionBar(page).getByRole('status')).toHaveText('1 selected');
  await selectionBar(page).getByRole('link', { name: 'Set program status…' }).click();
  await tick(page.getByRole('radio', { name: few.label, exact: true }));
  await hold.take();
  await page.getByRole('button', { name: 'Set 1 person' }).click();
  await expect(task(page)).toHaveAttribute('data-task-status', 'QUEUED');
  await page.getByRole('link', { name: 'Cancel…' }).click();
  const dialog = page.getByRole('alertdialog');
  await dialog.getByLabel('Reason').fill('Not today');
  await dialog.getByRole('button', { name: 'Cancel the rest' }).click();
  await expect(task(page)).toHaveAttribute('data-task-status', 'ABANDONED');
  await expect(task(page)).toContainText('“Not today”');
});

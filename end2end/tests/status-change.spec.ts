// The journey that Docket is for, with scripts: from a search to the ledger of more than a thousand people, without one
// page being loaded on the way.
import { expect } from '@playwright/test';

import { tick } from '../support/mouse';
import { completed, filterByStatus, hydrated, number, numbers, outcomes, search, selectionBar, selectMatching, sum, task, taskId } from '../support/pages';
import { everybody, statuses } from '../support/people';
import { test } from '../support/queue';
import { signIn } from '../support/session';

declare global {
  interface Window {
    stillHere?: boolean;
  }
}

test('a program status change, from the search to the ledger', async ({ page, hold }) => {
  await signIn(page, 'manager');
  await hydrated(page);
  // The new status is one that few have; some of those who have it are selected, too, so that there is somebody to skip.
  const [most, more, , few] = await statuses(page.request, everybody);

  await search(page, everybody);
  await filterByStatus(page, [most.label, more.label, few.label]);
  const selected = await selectMatching(page);
  expect(selected).toBe(most.count + more.count + few.count);

  await selectionBar(page).getByRole('link', { name: 'Set program status…' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Set program status' })).toBeVisible();
  await tick(page.getByRole('radio', { name: few.label, exact: true }));
  await page.getByLabel('Comment').fill('As agreed in the spring meeting');
  await page.getByRole('button', { name: 'Check what will happen' }).click();

  const sums = page.getByRole('table', { name: /the lines add up to the total/ });
  await expect.poll(async () => number(await sums.locator('tfoot').getByRole('cell').first().textContent())).toBe(selected);
  // at once: the foot comes after them.
  const lines = await numbers(sums.locator('tbody tr td:first-child'));
  const [willChange, ...skips] = lines;
  expect(sum(lines)).toBe(selected);
  expect(sum(skips)).toBeGreaterThanOrEqual(few.count);

  const asked = page.getByRole('textbox', { name: `Type ${willChange.toLocaleString('en')} to confirm` });
  expect(willChange).toBeGreaterThan(1_000);
  await asked.fill(willChange.toLocaleString('en'));
  await hold.take();
  await page.getByRole('button', { name: /^Set [\d,]+ people to / }).click();

  await expect(page).toHaveURL(/\/tasks\//);
  await hydrated(page);
  await page.evaluate(() => (window.stillHere = true));
  const progress = page.getByRole('region', { name: 'Progress' }).getByRole('strong');
  await expect(task(page)).toHaveAttribute('data-task-status', 'QUEUED');
  await expect(progress).toHaveText('Not started');
  await hold.release();
  await completed(page);
  await expect(progress).toHaveText(`${willChange.toLocaleString('en')} people changed to ${few.label}`);

  // at once: both are there.
  const [head, figures] = await Promise.all([task(page), page.getByRole('region', { name: 'Progress' })].map((part) => part.boundingBox()));
  expect(figures!.y - head!.y - head!.height, 'the progress stands apart from the head').toBeGreaterThanOrEqual(8);

  // The others are the sum of these, so that no tab is left that could have anybody.
  expect(willChange + sum(skips)).toBe(selected);
  await expect.poll(() => outcomes(page)).toMatchObject({ All: selected, Done: willChange, Skipped: sum(skips) });
  await page.getByRole('navigation', { name: 'Outcome' }).getByRole('link', { name: 'Skipped' }).click();
  await expect(page).toHaveURL(/outcome=SKIPPED/);
  const rows = page.getByRole('table', { name: /what became of them/ }).locator('tbody tr');
  await expect(rows.filter({ hasNotText: 'Skipped' })).toHaveCount(0);
  await expect.poll(() => rows.count()).toBeGreaterThan(0);

  const id = await taskId(page);
  // at once: a page that was loaded anew has lost it for good.
  expect(await page.evaluate(() => window.stillHere)).toBe(true);
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'My tasks' }).click();
  await expect(page.locator(`tr[data-task-id="${id}"]`)).toHaveAttribute('data-task-status', 'COMPLETED');
});

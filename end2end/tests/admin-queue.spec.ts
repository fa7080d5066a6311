// What administrators see of the queue and do with its tasks, one and many. With and without scripts.
import { expect, type Page } from '@playwright/test';

import { audited, because, failedOnce, listed, notice, retryAll, row, submitTests, tile } from '../support/admin';
import { post, read } from '../support/api';
import { tick } from '../support/mouse';
import { completed, hydrated, number, task } from '../support/pages';
import { becomes, failsOnce, test } from '../support/queue';
import { signIn } from '../support/session';

interface Group {
  title: string;
  detail: string;
  dead: number;
}

for (const scripts of [true, false]) {
  test.describe(scripts ? 'with scripts' : 'without scripts', () => {
    test.use({ javaScriptEnabled: scripts });
    const how = scripts ? 'with scripts' : 'without scripts';
    const open = async (page: Page, address: string) => {
      await page.goto(address);
      if (scripts) await hydrated(page);
    };
    const choose = (page: Page, id: string) => tick(row(page, id).getByRole('checkbox'));

    test('the overview says what needs a look, and each figure leads to what it counts', async ({ page, hold }) => {
      await signIn(page, 'admin');
      const [retrying] = await submitTests(page.request, { outcome: 'transient', failTimes: 1 });
      await failedOnce(page.request, 2);
      await failsOnce(page.request, retrying);
      await hold.take();
      await submitTests(page.request, { count: 2 });
      await open(page, '/admin');
      await expect(page.getByText(/^\d+ problems?\b/)).toBeVisible();
      const needs = page.getByRole('region', { name: 'Problems' });
      await expect(needs.getByText(/failed in the last hour/)).toBeVisible();

      const figures = [/^Waiting$/, /^Running$/, /^Waiting to retry$/, /^Failed in 1.h$/, /^Stalled$/];
      const counts: Record<string, number> = {};
      for (const name of figures) {
        // The figures of the overview are as old as a second.
        await expect(async () => {
          await open(page, '/admin');
          const figure = number(await tile(page, name).locator('strong').textContent());
          await page.getByRole('link', { name }).first().click();
          await expect(page.getByRole('heading', { level: 1, name: 'All tasks' })).toBeVisible();
          await expect.poll(() => listed(page)).toBe(figure);
          counts[name.source] = figure;
        }).toPass();
      }
      expect(counts['^Waiting$']).toBeGreaterThanOrEqual(2);
      expect(counts['^Running$']).toBe(8);
      expect(counts['^Failed in 1.h$']).toBeGreaterThanOrEqual(2);

      await open(page, '/admin');
      await needs.getByRole('link', { name: 'See the failures' }).click();
      await expect(page.getByRole('heading', { level: 1, name: 'Failures' })).toBeVisible();
    });

    test('each page leads to the others', async ({ page }) => {
      await signIn(page, 'admin');
      await open(page, '/admin');
      const rail = page.getByRole('navigation', { name: 'Main' });
      const pages = ['All tasks', 'Failures', 'Processes', 'Locks', 'Schedules', 'Users', 'Audit trail', 'Settings in effect', 'Queue'];
      for (const name of pages) {
        await rail.getByRole('link', { name, exact: true }).click();
        await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
        await expect(page).toHaveTitle(new RegExp(name));
      }
    });

    test('a failed task is retried with a reason, and goes through', async ({ page }) => {
      await signIn(page, 'admin');
      const [id] = await failedOnce(page.request, 1);
      const reason = `The server was fixed, ${how}`;
      await open(page, '/admin/tasks?state=FAILED');
      await expect(row(page, id)).toContainText('Failed');
      await row(page, id).getByRole('link', { name: 'Self-test' }).click();
      await expect(page.getByRole('region', { name: 'Why did it fail?' })).toContainText('The self-test was asked to fail.');
      await expect(page.getByRole('region', { name: 'Last error' })).toContainText('asked to fail for good');
      await because(page, reason, 'Retry');
      await expect(notice(page)).toContainText('The task is retried');
      await becomes(page.request, id, /^COMPLETED$/);
      if (!scripts) await page.reload();
      await completed(page);
      await expect(page.getByRole('region', { name: 'Timeline' })).toContainText(reason);
      await expect(page.getByRole('region', { name: 'Audit trail' })).toContainText(reason);
      await expect(page.getByRole('button', { name: 'Retry' })).toHaveCount(0);
      const [entry, ...others] = await audited(page.request, reason);
      expect(entry).toMatchObject({ action: 'task.retry', objectId: id });
      expect(others).toEqual([]);
    });

    test('a reason of nothing but spaces is refused at its field', async ({ page }) => {
      await signIn(page, 'admin');
      const [id] = await failedOnce(page.request, 1);
      await open(page, `/admin/tasks/${id}`);
      const reason = page.getByLabel('Reason');
      await page.getByRole('button', { name: 'Close task' }).click();
      await expect(page).not.toHaveURL(/abandon/);
      await expect.poll(() => reason.evaluate((field: HTMLInputElement) => field.validity.valueMissing)).toBe(true);
      await because(page, '   ', 'Close task');
      await expect(page.getByLabel('Reason')).toHaveAttribute('aria-invalid', 'true');
      await expect(page.getByLabel('Reason')).toHaveAccessibleDescription('Enter a reason.');
      await expect(task(page)).toHaveAttribute('data-task-status', 'FAILURE');

      const long = `Broken for good, ${how}. ${'And again. '.repeat(60)}`;
      await reason.evaluate((field) => field.removeAttribute('maxlength'));
      await because(page, long, 'Close task');
      await expect(page.getByLabel('Reason')).toHaveAttribute('aria-invalid', 'true');
      await expect(page.getByLabel('Reason')).toHaveValue(long);

      await because(page, `Broken for good, ${how}`, 'Close task');
      // It was a task of their own.
      await expect(notice(page)).toContainText('The task is cancelled');
      await expect(task(page)).toHaveAttribute('data-task-status', 'ABANDONED');
      await expect(page.getByRole('region', { name: 'Details' })).toContainText(`Broken for good, ${how}`);
      await expect(page.getByRole('button', { name: 'Close task' })).toHaveCount(0);
    });

    test('chosen tasks are retried after a look at which', async ({ page }) => {
      await signIn(page, 'admin');
      const [one, two, left] = await failedOnce(page.request, 3);
      const [done] = await submitTests(page.request, {});
      await becomes(page.request, done, /^COMPLETED$/);
      await open(page, '/admin/tasks');
      for (const id of [one, two, done]) await choose(page, id);
      await page.getByRole('button', { name: 'Retry…', exact: true }).click();
      await expect(page.getByRole('heading', { level: 1, name: 'Retry 2 tasks?' })).toBeVisible();
      await expect(page.getByText('1 done: not included')).toBeVisible();
      await expect(page.getByRole('table').locator('tbody tr')).toHaveCount(2);
      // The number leads to what it counts.
      await page.getByRole('link', { name: '1 done', exact: true }).click();
      await expect(row(page, done)).toBeVisible();
      await expect(page.getByRole('table').locator('tbody tr')).toHaveCount(1);
      await page.goBack();
      await expect(page.getByRole('heading', { level: 1, name: 'Retry 2 tasks?' })).toBeVisible();
      await because(page, '  ', 'Retry 2 tasks');
      await expect(page.getByLabel('Reason')).toHaveAccessibleDescription('Enter a reason.');
      await expect(page.getByRole('heading', { level: 1, name: 'Retry 2 tasks?' })).toBeVisible();
      const reason = `Both are fixed, ${how}`;
      await because(page, reason, 'Retry 2 tasks');
      await expect(notice(page)).toContainText('2 tasks retried');
      // The one that was done already is not among them.
      await expect(page.locator('.chip')).toHaveText('These 2 tasks');
      await expect(row(page, done)).toHaveCount(0);
      for (const id of [one, two]) await becomes(page.request, id, /^COMPLETED$/);
      await becomes(page.request, left, /^FAILURE$/);
      const [entry, ...others] = await audited(page.request, reason);
      expect(entry).toMatchObject({ action: 'tasks.retry', detail: { count: 2 } });
      expect(others).toEqual([]);
    });

    test('a tick that all tasks are meant stays where a reason was missing', async ({ page }) => {
      await signIn(page, 'admin');
      await failedOnce(page.request, 1);
      await open(page, '/admin/tasks/check?do=retry');
      await page.getByRole('link', { name: 'Retry all that match…' }).click();
      const all = page.getByRole('checkbox', { name: /^Yes, retry (all [\d,]+|this task)/ });
      await tick(all);
      await page.getByLabel('Reason').fill('  ');
      await page.getByRole('button', { name: /^Retry [\d,]+ tasks?$/ }).click();
      await expect(page.getByLabel('Reason')).toHaveAccessibleDescription('Enter a reason.');
      await expect(all).toBeChecked();
    });

    test('choosing nothing is told, and nothing is done', async ({ page }) => {
      await signIn(page, 'admin');
      await failedOnce(page.request, 1);
      await open(page, '/admin/tasks');
      await expect(page.getByText('Select some, or choose all')).toBeVisible();
      await expect(page.getByRole('button', { name: 'Close…', exact: true })).toBeHidden();
      // A browser that shows the buttons all the same leads to both ways on.
      await open(page, '/admin/tasks/check?do=abandon&kind=self-test');
      await expect(page.getByText('Select at least one task, or choose all that match.')).toBeVisible();
      await page.getByRole('link', { name: 'Close all that match…' }).click();
      await expect(page.getByRole('heading', { name: /^Close .* for good\?$/ })).toBeVisible();
      await page.goBack();
      await page.getByRole('link', { name: 'Back to the tasks' }).click();
      await expect(page).toHaveURL(/\/admin\/tasks\?kind=self-test$/);
    });

    test('all failures of one cause are given up', async ({ page }) => {
      await signIn(page, 'admin');
      const ids = await failedOnce(page.request, 3);
      await open(page, '/admin/failures');
      const { groups } = await read<{ groups: Group[] }>(page.request, '/api/1/admin/failures');
      const [{ title, dead }] = groups.filter(({ detail }) => detail === 'asked to fail for good');
      expect(dead).toBeGreaterThanOrEqual(3);
      const cause = page.getByRole('table').getByRole('row').filter({ has: page.getByRole('link', { name: title, exact: true }) });
      await cause.getByRole('link', { name: title, exact: true }).click();
      const one = page.getByRole('region', { name: title });
      await expect(one).toContainText(/failed for good/);
      await one.locator('summary', { hasText: 'Error text' }).click();
      await expect(one.getByRole('group', { name: 'Error text' })).toContainText('asked to fail for good');
      const close = one.getByRole('link', { name: `Close ${dead} tasks…` });
      await close.click();
      await page.getByRole('link', { name: 'Cancel' }).click();
      await expect(one).toBeVisible();
      await close.click();
      await expect(page.getByRole('heading', { level: 1, name: `Close ${dead} tasks for good?` })).toBeVisible();
      const here = page.getByRole('navigation', { name: 'Main' }).locator('[aria-current]');
      await expect(here).toHaveText('Failures');
      await because(page, `Never again, ${how}`, `Close ${dead} tasks`);
      await expect(notice(page)).toContainText(`${dead} tasks closed`);
      for (const id of ids) await expect(row(page, id)).toHaveAttribute('data-task-status', 'ABANDONED');
      await expect.poll(() => audited(page.request, `Never again, ${how}`)).toHaveLength(1);
    });

    test('all that match are of those that the list is narrowed to, and one comes back to them', async ({ page }) => {
      await signIn(page, 'admin');
      const [one, two] = await failedOnce(page.request, 3);
      const list = `/admin/tasks?state=FAILED&only=${one}%2C${two}`;
      await open(page, list);
      await page.locator('summary', { hasText: /^All 2$/ }).click();
      await page.getByRole('button', { name: 'Close all that match…' }).click();
      await expect(page.getByRole('heading', { level: 1, name: 'Close 2 tasks for good?' })).toBeVisible();
      await page.getByRole('link', { name: 'Cancel' }).click();
      await expect(page).toHaveURL(list);
      await choose(page, one);
      await page.getByRole('button', { name: 'Retry…', exact: true }).click();
      await expect(page.getByRole('heading', { level: 1, name: 'Retry 1 task?' })).toBeVisible();
      await page.getByRole('link', { name: 'Cancel' }).click();
      await expect(page).toHaveURL(list);
    });

    test('what others changed since the check is told in words', async ({ page }) => {
      await signIn(page, 'admin');
      const ids = await failedOnce(page.request, 4);
      await open(page, '/admin/tasks?state=FAILED');
      for (const id of ids) await choose(page, id);
      await page.getByRole('button', { name: 'Close…', exact: true }).click();
      await expect(page.getByRole('heading', { level: 1, name: 'Close 4 tasks for good?' })).toBeVisible();
      await retryAll(page.request, { only: ids.slice(0, 2) }, 'Somebody else was quicker');
      await because(page, `Too slow, ${how}`, 'Close 4 tasks');
      await expect(notice(page)).toContainText('2 tasks closed');
      await expect(notice(page)).toContainText('Skipped because they had changed: 2. The list shows them too.');
      for (const id of ids.slice(0, 2)) await becomes(page.request, id, /^COMPLETED$/);
      await expect.poll(() => audited(page.request, `Too slow, ${how}`)).toMatchObject([{ detail: { count: 2 } }]);

      const [late] = await failedOnce(page.request, 1);
      await open(page, `/admin/tasks/${late}`);
      await post(page.request, `/api/1/tasks/${late}/abandon`, { reason: 'Somebody else was quicker' });
      if (scripts) await expect(page.getByRole('button', { name: 'Retry' })).toHaveCount(0);
      else await because(page, `Too slow, ${how}`, 'Retry');
      if (!scripts) await expect(page.getByRole('alert')).toContainText(/closed/i);
      await expect(task(page)).toHaveAttribute('data-task-status', 'ABANDONED');
    });
  });
}

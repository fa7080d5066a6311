// Finding tasks among all of them: by state, kind, owner, words in an error and process, page by page.
import { expect, type Page } from '@playwright/test';

import { failedOnce, listed, row, submitTests, test } from '../support/admin';
import { post } from '../support/api';
import { pick, tick, untick } from '../support/mouse';
import { hydrated, slow } from '../support/pages';
import { becomes } from '../support/queue';
import { signIn } from '../support/session';

/** What the rows of a list of so many stand for, page by page to its end: each page once it is all there, and no row of another. */
async function walked(page: Page, total: number): Promise<string[]> {
  const seen: string[] = [];
  const next = page.getByRole('link', { name: 'Next', exact: true });
  while (seen.length < total) {
    let keys: string[] = [];
    await expect
      .poll(async () => {
        const rows = page.getByRole('table').locator('tbody tr');
        keys = await rows.evaluateAll((found) => found.map((one) => one.getAttribute('data-key')!));
        const isLast = (await next.count()) === 0;
        return keys.length > 0 && !keys.some((key) => seen.includes(key)) && isLast === (seen.length + keys.length === total);
      })
      .toBe(true);
    seen.push(...keys);
    if (seen.length < total) await next.click();
  }
  return seen;
}

for (const scripts of [true, false]) {
  test.describe(scripts ? 'with scripts' : 'without scripts', () => {
    test.use({ javaScriptEnabled: scripts });
    const open = async (page: Page, address: string) => {
      await page.goto(address);
      if (scripts) await hydrated(page);
    };
    const states = async (page: Page) =>
      new Set(await page.getByRole('table').locator('tbody tr').evaluateAll((rows) => rows.map((row) => row.getAttribute('data-task-status'))));

    test('tasks are narrowed by what one knows of them', async ({ page }) => {
      await signIn(page, 'admin');
      const [failed] = await failedOnce(page.request, 1);
      const [done] = await submitTests(page.request, {});
      await becomes(page.request, done, /^COMPLETED$/);
      await open(page, '/admin/tasks');
      const tabs = page.getByRole('navigation', { name: 'State' });
      await tabs.getByRole('link', { name: /^Failed/ }).click();
      await expect(row(page, done)).toHaveCount(0);
      await expect(row(page, failed)).toBeVisible();
      await expect.poll(() => states(page)).toEqual(new Set(['FAILURE']));
      await tabs.getByRole('link', { name: /^Done/ }).click();
      await expect(row(page, failed)).toHaveCount(0);
      await expect.poll(() => states(page)).toEqual(new Set(['COMPLETED']));
      await tabs.getByRole('link', { name: 'All', exact: true }).click();
      await expect(row(page, failed)).toBeVisible();
      await expect(row(page, done)).toBeVisible();

      const filters = page.getByRole('search');
      const apply = () => filters.getByRole('button', { name: 'Apply' }).click();
      await filters.getByRole('searchbox', { name: 'Search by error message or task ID' }).fill('fail for good');
      await apply();
      await expect(row(page, done)).toHaveCount(0);
      await expect(row(page, failed)).toBeVisible();
      await filters.getByRole('searchbox', { name: 'Search by error message or task ID' }).fill(done);
      await apply();
      await expect(page.getByText('This task', { exact: true })).toBeVisible();
      await expect(row(page, done)).toBeVisible();
      await expect(row(page, failed)).toHaveCount(0);
      await page.getByRole('link', { name: 'Remove filter This task' }).click();
      await filters.getByRole('searchbox', { name: 'Search by error message or task ID' }).fill('nobody said that');
      await apply();
      await expect(page.getByRole('heading', { name: 'No tasks match' })).toBeVisible();
      await page.getByRole('link', { name: 'Clear filters' }).click();
      await expect(row(page, failed)).toBeVisible();

      await pick(filters.getByLabel('All kinds'), 'Export');
      await apply();
      await expect(row(page, failed)).toHaveCount(0);
      await pick(filters.getByLabel('All kinds'), 'Self-test');
      await apply();
      await expect(row(page, failed)).toBeVisible();
      await tick(filters.getByRole('checkbox', { name: 'Stalled only' }));
      await apply();
      await expect(page.getByRole('heading', { name: 'No tasks match' })).toBeVisible();
      await untick(filters.getByRole('checkbox', { name: 'Stalled only' }));
      await apply();
      await expect(row(page, failed)).toBeVisible();
    });

    test('on a small screen tasks come before the filters, and every tab is there', async ({ page }) => {
      await page.setViewportSize({ width: 375, height: 800 });
      await signIn(page, 'admin');
      const [failed] = await failedOnce(page.request, 1);
      for (const address of ['/admin/tasks?kind=self-test', '/admin/audit?action=task.']) {
        await open(page, address);
        const apply = page.getByRole('search').getByRole('button', { name: 'Apply' });
        const fold = page.getByText('Filters · 1', { exact: true });
        await expect(fold).toBeVisible();
        await expect(apply).toBeHidden();
        await fold.click();
        await expect(apply).toBeVisible();
        await apply.click();
        await expect(fold).toBeVisible();
        await expect(apply).toBeHidden();
      }
      await open(page, '/admin/tasks');
      await expect(row(page, failed)).toBeVisible();
      const tabs = page.getByRole('navigation', { name: 'State' }).getByRole('link');
      await expect(tabs).toHaveCount(9);
      const ends = () => tabs.evaluateAll((found) => found.map((tab) => Math.ceil(tab.getBoundingClientRect().right)));
      await expect.poll(async () => Math.max(...(await ends()))).toBeLessThanOrEqual(375);
    });

    test('what is not understood is told, and not ignored', async ({ page }) => {
      await signIn(page, 'admin');
      for (const address of ['/admin/tasks?state=SLEEPING', '/admin/tasks?colour=red', '/admin/audit?actor=nobody-here']) {
        await open(page, address);
        await expect(page.getByRole('link', { name: 'Start over' })).toBeVisible();
      }
    });

    test('what is wrong in a filter is said at its field, and the list and the other filters stay', async ({ page }) => {
      await signIn(page, 'admin');
      const [failed] = await failedOnce(page.request, 1);
      const wrongWay = page.getByText('The end date is before the start date.');
      await open(page, '/admin/tasks?kind=self-test&since=2026-08-31&until=2026-08-01');
      await expect(wrongWay).toBeVisible();
      await expect(page.getByLabel('Since', { exact: true })).toHaveValue('2026-08-31');
      await expect(page.getByLabel('Until', { exact: true })).toHaveValue('2026-08-01');
      await expect(page.getByRole('combobox', { name: 'All kinds' })).toHaveValue('self-test');
      await expect(row(page, failed)).toBeVisible();

      await open(page, '/admin/audit?action=session.&source=nowhere&since=2026-08-31&until=2026-08-01');
      const [until, address] = [page.getByLabel('Until', { exact: true }), page.getByLabel('IP address')];
      await expect(wrongWay).toBeVisible();
      await expect(until).toHaveAccessibleDescription('The end date is before the start date.');
      await expect(address).toHaveAccessibleDescription(/^Enter an address like/);
      await expect(address).toHaveValue('nowhere');
      await expect(page.getByRole('table').locator('tbody tr').first()).toBeVisible();
      await until.fill('2999-08-01');
      await address.fill('');
      await page.getByRole('search').getByRole('button', { name: 'Apply' }).click();
      await expect(wrongWay).toHaveCount(0);
      await expect(address).not.toHaveAttribute('aria-invalid', 'true');
      await expect(page.getByRole('combobox', { name: 'All actions' })).toHaveValue('session.');
    });

    test('a long list is read page by page, each task once', async ({ page }) => {
      await signIn(page, 'admin');
      await submitTests(page.request, { count: 130, triggerDate: '2100-01-01T00:00:00Z' });
      await open(page, '/admin/tasks?state=SCHEDULED');
      // at once: the page is served with it, and nobody submits another.
      const total = await listed(page);
      const seen = await walked(page, total);
      expect(seen).toHaveLength(total);
      await page.getByRole('link', { name: 'First page' }).click();
      await expect(row(page, seen[0])).toBeVisible();

      await page.locator('summary', { hasText: /^All/ }).click();
      await page.getByRole('button', { name: 'Close all that match…' }).click();
      const asks = page.getByRole('heading', { level: 1, name: `Close ${total} tasks for good?` });
      await expect(asks).toBeVisible();
      // All of them can be looked at before, though another one has come meanwhile, and they are those that it is done to.
      const [late] = await submitTests(page.request, { triggerDate: '2100-01-01T00:00:00Z' });
      expect(await walked(page, total)).toEqual(seen);
      await expect(asks).toBeVisible();
      await page.getByLabel('Reason').fill('They are for nobody');
      await page.getByRole('button', { name: `Close ${total} tasks` }).click();
      await expect(page.locator('.notice')).toContainText(`${total} tasks closed`);
      await open(page, '/admin/tasks?state=SCHEDULED');
      expect(await walked(page, 1)).toEqual([late]);
      await post(page.request, `/api/1/tasks/${late}/abandon`, { reason: 'It is for nobody' });
    });
  });
}

test('a filter holds while much happens and answers are slow', async ({ page, running }) => {
  await signIn(page, 'admin');
  const [failed] = await failedOnce(page.request, 1);
  const busy = await running({ chunks: 10_000, sleepMs: 50 });
  await slow(page, 600);
  await page.goto('/admin/tasks');
  await hydrated(page);
  const tabs = page.getByRole('navigation', { name: 'State' });
  await tabs.getByRole('link', { name: /^Running/ }).click();
  await expect(row(page, failed)).toHaveCount(0);
  await expect(row(page, busy)).toBeVisible();
  await tabs.getByRole('link', { name: /^Failed/ }).click();
  await expect(row(page, failed)).toBeVisible();
  await expect(row(page, busy)).toHaveCount(0);
  await page.unrouteAll({ behavior: 'ignoreErrors' });
});

test('a tick stays with its task, and none that nobody ticked is ticked', async ({ page }) => {
  await signIn(page, 'admin');
  const [failed] = await failedOnce(page.request, 1);
  const [done] = await submitTests(page.request, {});
  await becomes(page.request, done, /^COMPLETED$/);
  const boxes = page.locator('input[name=only]:checked');
  const ticked = () => boxes.evaluateAll((found) => found.map((box) => (box as HTMLInputElement).value));
  const badge = page.locator('[data-live]');
  const tabs = page.getByRole('navigation', { name: 'State' });

  // Another tab has other tasks where the ticked one was.
  await page.goto('/admin/tasks');
  await hydrated(page);
  await tick(row(page, done).getByRole('checkbox'));
  await expect(badge).toHaveAttribute('data-live', 'paused');
  await tabs.getByRole('link', { name: /^Failed/ }).click();
  await expect(row(page, failed)).toBeVisible();
  await expect(row(page, done)).toHaveCount(0);
  await expect.poll(() => ticked()).toEqual([]);
  await expect(badge, 'nothing is chosen any more').toHaveAttribute('data-live', 'on');

  // New ones come before it.
  await tabs.getByRole('link', { name: 'All', exact: true }).click();
  await expect(row(page, done)).toBeVisible();
  await expect(badge).toHaveAttribute('data-live', 'on');
  const [late] = await submitTests(page.request, {});
  const show = page.getByRole('link', { name: 'Show 1 new task' });
  await expect(show).toBeVisible();
  await tick(row(page, done).getByRole('checkbox'));
  await show.click();
  await expect(row(page, late)).toBeVisible();
  await expect.poll(() => ticked()).toEqual([done]);

  // The next page.
  const waiting = await submitTests(page.request, { count: 30, triggerDate: '2100-01-01T00:00:00Z' });
  await page.goto('/admin/tasks?state=SCHEDULED');
  await hydrated(page);
  const newest = waiting[waiting.length - 1];
  await tick(row(page, newest).getByRole('checkbox'));
  await page.getByRole('link', { name: 'Next', exact: true }).click();
  await expect(row(page, newest)).toHaveCount(0);
  await expect.poll(() => ticked()).toEqual([]);
  await expect(page.getByRole('button', { name: 'Close…', exact: true })).toBeHidden();
  await expect(page.getByText('Select some, or choose all')).toBeVisible();
  for (const id of waiting) await post(page.request, `/api/1/tasks/${id}/abandon`, { reason: 'The test is over' });
});

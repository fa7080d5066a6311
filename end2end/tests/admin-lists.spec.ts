// Finding tasks among all of them: by state, kind, owner, words in an error and process, page by page.
import { expect, type Page } from '@playwright/test';

import { failedOnce, listed, row, submitTests, test } from '../support/admin';
import { pick, tick, untick } from '../support/mouse';
import { hydrated, slow } from '../support/pages';
import { becomes } from '../support/queue';
import { signIn } from '../support/session';

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
      expect(await states(page)).toEqual(new Set(['FAILURE']));
      await tabs.getByRole('link', { name: /^Done/ }).click();
      await expect(row(page, failed)).toHaveCount(0);
      expect(await states(page)).toEqual(new Set(['COMPLETED']));
      await tabs.getByRole('link', { name: 'All', exact: true }).click();
      await expect(row(page, failed)).toBeVisible();
      await expect(row(page, done)).toBeVisible();

      const filters = page.getByRole('search');
      const apply = () => filters.getByRole('button', { name: 'Apply' }).click();
      await filters.getByRole('searchbox', { name: 'Search in errors' }).fill('fail for good');
      await apply();
      await expect(row(page, done)).toHaveCount(0);
      await expect(row(page, failed)).toBeVisible();
      await filters.getByRole('searchbox', { name: 'Search in errors' }).fill('nobody said that');
      await apply();
      await expect(page.getByRole('heading', { name: 'No task matches' })).toBeVisible();
      await page.getByRole('link', { name: 'All tasks', exact: true }).last().click();
      await expect(row(page, failed)).toBeVisible();

      await pick(filters.getByLabel('Every kind'), 'Export');
      await apply();
      await expect(row(page, failed)).toHaveCount(0);
      await pick(filters.getByLabel('Every kind'), 'Self-test');
      await tick(filters.getByRole('checkbox', { name: 'Stalled only' }));
      await apply();
      await expect(page.getByRole('heading', { name: 'No task matches' })).toBeVisible();
      await untick(filters.getByRole('checkbox', { name: 'Stalled only' }));
      await apply();
      await expect(row(page, failed)).toBeVisible();
    });

    test('what is not understood is told, and not ignored', async ({ page }) => {
      await signIn(page, 'admin');
      for (const address of ['/admin/tasks?state=SLEEPING', '/admin/tasks?colour=red', '/admin/audit?actor=nobody-here']) {
        await open(page, address);
        await expect(page.getByRole('link', { name: 'Start over' })).toBeVisible();
      }
    });

    test('a long list is read page by page, each task once', async ({ page }) => {
      await signIn(page, 'admin');
      await submitTests(page.request, { count: 130, triggerDate: '2100-01-01T00:00:00Z' });
      await open(page, '/admin/tasks?state=SCHEDULED');
      const total = await listed(page);
      const seen: string[] = [];
      for (;;) {
        const rows = page.getByRole('table').locator('tbody tr');
        const ids = await rows.evaluateAll((found) => found.map((one) => one.getAttribute('data-task-id')!));
        seen.push(...ids);
        const next = page.getByRole('link', { name: 'Next', exact: true });
        if ((await next.count()) === 0) break;
        await next.click();
        await expect(row(page, ids[0])).toHaveCount(0);
      }
      expect(new Set(seen).size).toBe(total);
      expect(seen).toHaveLength(total);
      await page.getByRole('link', { name: 'First page' }).click();
      await expect(row(page, seen[0])).toBeVisible();

      await page.locator('summary', { hasText: /^All/ }).click();
      await page.getByRole('button', { name: 'Abandon all that match…' }).click();
      await expect(page.getByRole('heading', { level: 1, name: `Abandon ${total} tasks for good?` })).toBeVisible();
      await page.getByLabel('Reason').fill('They are for nobody');
      await page.getByRole('button', { name: `Abandon ${total} tasks` }).click();
      await expect(page.locator('.notice')).toContainText(`${total} tasks given up`);
      await open(page, '/admin/tasks?state=SCHEDULED');
      await expect(page.getByRole('heading', { name: 'No task matches' })).toBeVisible();
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

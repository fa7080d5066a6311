// The people of a task with what became of each: sorted by any column, all of them in sight on a small screen, and what was
// listed before. With and without scripts.
import { expect, type Page } from '@playwright/test';

import { completed, hydrated, loadedAt, outcomes } from '../support/pages';
import { block, changeable, statuses } from '../support/people';
import { submitChange, test } from '../support/queue';
import { signIn } from '../support/session';

const people = (page: Page) => page.getByRole('region', { name: 'People' });
const names = (page: Page) => people(page).locator('tbody').getByRole('rowheader');
const head = (page: Page, name: string) => people(page).getByRole('columnheader', { name, exact: true });

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? 'with scripts' : 'without scripts', () => {
    test.use({ javaScriptEnabled });

    test('the people of a task are sorted by each column', async ({ page }) => {
      await signIn(page, 'manager');
      const mine = block(javaScriptEnabled ? 18 : 19);
      const [, , , few] = await statuses(page.request, mine);
      const id = await submitChange(page.request, await changeable(page.request, mine, few.name, 30), few.name);
      await page.goto(`/tasks/${id}`);
      await completed(page);
      if (javaScriptEnabled) await hydrated(page);
      await expect(names(page)).toHaveCount(25);
      const loaded = await loadedAt(page);
      await expect(head(page, 'Name'), 'by name from the beginning').toHaveAttribute('aria-sort', 'ascending');
      for (const [name, key] of [
        ['School ID', 'schoolId'],
        ['Outcome', 'outcome'],
        ['Details', 'details'],
        ['Time', 'time'],
      ]) {
        await head(page, name).getByRole('link').click();
        await expect(page).toHaveURL(new RegExp(`[?&]sort=${key}$`));
        await expect(head(page, name)).toHaveAttribute('aria-sort', 'ascending');
      }
      await head(page, 'Name').getByRole('link').click();
      await expect(page).toHaveURL(/[?&]sort=name$/);
      await expect(head(page, 'Name')).toHaveAttribute('aria-sort', 'ascending');
      await people(page).getByRole('link', { name: 'Next', exact: true }).click();
      await expect(names(page)).toHaveCount(5);
      // at once: the last page is there.
      const last = await names(page).last().textContent();
      await head(page, 'Name').getByRole('link').click();
      await expect(head(page, 'Name')).toHaveAttribute('aria-sort', 'descending');
      await expect(names(page).first()).toHaveText(last ?? '');
      await people(page).getByRole('navigation', { name: 'Outcome' }).getByRole('link', { name: /^Done/ }).click();
      await expect(page).toHaveURL(/outcome=DONE/);
      await expect(head(page, 'Name')).toHaveAttribute('aria-sort', 'descending');
      if (javaScriptEnabled) expect(await loadedAt(page)).toBe(loaded);
    });

    test('on a small screen each outcome is in sight', async ({ page }) => {
      await page.setViewportSize({ width: 375, height: 800 });
      await signIn(page, 'manager');
      const mine = block(javaScriptEnabled ? 18 : 19);
      const [, , , few] = await statuses(page.request, mine);
      const id = await submitChange(page.request, await changeable(page.request, mine, few.name, 2), few.name);
      await page.goto(`/tasks/${id}`);
      await completed(page);
      await expect.poll(() => outcomes(page)).toMatchObject({ All: 2, Done: 2 });
      const tabs = page.getByRole('navigation', { name: 'Outcome' }).getByRole('link');
      await expect(async () => {
        for (const tab of await tabs.all()) {
          await tab.scrollIntoViewIfNeeded();
          const box = await tab.boundingBox();
          expect(box && box.x + box.width).toBeLessThanOrEqual(375);
          await tab.click({ trial: true });
        }
      }).toPass();
    });
  });
}

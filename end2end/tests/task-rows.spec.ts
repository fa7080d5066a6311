// The rows of the tasks page: when a task will run, whose it is, and what its menu leads to.
import { expect } from '@playwright/test';

import { submitTests } from '../support/admin';
import { post, read } from '../support/api';
import { open, task } from '../support/pages';
import { becomes, selfTests, test } from '../support/queue';
import { signIn } from '../support/session';

const row = (id: string) => `tr[data-task-id="${id}"]`;

test.describe(() => {
  test.use({ timezoneId: 'America/New_York' });

  test('a scheduled task says when, in the time of its reader', async ({ page }) => {
    await signIn(page, 'admin');
    const [id] = await submitTests(page.request, { triggerDate: '2099-11-21T14:05:00Z' });
    await open(page, '/tasks');
    await expect(page.locator(row(id))).toContainText('Scheduled for 21 Nov 2099 09:05');
    await open(page, `/tasks/${id}`);
    await expect(task(page)).toContainText('Scheduled for 21 Nov 2099 09:05');
    await post(page.request, `/api/1/tasks/${id}/abandon`, { reason: 'The test is over' });
  });
});

test('a task that is tried again says when', async ({ page }) => {
  await signIn(page, 'admin');
  const [id] = await submitTests(page.request, { outcome: 'transient' });
  await open(page, '/tasks');
  await expect(page.locator(row(id))).toContainText(/Waiting to retry at \d\d:\d\d \(attempt \d of \d\)/);
  await post(page.request, `/api/1/tasks/${id}/abandon`, { reason: 'The test is over' });
});

test('the tasks of all staff say whose they are', async ({ page }) => {
  await signIn(page, 'admin');
  const [id] = await selfTests(page.request, 1, 0.1);
  const { name } = await read<{ name: string }>(page.request, '/api/1/me');
  await open(page, '/tasks');
  await expect(page.locator(row(id))).toBeVisible();
  await expect(page.locator(row(id))).not.toContainText('by ');
  await page.getByRole('link', { name: 'All staff' }).click();
  await expect(page.locator(row(id))).toContainText(`by ${name}`);
});

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? 'with scripts' : 'without scripts', () => {
    test.use({ javaScriptEnabled });

    test('the menu of a row asks before it cancels', async ({ page }) => {
      await signIn(page, 'admin');
      const [id] = await selfTests(page.request, 1, 60);
      await becomes(page.request, id, /^EXECUTING$/);
      if (javaScriptEnabled) await open(page, '/tasks');
      else await page.goto('/tasks');
      const menu = page.locator(row(id)).locator('details');
      // A list that is loaded again, as it is once when live updates begin, has its menus closed.
      await expect(async () => {
        if ((await menu.getAttribute('open')) === null) await menu.locator('summary').click();
        await menu.getByRole('link', { name: 'Cancel…' }).click({ timeout: 1_000 });
      }).toPass();
      const dialog = page.getByRole('alertdialog', { name: /^Cancel “/ });
      await expect(dialog).toBeVisible();
      await expect(page).toHaveURL(`/tasks/${id}?cancel=1`);
      await becomes(page.request, id, /^EXECUTING$/);
      await dialog.getByLabel('Reason').fill('Started by mistake');
      await dialog.getByRole('button', { name: 'Cancel the rest' }).click();
      await becomes(page.request, id, /^ABANDONED$/);
      await expect(page).toHaveURL(`/tasks/${id}`);
    });
  });
}

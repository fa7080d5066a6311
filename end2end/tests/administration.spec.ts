// What administrators do with people: import them from a file, and erase one for good. With and without scripts.
import { expect, type Page } from '@playwright/test';

import { read } from '../support/api';
import { hydrated, outcomes, task } from '../support/pages';
import { test } from '../support/queue';
import { signIn } from '../support/session';

for (const scripts of [true, false]) {
  test.describe(scripts ? 'with scripts' : 'without scripts', () => {
    test.use({ javaScriptEnabled: scripts });
    const ready = async (page: Page) => void (scripts && (await hydrated(page)));

    test('people come from a file, and one of them is erased', async ({ page }) => {
      const id = scripts ? 'IMP-1' : 'IMP-2';
      await signIn(page, 'admin');
      await page.goto('/admin/import');
      await ready(page);
      const file = (text: string) => ({ name: 'spring.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });
      await page.getByLabel('CSV file').setInputFiles(file(`id|name|status\n${id}|Zweig|Active\n`));
      await page.getByRole('button', { name: 'Continue' }).click();
      await expect(page.getByText('The columns of this file are separated by bars.')).toBeVisible();
      await ready(page);
      await page.getByLabel('CSV file').setInputFiles(file(`id,name,status\n${id},Zweig,Active\n${id}-x,Unclear,Q\n`));
      await page.getByRole('button', { name: 'Continue' }).click();
      await expect(page.getByRole('heading', { name: '1 line is unreadable' })).toBeVisible();
      await page.getByRole('button', { name: 'Import 1 person' }).click();
      await expect(task(page)).toHaveAttribute('data-task-status', 'COMPLETED');
      await expect(page.getByRole('heading', { level: 1, name: 'Import spring.csv' })).toBeVisible();
      await expect.poll(() => outcomes(page)).toMatchObject({ All: 2, Unreadable: 1 });
      await expect(page.getByRole('table').getByText('“Q” is not a known value')).toBeVisible();

      await page.goto(`/people?q=${id}`);
      await page.getByRole('table').getByRole('link', { name: 'Zweig' }).click();
      await page.getByRole('link', { name: 'Erase…' }).click();
      await page.getByLabel('Type the school ID').fill('another');
      await page.getByLabel('Reason').fill('asked for by letter');
      await page.getByRole('button', { name: 'Erase this person' }).click();
      await expect(page.getByText(`This is not the person’s school ID. Type ${id}.`)).toBeVisible();
      await expect(page.getByLabel('Reason')).toHaveValue('asked for by letter');
      await page.getByLabel('Type the school ID').fill(id);
      await page.getByRole('button', { name: 'Erase this person' }).click();
      await expect(page.getByRole('heading', { level: 1, name: 'People' })).toBeVisible();
      await expect(page.getByText('The person was erased')).toBeVisible();
      await page.goto(`/people?q=${id}`);
      await expect(page.getByRole('heading', { name: 'No people match' })).toBeVisible();
    });

    test('a search is kept under a name, and forgotten', async ({ page }) => {
      const name = scripts ? 'No-shows' : 'No-shows without scripts';
      await signIn(page, 'coach');
      await page.goto('/people?programStatus=NO_SHOW');
      await ready(page);
      await page.locator('summary', { hasText: 'Save view' }).click();
      await page.getByLabel('Name of the view').fill(name);
      await page.getByRole('button', { name: 'Save this view' }).click();
      await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
      await page.goto('/people');
      await ready(page);
      const rail = page.getByRole('navigation', { name: 'Main' });
      const inRail = rail.getByRole('link', { name: new RegExp(`^${name} \\d+$`) });
      await inRail.click();
      await expect(page).toHaveURL(/programStatus=NO_SHOW/);
      await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
      await expect(inRail).toHaveAttribute('aria-current', 'page');
      await page.locator('summary', { hasText: /^View$/ }).click();
      await page.getByRole('button', { name: 'Delete view' }).click();
      await expect(page.getByRole('heading', { level: 1, name: 'People' })).toBeVisible();
      await expect(inRail).toHaveCount(0);
    });
  });
}

test('the end of a task is told on the page one is looking at', async ({ page }) => {
  await signIn(page, 'manager');
  await hydrated(page);
  await expect(page.locator('[data-live]')).toHaveAttribute('data-live', 'on');
  const { items } = await read<{ items: { id: string }[] }>(page.request, '/api/1/people', { limit: '1', q: 'G1-00015' });
  const data = { target: { personIds: [items[0].id] }, operation: 'WATCH' };
  const answer = await page.request.post('/api/1/people/watch', { data, headers: { 'sec-fetch-site': 'same-origin' } });
  expect(answer.status()).toBe(202);
  const said = page.locator('.toasts');
  await expect(said).toContainText('Add to watch list');
  await expect(page).toHaveTitle(/^Done: People/);
  await said.getByRole('link', { name: 'Show' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Add to watch list' })).toBeVisible();
  await expect(page).toHaveTitle('Add to watch list · Docket');
});

// What paper has of a page: what it says, and nothing that can only be pressed.
import { expect } from '@playwright/test';

import { block, changeable, statuses } from '../support/people';
import { change, test } from '../support/queue';
import { completed, hydrated } from '../support/pages';
import { signIn } from '../support/session';

test('a task and a person on paper', async ({ page }) => {
  await signIn(page, 'manager');
  const [, , , few] = await statuses(page.request, block(15));
  const id = await change(page.request, await changeable(page.request, block(15), few.name, 3), few.name);
  await page.goto(`/tasks/${id}`);
  await hydrated(page);
  const printed = page.locator('.printed');
  await expect(printed).toBeHidden();
  const person = page.getByRole('table').locator('tbody th a').first();
  await expect(person).toBeVisible();

  const table = page.getByRole('table').first();
  const timeline = page.getByRole('region', { name: 'Timeline' }).getByRole('listitem').first();
  for (const [what, content] of [['a task', table], ['a person', timeline]] as const) {
    await test.step(what, async () => {
      await page.emulateMedia({ media: 'print' });
      await expect(printed).toHaveText(/^Docket · .+ · as of \d/);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await expect(content).toBeVisible();
      await expect(page.getByRole('banner')).toBeHidden();
      await expect(page.getByRole('navigation', { name: 'Main' })).toBeHidden();
      await expect(page.locator('main').getByRole('button')).toHaveCount(0);
      await page.emulateMedia({ media: 'screen' });
    });
    if (what === 'a task') {
      await person.click();
      await expect(page.getByText('Added to Docket')).toBeVisible();
      await hydrated(page);
    }
  }
});

test('paper says how many of the people of a task it has, and the page can have all of them', async ({ page }) => {
  await signIn(page, 'manager');
  const [, , , few] = await statuses(page.request, block(16));
  const id = await change(page.request, await changeable(page.request, block(16), few.name, 30), few.name);
  await page.goto(`/tasks/${id}`);
  await completed(page);
  await hydrated(page);
  await expect(page.getByText('30 people selected by hand')).toBeVisible();
  const some = page.getByText('25 of 30 people are printed here.');
  await expect(some).toBeHidden();
  await page.emulateMedia({ media: 'print' });
  await expect(some).toBeVisible();
  await page.emulateMedia({ media: 'screen' });

  await page.getByRole('link', { name: 'Show all 30' }).click();
  await expect(page.getByRole('table', { name: /what became of them/ }).locator('tbody tr')).toHaveCount(30);
  await page.emulateMedia({ media: 'print' });
  await expect(some).toHaveCount(0);
});

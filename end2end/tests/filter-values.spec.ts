// A filter of more values than a menu holds: what one types finds them, with scripts while one types and without them by
// the form.
import { expect, type Page } from '@playwright/test';

import { test as base } from '../support/mail';
import { tick } from '../support/mouse';
import { open } from '../support/pages';
import { becomes } from '../support/queue';
import { freePort, start, type Server } from '../support/server';
import { signIn } from '../support/session';

const test = base.extend<{ docket: Server }>({
  docket: async ({}, use, info) => {
    const server = await start(`127.0.0.1:${await freePort()}`, info.outputPath('docket.log'), {});
    await use(server);
    await server.stop();
  },
});

/** Seventy people, each of whom studies something else. */
async function seventyMajors(page: Page, docket: Server): Promise<void> {
  await signIn(page, 'admin', docket.passwords.admin);
  await page.goto('/admin/import');
  const lines = Array.from({ length: 70 }, (_, n) => `Z-${n},Zweig,Étude ${String(n).padStart(2, '0')}`);
  const buffer = Buffer.from(['id,surname,major', ...lines].join('\n'));
  await page.getByLabel('CSV file').setInputFiles({ name: 'majors.csv', mimeType: 'text/csv', buffer });
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('button', { name: 'Import 70 people' }).click();
  await expect(page).toHaveURL(/\/tasks\//);
  await becomes(page.request, new URL(page.url()).pathname.split('/')[2], /^COMPLETED$/);
}

const major = (page: Page) =>
  page.locator('details.menu').filter({ has: page.locator('summary', { hasText: 'Major' }) });

for (const scripts of [true, false]) {
  test.describe(scripts ? 'with scripts' : 'without scripts', () => {
    test.use({ javaScriptEnabled: scripts });

    test('a value that does not stand in the menu is found by typing it', async ({ page, docket }) => {
      await seventyMajors(page, docket);
      if (scripts) await open(page, '/people');
      else await page.goto('/people');
      const menu = major(page);
      await menu.locator('summary').click();
      const boxes = menu.getByRole('checkbox');
      await expect(boxes).toHaveCount(50);
      await expect(menu).toContainText('Type to find more values');
      const found = menu.getByRole('checkbox', { name: 'Étude 67' });
      await expect(found).toHaveCount(0);

      await menu.getByRole('searchbox', { name: 'Find a major' }).fill('etude 67');
      if (!scripts) await menu.getByRole('button', { name: 'Find' }).click();
      await expect(boxes).toHaveCount(1);
      await tick(found);
      if (scripts) {
        // What is ticked stays while something else is looked for.
        await menu.getByRole('searchbox').fill('étude 03');
        await expect(boxes).toHaveCount(2);
        await expect(found).toBeChecked();
        await menu.getByRole('searchbox').press('Enter');
        await expect(page).toHaveURL(/\/people$/);
        await tick(menu.getByRole('checkbox', { name: 'Étude 03' }));
      }
      await page.getByRole('button', { name: 'Apply' }).click();
      const chip = scripts ? 'Major: Étude 67 or Étude 03' : 'Major: Étude 67';
      await expect(page.locator('.chip')).toHaveText(chip);
      await expect(page.getByRole('table').locator('tbody tr')).toHaveCount(scripts ? 2 : 1);
      const looked = () => new URL(page.url()).searchParams.get('find-major') ?? '';
      await expect.poll(looked).toBe(scripts ? '' : 'etude 67');
    });
  });
}

// What is refused says which field is wrong and keeps what was typed, with and without scripts.
import { expect, type Page } from '@playwright/test';

import { pick, tick } from '../support/mouse';
import { completed, filterByStatus, hydrated, number, search, selectionBar, selectMatching, task } from '../support/pages';
import { block, changeable, everybody, statuses } from '../support/people';
import { change, test } from '../support/queue';
import { signIn } from '../support/session';

async function compose(page: Page, people: number): Promise<void> {
  await selectionBar(page).getByRole('link', { name: 'Set program status…' }).click();
  await expect(page.getByText(`${people.toLocaleString('en')} people selected`)).toBeVisible();
}

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? 'with scripts' : 'without scripts', () => {
    test.use({ javaScriptEnabled });

    test('a status that needs a reason', async ({ page }) => {
      await signIn(page, 'manager');
      if (javaScriptEnabled) await hydrated(page);
      await search(page, block(10));
      await compose(page, await selectMatching(page));
      await tick(page.getByRole('radio', { name: 'Non-participating' }));
      await page.getByLabel('Comment').fill('Told us in May & June');
      await page.getByLabel('Reason for this task (optional)').fill('Asked for by the dean');
      await page.getByRole('button', { name: 'Check what will happen' }).click();

      await expect(page.getByRole('alert')).toBeVisible();
      const why = page.getByLabel('Reason for not participating');
      await expect(why).toHaveAttribute('aria-invalid', 'true');
      await expect(why).toHaveAccessibleDescription(/Choose a reason/);
      await expect(page.getByRole('alert').getByRole('link', { name: /reason/ })).toHaveAttribute('href', '#changeReason');
      await expect(page.getByLabel('Comment')).toHaveAccessibleDescription('Shown in each person’s history.');
      await expect(page.getByLabel('Comment')).not.toHaveAttribute('aria-invalid', 'true');
      await expect(page.getByRole('radio', { name: 'Non-participating' })).toBeChecked();
      await expect(page.getByLabel('Comment')).toHaveValue('Told us in May & June');
      await expect(page.getByLabel('Reason for this task (optional)')).toHaveValue('Asked for by the dean');

      await pick(why, 'Family');
      // What was wrong is not said of another answer.
      if (javaScriptEnabled) {
        await expect(page.getByRole('alert')).toHaveCount(0);
        await expect(why).toHaveAccessibleDescription('Shown in each person’s history, beside the status.');
      }
      await page.getByRole('button', { name: 'Check what will happen' }).click();
      await expect(page.getByRole('heading', { name: 'What will happen' })).toBeVisible();
      // It was asked once.
      await expect(page.getByLabel('Reason for this task (optional)')).toHaveCount(0);
      await expect(page.getByRole('definition').filter({ hasText: 'Asked for by the dean' })).toBeVisible();
    });

    test('a comment that is too long, submitted at once', async ({ page }) => {
      const long = 'All of this was said before. '.repeat(20);
      await signIn(page, 'manager');
      if (javaScriptEnabled) await hydrated(page);
      await search(page, block(10));
      await tick(page.getByRole('checkbox', { name: /on this page$/ }));
      if (!javaScriptEnabled) await page.getByRole('button', { name: 'Update selection' }).click();
      await expect(selectionBar(page).getByRole('status')).toHaveText('25 selected');
      await compose(page, 25);
      await tick(page.getByRole('radio', { name: 'Transitioned' }));
      await page.getByLabel('Comment').fill(long);
      await page.getByLabel('Reason for this task (optional)').fill('Asked for by the dean');
      await page.getByRole('button', { name: /^Set 25 people/ }).click();

      await expect(page.getByRole('alert')).toBeVisible();
      const comment = page.getByLabel('Comment');
      await expect(comment).toHaveAttribute('aria-invalid', 'true');
      await expect(comment).toHaveAccessibleDescription(/500 characters/);
      await expect(comment).toHaveValue(long);
      await expect(page.getByRole('radio', { name: 'Transitioned' })).toBeChecked();
      await expect(page.getByLabel('Reason for this task (optional)')).toHaveValue('Asked for by the dean');
      // It is said once: the address that somebody may share does not say it again.
      if (javaScriptEnabled) await expect(page).not.toHaveURL(/__err/);

      await comment.fill('All of this was said before.');
      await page.getByRole('button', { name: /^Set 25 people/ }).click();
      await expect(page).toHaveURL(/\/tasks\//);
      if (javaScriptEnabled) await completed(page);
    });

    test('another number than asked for', async ({ page }) => {
      await signIn(page, 'manager');
      if (javaScriptEnabled) await hydrated(page);
      const [, , , few] = await statuses(page.request, everybody);
      await search(page, everybody);
      await compose(page, await selectMatching(page));
      await tick(page.getByRole('radio', { name: few.label, exact: true }));
      await page.getByLabel('Reason for this task (optional)').fill('Asked for by the dean');
      await page.getByRole('button', { name: 'Check what will happen' }).click();
      const asked = page.getByRole('textbox', { name: /^Type [\d,]+ to confirm$/ });
      // at once: the number is there from the beginning.
      const wrong = number((await page.getByText(/^Type [\d,]+ to confirm$/).textContent())!) + 1;
      await asked.fill(String(wrong));
      await page.getByRole('button', { name: /^Set [\d,]+ people to/ }).click();
      await expect(asked).toHaveAttribute('aria-invalid', 'true');
      await expect(asked).toHaveAccessibleDescription(/Type|number/);
      await expect(asked).toHaveValue(String(wrong));
      await expect(page.getByRole('definition').filter({ hasText: 'Asked for by the dean' })).toBeVisible();
      await expect(page).toHaveURL(/\/actions\/new\//);
    });

    test('people who have changed since they were checked', async ({ page }) => {
      await signIn(page, 'manager');
      if (javaScriptEnabled) await hydrated(page);
      const mine = block(javaScriptEnabled ? 11 : 12);
      const [most, , , few] = await statuses(page.request, mine);
      await search(page, mine);
      await filterByStatus(page, [most.label]);
      await compose(page, await selectMatching(page));
      await tick(page.getByRole('radio', { name: few.label, exact: true }));
      await page.getByRole('button', { name: /^Check/ }).click();
      await expect(page.getByRole('heading', { name: 'What will happen' })).toBeVisible();

      await change(page.request, await changeable(page.request, mine, few.name, 5, most.name), few.name);
      await page.getByRole('button', { name: /^Set [\d,]+ people to/ }).click();
      const refusal = page.getByRole('alert');
      await expect(refusal).toContainText('The list changed');
      await expect(refusal).toContainText('+0, −5');
      // The numbers below the refusal are new ones.
      await page.getByRole('button', { name: /^Set [\d,]+ people to/ }).click();
      await expect(page).toHaveURL(/\/tasks\//);
      await expect(task(page)).toBeVisible();
    });
  });
}

test('a word without an end, typed into a search, pushes nothing out of a small screen', async ({ page }) => {
  await page.setViewportSize({ width: 375, height: 812 });
  await signIn(page, 'admin');
  const word = encodeURIComponent(`"><img src=x>${'W'.repeat(60)}`);
  for (const list of ['/people?scope=all&q=', '/help?q=', '/go?q=', '/admin/settings?q=', '/admin/tasks?error=']) {
    await page.goto(list + word);
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth - innerWidth), list).toBe(0);
    await expect(page.locator('img[src=x]'), list).toHaveCount(0);
  }
});

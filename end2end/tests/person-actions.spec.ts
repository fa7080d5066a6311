// What is done about one person from their own page, and the way back to it. With and without scripts.
import { expect, type Page } from '@playwright/test';

import { tick } from '../support/mouse';
import { block, inProse, reachable } from '../support/people';
import { test } from '../support/queue';
import { signIn } from '../support/session';

const act = (page: Page, name: string) => page.getByRole('form', { name: 'Actions' }).getByRole('button', { name });

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? 'with scripts' : 'without scripts', () => {
    test.use({ javaScriptEnabled });

    test('each action is aimed at the person, and leads back to them', async ({ page }) => {
      await signIn(page, 'manager');
      const [person] = (await reachable(page.request, block(javaScriptEnabled ? 18 : 19))).with;
      const own = `/people/${person.id}`;
      await page.goto(own);
      await expect(page.getByRole('heading', { level: 1, name: inProse(person.name) })).toBeVisible();
      for (const [name, kind, leave] of [
        ['Set program status…', 'program-status', 'Cancel'],
        ['Early alert…', 'early-alert', 'Cancel'],
      ]) {
        await act(page, name).click();
        await expect(page).toHaveURL(new RegExp(`/actions/new/${kind}\\?sel=`));
        await expect(page.getByText('1 person selected')).toBeVisible();
        await page.getByRole('link', { name: leave, exact: true }).click();
        await expect(page).toHaveURL(own);
      }
      // From the check as well.
      await act(page, 'Set program status…').click();
      await tick(page.getByRole('radio', { name: 'Transitioned', exact: true }));
      await page.getByRole('button', { name: 'Check first' }).click();
      await expect(page.getByRole('heading', { name: 'What will happen' })).toBeVisible();
      await page.getByRole('list', { name: 'You are here' }).getByRole('link', { name: 'Person' }).click();
      await expect(page).toHaveURL(own);
      // An email as well, whether scripts keep what was typed or a button does.
      await act(page, 'Email…').click();
      await expect(page.getByRole('heading', { level: 1, name: 'Email 1 person' })).toBeVisible();
      await page.getByRole('textbox', { name: 'Subject' }).fill('Only for you');
      if (!javaScriptEnabled) await page.getByRole('button', { name: 'Keep as draft' }).click();
      await expect(page.getByText(javaScriptEnabled ? /^Draft saved \d/ : 'Draft saved', { exact: true })).toBeVisible();
      await page.getByRole('list', { name: 'You are here' }).getByRole('link', { name: 'Person' }).click();
      await expect(page).toHaveURL(own);
    });
  });
}

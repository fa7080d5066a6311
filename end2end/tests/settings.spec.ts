// What belongs to one's own account: look and behaviour, and where one is signed in.
import { expect, type Page } from '@playwright/test';

import { tick } from '../support/mouse';
import { hydrated, open } from '../support/pages';
import { test } from '../support/queue';
import { signIn } from '../support/session';

interface Choice {
  theme: string;
  zone: string;
  live: boolean;
  shortcuts: boolean;
}

async function prefer(page: Page, { theme, zone, live, shortcuts }: Choice): Promise<void> {
  await page.goto('/settings');
  await tick(page.getByRole('radio', { name: theme }));
  await page.getByLabel('Time zone').fill(zone);
  await tick(page.getByRole('checkbox', { name: /^Live pages/ }), live);
  await tick(page.getByRole('checkbox', { name: /^Use single-key shortcuts/ }), shortcuts);
  await page.getByRole('button', { name: 'Save preferences' }).click();
}

const usual: Choice = { theme: 'Match system', zone: '', live: true, shortcuts: true };

for (const scripts of [true, false]) {
  test.describe(scripts ? 'with scripts' : 'without scripts', () => {
    test.use({ javaScriptEnabled: scripts });

    test('the page looks and behaves as one likes', async ({ page }) => {
      await signIn(page, 'coach');
      await prefer(page, { ...usual, zone: 'Atlantis/Nowhere' });
      await expect(page.getByText('There is no time zone “Atlantis/Nowhere”').first()).toBeVisible();
      await prefer(page, { theme: 'Dark', zone: 'Pacific/Kiritimati', live: false, shortcuts: false });
      await expect(page.getByText('Saved')).toBeVisible();
      const root = page.locator('html');
      await expect(root).toHaveAttribute('data-theme', 'dark');
      await expect(root).toHaveCSS('color-scheme', 'dark');
      await expect(page.getByRole('radio', { name: 'Dark' })).toBeChecked();
      await expect(page.getByLabel('Time zone')).toHaveValue('Pacific/Kiritimati');

      // The page of a person has a day that lies in the past.
      await page.goto('/people');
      if (scripts) {
        await hydrated(page);
        await expect(page.locator('[data-live]')).toHaveAttribute('data-live', 'paused');
        await page.keyboard.press('j');
        await expect(page.locator('body')).toBeFocused();
      }
      const since = page.getByRole('table').locator('tbody time').first();
      // at once: this list stands still.
      const day = await since.evaluate((time: HTMLTimeElement) =>
        new Intl.DateTimeFormat('en-GB', { timeZone: 'Pacific/Kiritimati', day: 'numeric', month: 'short', year: 'numeric' })
          .format(new Date(time.dateTime))
          .replace('Sept', 'Sep'),
      );
      await expect(since).toHaveText(day);
      await prefer(page, usual);
      await expect(root).not.toHaveAttribute('data-theme', /.*/);
    });
  });
}

test('another browser is signed out from here', async ({ page, browser }) => {
  const elsewhere = await browser.newContext({ userAgent: 'Mozilla/5.0 (Windows NT 10.0) Gecko/20100101 Firefox/140.0' });
  const other = await elsewhere.newPage();
  await signIn(other, 'manager');
  await signIn(page, 'manager');
  await open(page, '/settings');
  const sessions = page.getByRole('table', { name: 'Where you are signed in' }).locator('tbody tr');
  const theirs = sessions.filter({ hasText: 'Firefox on Windows' });
  await expect(theirs).toContainText(/127\.0\.0\.1|::1/);
  await theirs.getByRole('button', { name: 'Sign out Firefox on Windows' }).click();
  await expect(page.getByText('That browser is signed out')).toBeVisible();
  await expect(theirs).toHaveCount(0);
  await expect(sessions.filter({ hasText: 'This browser' })).toHaveCount(1);
  await other.goto('/people');
  await expect(other).toHaveURL(/\/login/);
  await elsewhere.close();
});

test('signing out everywhere else ends the other browser', async ({ page, browser }) => {
  const elsewhere = await browser.newContext();
  const other = await elsewhere.newPage();
  await signIn(other, 'coach');
  await signIn(page, 'coach');
  await open(page, '/settings');
  const sessions = page.getByRole('table', { name: 'Where you are signed in' }).locator('tbody tr');
  await expect(sessions.filter({ hasText: 'This browser' })).toHaveCount(1);
  await expect(sessions.first()).toContainText(/Chrome on \w+/);
  await page.getByRole('button', { name: 'Sign out everywhere else' }).click();
  await expect(page.getByText('You are signed out everywhere else')).toBeVisible();
  await expect(sessions).toHaveCount(1);
  await other.goto('/people');
  await expect(other).toHaveURL(/\/login/);
  await elsewhere.close();
});

// A code beside the password: an app that somebody sets up, signs in with, loses and removes; and whoever must have one. With a server of
// its own, with and without scripts.
import { expect, type Page } from '@playwright/test';

import { codeOf, wrongCode } from '../support/authenticator';
import { check } from '../support/axe';
import { test } from '../support/mail';
import { tick } from '../support/mouse';

// Each test has a server of its own, so that none has to wait for another.
test.describe.configure({ mode: 'parallel' });

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const heading = (page: Page, name: string) => expect(page.getByRole('heading', { level: 1 })).toHaveText(name);

async function typePassword(page: Page, who: string, password: string): Promise<void> {
  await page.getByLabel('Username').fill(who);
  await page.getByLabel('Password').fill(password);
  await button(page, 'Sign in').click();
}

async function typeCode(page: Page, code: string): Promise<void> {
  await page.getByRole('textbox', { name: 'code' }).fill(code);
  await button(page, 'Continue').click();
}

/** What is shown once. */
async function shown(page: Page): Promise<string> {
  const secret = page.locator('#secret');
  await expect(secret).toBeVisible();
  // at once: it is served with its page.
  return secret.innerText();
}

/** Puts the key of the page into an app and shows its first code; the key, and the recovery codes that come of it. */
async function setUp(page: Page, scripts: boolean): Promise<{ key: string; codes: string[] }> {
  await expect(page.getByRole('img', { name: 'The key as a QR code' })).toBeVisible();
  if (scripts) await check(page);
  const key = await shown(page);
  await page.getByLabel('6-digit code').fill(wrongCode(key));
  await button(page, 'Turn on').click();
  await expect(page.getByLabel('6-digit code')).toHaveAccessibleDescription(/not what the app shows/);
  await expect(page.locator('#secret')).toHaveText(key);
  await page.getByLabel('6-digit code').fill(codeOf(key));
  await button(page, 'Turn on').click();
  await heading(page, 'Your recovery codes');
  if (scripts) {
    await check(page);
    await button(page, 'Copy').click();
    await expect(button(page, 'Copied')).toBeVisible();
  }
  const codes = (await shown(page)).split(/\s+/).filter((code) => code);
  expect(codes).toHaveLength(8);
  return { key, codes };
}

async function signOut(page: Page): Promise<void> {
  await page.context().clearCookies();
  await page.goto('/login');
}

for (const scripts of [true, false]) {
  test.describe(scripts ? 'with scripts' : 'without scripts', () => {
    test.use({ javaScriptEnabled: scripts });

    test('an app is set up, asked for at the sign-in, replaced by a recovery code when it is away, and removed', async ({ page, docket }) => {
      const password = docket.passwords.coach;
      await page.goto('/settings');
      await typePassword(page, 'coach', password);
      await page.getByRole('link', { name: 'Set up an authenticator app' }).click();
      const { key, codes } = await setUp(page, scripts);
      await page.getByRole('link', { name: 'Continue' }).click();
      await expect(page.getByText('Recovery codes: 8 of 8 left')).toBeVisible();
      if (scripts) await check(page);

      await signOut(page);
      await page.goto('/people?q=berg');
      await typePassword(page, 'coach', password);
      await heading(page, 'Enter your code');
      await expect(page.getByText('Signing in as coach')).toBeVisible();
      if (scripts) await check(page);
      const wrong = wrongCode(key);
      await typeCode(page, wrong);
      await expect(page.getByText('That code is not right')).toBeVisible();
      await expect(page.getByRole('textbox', { name: 'code' })).toHaveValue(wrong);
      // That of now was shown when the app was set up.
      await tick(page.getByLabel('Do not ask in this browser for 30 days'));
      await typeCode(page, codeOf(key, 1));
      await expect(page).toHaveURL(/\/people\?q=berg/);

      // In this browser, and in no other.
      await page.locator('summary').filter({ hasText: 'your account' }).click();
      await button(page, 'Sign out').click();
      await heading(page, 'Sign in');
      await typePassword(page, 'coach', password);
      await expect(page).toHaveURL(/\/people/);
      await signOut(page);
      await typePassword(page, 'coach', password);
      await heading(page, 'Enter your code');
      await page.getByRole('link', { name: 'Use a recovery code' }).click();
      if (scripts) await check(page);
      await typeCode(page, codes[2].toUpperCase());
      await expect(page).toHaveURL(/\/people/);
      await page.goto('/settings');
      await expect(page.getByText('Recovery codes: 7 of 8 left')).toBeVisible();
      await button(page, 'Remove the app').click();
      await expect(page.getByText('Your authenticator app is removed')).toBeVisible();

      await signOut(page);
      await typePassword(page, 'coach', password);
      await expect(page).toHaveURL(/\/people/);
    });

    test.describe('where administrators must have one', () => {
      test.use({ settings: { DOCKET__AUTH__SECOND_FACTOR: 'administrators' } });

      test('an administrator sets one up before anything else, and resets what a coach has lost', async ({ page, docket, browser, baseURL }) => {
        await page.goto('/admin/users');
        await typePassword(page, 'admin', docket.passwords.admin);
        await heading(page, 'Set up an authenticator app');
        await page.goto('/people');
        await heading(page, 'Set up an authenticator app');
        await page.goto('/admin/users');
        await setUp(page, scripts);
        await page.getByRole('link', { name: 'Continue' }).click();
        await heading(page, 'Users');

        const coach = await browser.newPage({ baseURL, javaScriptEnabled: scripts });
        await coach.goto('/settings');
        await typePassword(coach, 'coach', docket.passwords.coach);
        await coach.getByRole('link', { name: 'Set up an authenticator app' }).click();
        await setUp(coach, scripts);

        await page.reload();
        await page.locator('tr[data-user="coach"]').getByRole('link').first().click();
        const panel = page.getByRole('region', { name: 'Second factor' });
        await panel.getByLabel('Reason').fill('Lost the phone');
        await button(page, 'Reset the second factor').click();
        await expect(page.getByText('The second factor is reset')).toBeVisible();
        if (scripts) await check(page);
        await coach.goto('/people');
        await expect(coach).toHaveURL(/\/login/);
        await typePassword(coach, 'coach', docket.passwords.coach);
        await expect(coach).toHaveURL(/\/people/);
        await coach.close();
      });
    });
  });
}

// A password that somebody chooses by a link in an email: who has forgotten theirs, and who is new. With a mail server of its own,
// with and without scripts.
import { expect, type Page } from '@playwright/test';

import { check } from '../support/axe';
import { giveAddress } from '../support/email';
import { test } from '../support/mail';
import { hydrated } from '../support/pages';
import { signIn } from '../support/session';
import type { Sink } from '../support/sink';

// Each test has a server of its own, so that none has to wait for another.
test.describe.configure({ mode: 'parallel' });

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

/** Where the link leads that was sent to this address last. */
async function linkTo(sink: Sink, address: string): Promise<string> {
  const links = () =>
    sink.taken().filter(({ to }) => to.includes(address)).flatMap(({ plain }) => /\/password\?token=\S+/.exec(plain) ?? []);
  await expect.poll(() => links().length).toBeGreaterThan(0);
  return links().at(-1)!;
}

for (const scripts of [true, false]) {
  test.describe(scripts ? 'with scripts' : 'without scripts', () => {
    test.use({ javaScriptEnabled: scripts });

    test('who has forgotten their password chooses another one by a link', async ({ page, docket, sink, browser, baseURL }) => {
      // Only with scripts is an address confirmed by itself.
      const before = await browser.newPage({ baseURL });
      await signIn(before, 'manager', docket.passwords.manager);
      await giveAddress(before, 'm.sorbo@northfield.example', sink);

      await page.goto('/login');
      await page.getByRole('link', { name: 'Forgot your password?' }).click();
      await page.getByLabel('Username or email address').fill('Manager');
      await button(page, 'Send the link').click();
      await expect(page.getByText('Check your email')).toBeVisible();
      if (scripts) await check(page);
      const link = await linkTo(sink, 'm.sorbo@northfield.example');
      await page.goto(link);
      await expect(page.getByLabel('Username')).toHaveValue('manager');
      if (scripts) await check(page);
      await page.getByLabel('New password').fill('manager-2026');
      await button(page, 'Save password').click();
      await expect(page.getByLabel('New password')).toHaveAccessibleDescription(/easy to guess/);
      await page.getByLabel('New password').fill('violet kettle seven moons');
      await button(page, 'Save password').click();
      await expect(page.getByText('Your password is saved')).toBeVisible();
      await page.getByLabel('Username').fill('manager');
      await page.getByLabel('Password').fill('violet kettle seven moons');
      await button(page, 'Sign in').click();
      await expect(page).toHaveURL(/\/people/);
      // Whoever sat at the other browser is out.
      await before.goto('/people');
      await expect(before).toHaveURL(/\/login/);
      await before.close();

      await page.goto(link);
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('This link no longer works');
      if (scripts) await check(page);
    });

    test('a colleague is invited, and nobody else ever knows their password', async ({ page, docket, sink, browser, baseURL }) => {
      await signIn(page, 'admin', docket.passwords.admin);
      await page.goto('/admin/users/new');
      if (scripts) await hydrated(page);
      await page.getByLabel('Name', { exact: true }).fill('Nell Quist');
      await page.getByLabel('Username').fill('nell');
      await page.getByLabel(/^Email address/).fill('nell at northfield');
      await page.getByLabel('Reason').fill('Starts today');
      await button(page, 'Add the user').click();
      await expect(page.getByLabel(/^Email address/)).toHaveAccessibleDescription(/is not an email address/);
      await page.getByLabel(/^Email address/).fill('nell@northfield.example');
      await button(page, 'Add the user').click();
      await expect(page.getByText('The user is added')).toBeVisible();
      await expect(page.getByText('One-time password for')).toHaveCount(0);
      if (scripts) await check(page);

      const nell = await browser.newPage({ baseURL, javaScriptEnabled: scripts });
      await nell.goto(await linkTo(sink, 'nell@northfield.example'));
      await nell.getByLabel('New password').fill('violet kettle seven moons');
      await button(nell, 'Save password').click();
      await nell.getByLabel('Username').fill('nell');
      await nell.getByLabel('Password').fill('violet kettle seven moons');
      await button(nell, 'Sign in').click();
      await expect(nell).toHaveURL(/\/people/);
      await nell.close();

      // Where they were invited is theirs now, and so the next link goes there.
      await page.reload();
      await page.getByLabel('Reason').nth(1).fill('Asked by phone');
      await button(page, 'Send a link').click();
      await expect(page.getByText('The link is on its way')).toBeVisible();
      await expect.poll(() => sink.taken().filter(({ to }) => to.includes('nell@northfield.example')).length).toBe(2);
    });
  });
}

test.describe('where no email is sent', () => {
  test.use({ settings: { DOCKET__MAIL__SMTP_URL: '' } });

  test('no page offers a link', async ({ page, docket }) => {
    await page.goto('/login');
    await expect(page.getByLabel('Username')).toBeVisible();
    await expect(page.getByRole('link', { name: 'Forgot your password?' })).toHaveCount(0);
    await page.goto('/forgot');
    await expect(page.getByText('This server sends no email.')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Send the link' })).toHaveCount(0);
    await signIn(page, 'admin', docket.passwords.admin);
    await page.goto('/admin/users/new');
    await expect(page.getByLabel(/^Email address/)).toHaveCount(0);
  });
});

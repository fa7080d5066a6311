// Passkeys: one that somebody adds, signs in with alone and after their password, and removes; and whoever must have one. With a server of its
// own at a name, since browsers keep no passkeys for a number, and a device that Chromium makes up.
import { expect, type Page } from '@playwright/test';

import { check } from '../support/axe';
import { test as base } from '../support/mail';
import { tick } from '../support/mouse';
import { freePort, start } from '../support/server';

const test = base.extend({
  docket: async ({ settings }, use, info) => {
    const port = await freePort();
    const url = `http://localhost:${port}`;
    const server = await start(`127.0.0.1:${port}`, info.outputPath('docket.log'), { DOCKET__HTTP__PUBLIC_URL: url, ...settings });
    await use({ ...server, url });
    await server.stop();
  },
});

// Each test has a server of its own, so that none has to wait for another.
test.describe.configure({ mode: 'parallel' });

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const heading = (page: Page, name: string) => expect(page.getByRole('heading', { level: 1 })).toHaveText(name);

/** A phone that makes sure of its owner, and says yes to whatever it is asked. */
async function phone(page: Page): Promise<void> {
  const line = await page.context().newCDPSession(page);
  await line.send('WebAuthn.enable');
  await line.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}

async function typePassword(page: Page, who: string, password: string): Promise<void> {
  await page.getByLabel('Username').fill(who);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await button(page, 'Sign in').click();
}

async function add(page: Page, name: string): Promise<void> {
  await page.getByLabel('Name of the device').fill(name);
  await button(page, 'Add a passkey').click();
}

async function signOut(page: Page): Promise<void> {
  await page.context().clearCookies();
  await page.goto('/login');
}

test('a passkey is added, signs in alone and after the password, and is removed', async ({ page, docket }) => {
  await phone(page);
  await page.goto('/settings');
  await check(page);
  await typePassword(page, 'coach', docket.passwords.coach);
  await page.getByRole('link', { name: 'Add a passkey' }).click();
  await heading(page, 'Add a passkey');
  await check(page);
  await add(page, 'My phone');
  await heading(page, 'Your recovery codes');
  await page.getByRole('link', { name: 'Continue' }).click();
  const part = page.getByRole('region', { name: 'Second factor' });
  await expect(part.getByText('My phone', { exact: true })).toBeVisible();
  await expect(part.getByText('Signs in without a password')).toBeVisible();
  await check(page);

  // The device has one for this account already.
  await page.getByRole('link', { name: 'Add a passkey' }).click();
  await add(page, 'Again');
  await expect(page.getByRole('alert')).toHaveText('This device has a passkey for your account already.');

  await signOut(page);
  await page.goto('/people?q=berg');
  await button(page, 'Sign in with a passkey').click();
  await expect(page).toHaveURL(/\/people\?q=berg/);

  await signOut(page);
  await typePassword(page, 'coach', docket.passwords.coach);
  await heading(page, 'Use your passkey');
  await check(page);
  const form = page.locator('form', { has: button(page, 'Use a passkey') });
  await tick(form.getByLabel('Do not ask in this browser for 30 days'));
  await button(page, 'Use a passkey').click();
  await expect(page).toHaveURL(/\/people/);

  await page.goto('/settings');
  await button(page, 'Remove My phone').click();
  await expect(page.getByText('The passkey is removed')).toBeVisible();
  await signOut(page);
  await button(page, 'Sign in with a passkey').click();
  await expect(page.getByText('That passkey could not be used')).toBeVisible();
  await check(page);
  await typePassword(page, 'coach', docket.passwords.coach);
  await expect(page).toHaveURL(/\/people/);
});

test.describe('where administrators must have a second factor', () => {
  test.use({ settings: { DOCKET__AUTH__SECOND_FACTOR: 'administrators' } });

  test('a passkey is added before anything else', async ({ page, docket }) => {
    await phone(page);
    await page.goto('/admin/users');
    await typePassword(page, 'admin', docket.passwords.admin);
    await heading(page, 'Set up an authenticator app');
    await check(page);
    await add(page, 'My computer');
    await heading(page, 'Your recovery codes');
    await page.getByRole('link', { name: 'Continue' }).click();
    await heading(page, 'Users');
    await page.goto('/settings');
    await button(page, 'Remove My computer').click();
    await expect(page.getByText(/Your role needs a second factor\. Add another/).first()).toBeVisible();
  });
});

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false });

  test('pages say that passkeys need scripts, and the other ways stay', async ({ page, docket }) => {
    await page.goto('/login');
    await expect(page.locator('noscript p')).toHaveText(/^Signing in with a passkey needs scripts/);
    await expect(button(page, 'Sign in with a passkey')).toBeHidden();
    await typePassword(page, 'coach', docket.passwords.coach);
    await page.goto('/settings/passkeys');
    await expect(page.locator('noscript p')).toHaveText(/^Adding a passkey needs scripts/);
    await expect(page.getByLabel('Name of the device')).toBeHidden();
  });
});

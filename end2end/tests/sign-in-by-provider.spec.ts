// Signing in by a college: the first time, with a role of its, until it takes that away or says that somebody has signed out. With
// a whole provider and a server for each test.
import { expect, type Page } from '@playwright/test';

import { check } from '../support/axe';
import { atCollege, signInBy, test } from '../support/college';
import type { CollegePerson } from '../support/provider';
import { signIn } from '../support/session';

// Each test has a server of its own, so that none has to wait for another.
test.describe.configure({ mode: 'parallel' });

const ana: CollegePerson = { username: 'ana', given: 'Ana', family: 'Reyes', groups: ['staff', 'deans'] };

const signedOut = (page: Page) => expect(page).toHaveURL(/\/login/);
const says = (page: Page, what: string | RegExp) => expect(page.locator('.notice').filter({ hasText: what })).toBeVisible();

for (const scripts of [true, false]) {
  test.describe(scripts ? 'with scripts' : 'without scripts', () => {
    test.use({ javaScriptEnabled: scripts, provider: { create_accounts: 'true' } });

    test('who comes for the first time gets an account, with the role that the college gives', async ({ page, college }) => {
      college.people.set('n-1', ana);
      await signInBy(page, 'n-1', '/people?q=berg');
      await expect(page).toHaveURL(/\/people\?q=berg/);
      await expect(page.locator('.topbar')).toContainText('Ana Reyes');
      await expect(page.getByRole('link', { name: 'Everyone' })).toBeVisible();
      if (scripts) await check(page);
    });
  });
}

test('the sign-in page offers the college first, and is accessible', async ({ page, docket }) => {
  await page.goto(docket.url + '/login');
  await expect(page.getByRole('link', { name: 'Sign in with Northfield College' })).toBeVisible();
  await check(page);
});

test('without an account nobody comes in, and it is said', async ({ page, college }) => {
  college.people.set('n-1', ana);
  await signInBy(page, 'n-1');
  await signedOut(page);
  await says(page, 'You have no account in Docket');
});

test.describe('where accounts are linked by username', () => {
  test.use({ provider: { link_by: 'username' } });

  test('an account that an administrator made is theirs from the first time on, and nobody else’s', async ({ page, college, browser, docket }) => {
    college.people.set('n-1', { ...ana, username: 'coach', groups: ['advisers'] });
    college.people.set('n-2', { ...ana, username: 'coach', groups: ['it'] });
    await signInBy(page, 'n-1');
    await expect(page).toHaveURL(/\/people/);
    const other = await browser.newPage({ baseURL: docket.url });
    await signInBy(other, 'n-2');
    await signedOut(other);
    await says(other, 'You have no account in Docket');
    await other.close();
  });
});

test.describe('while the college is asked every few seconds', () => {
  test.use({
    provider: { create_accounts: 'true', confirm_every: '4s' },
    settings: { DOCKET__SCHEDULE__CONFIRM_SIGN_INS: 'every 1s' },
  });

  test('a role that the college takes away is gone while its owner is signed in', async ({ page, college, browser, docket }) => {
    college.people.set('n-1', ana);
    await signInBy(page, 'n-1');
    await expect(page.getByRole('link', { name: 'Everyone' })).toBeVisible();
    college.people.set('n-1', { ...ana, groups: ['advisers'] });
    await expect(async () => {
      await page.goto('/people');
      await expect(page.getByRole('heading', { name: 'People', level: 1 })).toBeVisible({ timeout: 1_000 });
      await expect(page.getByRole('link', { name: 'Everyone' })).toHaveCount(0, { timeout: 1_000 });
    }).toPass();
    college.people.set('n-1', { ...ana, groups: [] });
    await expect(async () => {
      await page.goto('/people');
      await expect(page).toHaveURL(/\/login/, { timeout: 1_000 });
    }).toPass();
    const again = await browser.newPage({ baseURL: docket.url });
    await signInBy(again, 'n-1');
    await says(again, 'You have no role in Docket');
    college.people.set('n-1', ana);
    // They are still signed in at the college, which asks for nothing.
    await again.getByRole('link', { name: 'Sign in with Northfield College' }).click();
    await expect(again).toHaveURL(/\/people/);
    await again.close();
  });

  test('a session stays while the college vouches for it, through an exchange of its keys', async ({ page, college }) => {
    college.people.set('n-1', ana);
    await signInBy(page, 'n-1');
    await expect(page).toHaveURL(/\/people/);
    await college.exchangeKeys();
    const until = Date.now() + 9_000;
    await expect(async () => {
      await page.goto('/people');
      await expect(page).toHaveURL(/\/people/, { timeout: 500 });
      expect(Date.now()).toBeGreaterThan(until);
    }).toPass();
  });
});

test.describe('where everybody has an account', () => {
  test.use({ provider: { create_accounts: 'true' } });

  test('who signs in after the college has exchanged its keys comes in', async ({ page, college }) => {
    college.people.set('n-1', ana);
    await signInBy(page, 'n-1');
    await expect(page).toHaveURL(/\/people/);
    await page.context().clearCookies();
    await college.exchangeKeys();
    await signInBy(page, 'n-1');
    await expect(page).toHaveURL(/\/people/);
  });

  test('who signs out at the college is signed out here within seconds', async ({ page, college, context }) => {
    college.people.set('n-1', ana);
    await signInBy(page, 'n-1');
    await expect(page).toHaveURL(/\/people/);
    const there = await context.newPage();
    await there.goto(`${college.issuer}/session/end`);
    await there.locator('button[name=logout]').click();
    await expect(page).toHaveTitle(/You were signed out/);
    await page.goto('/people');
    await signedOut(page);
  });

  test('who decides who may come in shows the college once more who they are', async ({ page, college }) => {
    college.people.set('n-1', ana);
    await signInBy(page, 'n-1', '/settings');
    await expect(page).toHaveURL(/\/settings/);
    await expect(page.getByText('You sign in with your institution and have no password in Docket.')).toBeVisible();
    await page.getByRole('link', { name: 'Sign in again with Northfield College' }).click();
    await atCollege(page, 'n-1');
    await expect(page).toHaveURL(/\/settings/);
    await page.getByLabel('Name of the program').fill('robot');
    await page.getByRole('button', { name: 'Create token' }).click();
    await says(page, 'Copy it now');
  });

  test('an answer of the college counts once, whoever brings it again', async ({ page, college, browser, docket }) => {
    college.people.set('n-1', ana);
    const answer = page.waitForRequest('**/login/return/north?*');
    await signInBy(page, 'n-1');
    await expect(page).toHaveURL(/\/people/);
    const address = (await answer).url();
    const thief = await browser.newPage({ baseURL: docket.url });
    for (const one of [thief, page]) {
      await one.context().clearCookies({ name: 'docket' });
      await one.goto(address);
      await signedOut(one);
      await says(one, 'Sign in again');
    }
    await thief.close();
  });

  test('an account of the college has no password here', async ({ page, college, docket, browser }) => {
    college.people.set('n-1', ana);
    await signInBy(page, 'n-1');
    await expect(page).toHaveURL(/\/people/);
    const answer = await page.request.post('/api/1/session', { data: { username: 'ana', password: '' } });
    expect(answer.status()).toBeGreaterThanOrEqual(400);
    const other = await browser.newPage({ baseURL: docket.url });
    await signIn(other, 'manager', docket.passwords.manager);
    await other.close();
  });
});

test.describe('where only one account has a password', () => {
  test.use({ settings: { DOCKET__AUTH__PASSWORDS: 'admin' } });

  test('everybody else is refused, and that one comes in', async ({ page, docket }) => {
    await page.goto('/login');
    await page.getByLabel('Username').fill('manager');
    await page.getByLabel('Password').fill(docket.passwords.manager);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await says(page, 'Username or password is wrong');
    await signIn(page, 'admin', docket.passwords.admin);
  });
});

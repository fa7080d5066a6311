// Who gets in, and what they get to see.
import { expect } from '@playwright/test';

import { hydrated, number, open } from '../support/pages';
import { block, changeable, statuses } from '../support/people';
import { change, test } from '../support/queue';
import { passwordOf, signIn } from '../support/session';

test('signing in leads to where one was headed', async ({ page }) => {
  await page.goto(`/people?q=${block(5)}&sort=-name`);
  await expect(page).toHaveURL(/\/login\?next=/);
  await page.getByLabel('Username').fill('manager');
  await page.getByLabel('Password').fill(passwordOf('manager'));
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page).toHaveURL(`/people?q=${block(5)}&sort=-name`);
  await expect(page.getByText('100 people match')).toBeVisible();
});

test('a wrong password says so and keeps the username', async ({ page }) => {
  await page.goto('/login?next=%2Ftasks');
  await page.getByLabel('Username').fill('manager');
  await page.getByLabel('Password').fill('not the password');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByRole('alert')).toContainText('Username or password is wrong');
  await expect(page.getByLabel('Username')).toHaveValue('manager');
  await expect(page.getByLabel('Password')).toHaveValue('');
  await page.getByLabel('Password').fill(passwordOf('manager'));
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page).toHaveURL('/tasks');
});

test('nobody is sent to another site after signing in', async ({ page }) => {
  await page.goto('/login?next=%2F%2Fexample.org%2F');
  await page.getByLabel('Username').fill('manager');
  await page.getByLabel('Password').fill(passwordOf('manager'));
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page).toHaveURL('/people');
});

test('a coach sees the own caseload only', async ({ page }) => {
  await signIn(page, 'coach');
  await hydrated(page);
  const scopes = page.getByRole('navigation', { name: 'Which people' });
  await expect(scopes.getByRole('link')).toHaveCount(2);
  // at once: the page is served with it.
  const mine = number(await page.getByText(/^[\d,]+ people$/).textContent());
  expect(mine).toBeLessThan(2_000);
  await expect(scopes.getByRole('link', { name: 'caseload' })).toContainText(mine.toLocaleString('en'));
  // Asking for everyone in the address widens nothing. The column is asked for: without that one’s own caseload has none.
  for (const address of ['/people?columns=coach', '/people?scope=all&limit=200&columns=coach']) {
    await open(page, address);
    await expect(page.getByText(`${mine} people`, { exact: true })).toBeVisible();
    const coaches = page.getByRole('table').locator('tbody td:nth-last-child(2)');
    await expect.poll(async () => [...new Set(await coaches.allTextContents())]).toEqual(['P. Nwachukwu']);
  }
});

test("somebody else's task is not found", async ({ page, browser }) => {
  await signIn(page, 'manager');
  const [, , , few] = await statuses(page.request, block(5));
  const id = await change(page.request, await changeable(page.request, block(5), few.name, 1), few.name);

  const other = await browser.newContext();
  const coach = await other.newPage();
  await signIn(coach, 'coach');
  const answer = await coach.goto(`/tasks/${id}`);
  expect(answer!.status()).toBe(404);
  await expect(coach.getByRole('main').getByRole('heading', { name: 'Not found' })).toBeVisible();
  await expect(coach.getByText('Set status to')).toHaveCount(0);
  // The same answer as for a task that never was.
  // at once: what says no is served whole.
  const said = await coach.getByRole('main').innerText();
  await coach.goto(`/tasks/${crypto.randomUUID()}`);
  await expect.poll(() => coach.getByRole('main').innerText()).toBe(said);
  await other.close();
});

test('signing out ends it, for the back button, too', async ({ page }) => {
  await signIn(page, 'manager');
  await hydrated(page);
  await page.getByText('Katrin Lund, your account').click();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await expect(page).toHaveURL('/login');
  await page.goBack();
  await expect(page).toHaveURL(/\/login/);
  await expect(page.getByLabel('Password')).toBeVisible();
  await expect(page.getByRole('table')).toHaveCount(0);
  await page.goto('/tasks');
  await expect(page).toHaveURL(/\/login/);
});

test('a page left open tells that its session has ended', async ({ page, context }) => {
  await signIn(page, 'manager');
  await open(page, '/people');
  await context.clearCookies();
  await page.getByRole('link', { name: 'Next' }).click();
  await expect(page.getByRole('heading', { name: 'You were signed out' })).toBeVisible();
  await page.getByRole('link', { name: 'Sign in again' }).click();
  await page.getByLabel('Username').fill('manager');
  await page.getByLabel('Password').fill(passwordOf('manager'));
  await page.getByRole('button', { name: 'Sign in' }).click();
  // On the page that was asked for last.
  await expect(page).toHaveURL(/\/people\?.*after=/);
  await expect(page.getByRole('table')).toBeVisible();
});

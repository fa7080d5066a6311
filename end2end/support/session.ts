// Signing in, as each of the three people of the demo.
import { expect, type Page } from '@playwright/test';

export const accounts = ['coach', 'manager', 'admin'] as const;

export type Who = (typeof accounts)[number];

/** The password that the demo gave this account when the server started. */
export function passwordOf(who: Who): string {
  const password = process.env[`DEMO_${who.toUpperCase()}`];
  if (!password) throw new Error(`no password for ${who}: support/server.ts has not run`);
  return password;
}

/** Signs in through the login page, as a person would, and waits until it has let go. */
export async function signIn(page: Page, who: Who, password = passwordOf(who)): Promise<void> {
  await page.goto('/login');
  await page.getByLabel('Username').fill(who);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page).not.toHaveURL(/\/login/);
}

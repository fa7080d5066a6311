// Help: found, read, reached from the page of its job, and on the spot.
import { expect } from '@playwright/test';

import { check } from '../support/axe';
import { hydrated } from '../support/pages';
import { test } from '../support/queue';
import { signIn } from '../support/session';

const h1 = { level: 1 } as const;

test('a page leads to the help of its job, and that to others', async ({ page }) => {
  await signIn(page, 'manager');
  await page.getByRole('link', { name: 'Help with this page' }).click();
  await expect(page.getByRole('heading', { ...h1, name: 'Find people' })).toBeVisible();
  await page.getByRole('navigation', { name: 'Related' }).getByRole('link', { name: 'Select people' }).click();
  await expect(page.getByRole('heading', { ...h1, name: 'Select people' })).toBeVisible();
  await page.getByRole('navigation', { name: 'On this page' }).getByRole('link', { name: 'How long it is kept' }).click();
  await expect(page).toHaveURL(/#kept$/);
  await page.getByRole('searchbox', { name: 'Search help' }).fill('undo task');
  await page.keyboard.press('Enter');
  const found = page.getByRole('region', { name: /^Found for/ });
  await found.getByRole('link', { name: 'Undo a task', exact: true }).click();
  await expect(page.getByRole('heading', { ...h1, name: 'Undo a task' })).toBeVisible();
});

test('the pages are accessible', async ({ page }) => {
  await signIn(page, 'admin');
  for (const path of ['', '/change-status', '/email', '/results', '/states', '/shortcuts', '/queue', '/import-people', '?q=undo']) {
    await page.goto(`/help${path}`);
    await hydrated(page);
    await check(page);
  }
});

test('what a word means is said where it stands', async ({ page }) => {
  await signIn(page, 'manager');
  await hydrated(page);
  const open = page.getByRole('button', { name: 'What does a program status mean?' });
  const said = page.getByRole('note').filter({ hasText: 'Program status' });
  await expect(said).toBeHidden();
  await open.click();
  await expect(said).toBeVisible();
  await check(page);
  await page.keyboard.press('Escape');
  await expect(said).toBeHidden();
  await open.click();
  await said.getByRole('link', { name: 'More about this' }).click();
  await expect(page.getByRole('heading', { ...h1, name: 'Change the status of many people' })).toBeVisible();
});

test('the keys are listed from the pages of help, and by their key', async ({ page }) => {
  await signIn(page, 'manager');
  await page.getByRole('link', { name: 'Help and shortcuts' }).click();
  await expect(page.getByRole('heading', { ...h1, name: 'Help and shortcuts' })).toBeVisible();
  await hydrated(page);
  const keys = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await page.getByRole('button', { name: 'Keyboard shortcuts' }).click();
  await expect(keys).toBeVisible();
  await keys.getByRole('button', { name: 'Close' }).click();
  await expect(keys).toBeHidden();
  await page.keyboard.press('?');
  await expect(keys).toBeVisible();
});

test('what is for administrators is for nobody else', async ({ page }) => {
  await signIn(page, 'coach');
  await page.goto('/help');
  await expect(page.getByRole('heading', { name: 'Tasks', exact: true })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Administration' })).toHaveCount(0);
  // at once: the status comes with the answer.
  expect((await page.goto('/help/audit-trail'))!.status()).toBe(404);
});

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false });

  test('help is read, searched and opened on the spot', async ({ page }) => {
    await signIn(page, 'manager');
    await page.getByRole('button', { name: 'What does a program status mean?' }).click();
    await page.getByRole('note').getByRole('link', { name: 'More about this' }).click();
    await expect(page.getByRole('heading', { ...h1, name: 'Change the status of many people' })).toBeVisible();
    await page.getByRole('searchbox', { name: 'Search help' }).fill('opted out');
    await page.keyboard.press('Enter');
    await page.getByRole('region', { name: /^Found for/ }).getByRole('link', { name: 'Email many people' }).click();
    await expect(page.getByRole('heading', { ...h1, name: 'Email many people' })).toBeVisible();
  });
});

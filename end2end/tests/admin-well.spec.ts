// The overview of a server on which nothing has gone wrong yet.
import { expect } from '@playwright/test';

import { tile } from '../support/admin';
import { test } from '../support/mail';
import { signIn } from '../support/session';

test('all is well', async ({ page, docket }) => {
  await signIn(page, 'admin', docket.passwords.admin);
  await page.goto('/admin');
  await expect(page.getByText('All is well')).toBeVisible();
  await expect(page.getByRole('region', { name: 'Problems' })).toHaveCount(0);
  for (const name of [/^Waiting$/, /^Running$/, /^Waiting to retry$/, /^Failed in 1.h$/, /^Stalled$/]) {
    await expect(tile(page, name).locator('strong')).toHaveText(/^0/);
  }
  await expect(tile(page, /^Oldest waiting$/).locator('strong')).toHaveText('none');
  await expect(page.getByText('The charts begin a minute after the first task of this period ends.')).toBeVisible();
  await page.goto('/admin/tasks');
  await expect(page.getByRole('heading', { name: 'No tasks yet' })).toBeVisible();
  // Days the wrong way round are a filter all the same.
  await page.goto('/admin/tasks?since=2026-08-31&until=2026-08-01');
  await expect(page.getByRole('heading', { name: 'No tasks match' })).toBeVisible();
  await page.goto('/admin/failures');
  await expect(page.getByRole('heading', { name: 'Nothing failed' })).toBeVisible();
});

test('coaches and managers get none of these pages', async ({ page, docket }) => {
  for (const who of ['coach', 'manager'] as const) {
    await signIn(page, who, docket.passwords[who]);
    for (const address of ['/admin', '/admin/tasks', '/admin/audit', '/admin/users', '/admin/settings']) {
      await page.goto(address);
      await expect(page.getByText('These pages are for administrators.')).toBeVisible();
      await expect(page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Queue' })).toHaveCount(0);
    }
    expect((await page.request.get('/admin/audit.csv')).status()).toBe(403);
    await page.context().clearCookies();
  }
});

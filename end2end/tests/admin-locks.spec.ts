// Locks, as administrators see them and take them from whoever holds them.
import { expect } from '@playwright/test';
import { once } from 'node:events';

import { audited, because, notice } from '../support/admin';
import { test } from '../support/cluster';
import { open } from '../support/pages';

test('a lock is taken from a command that holds it', async ({ page, cluster }) => {
  const holder = await cluster.going(['lock', 'hold', 'northern-import', '--for', '5m']);
  await cluster.signIn(page);
  await open(page, '/admin/locks');
  const lock = page.locator('tr[data-lock=northern-import]');
  await expect(lock).toContainText('Held');
  // It lives, though it is none of the processes that run tasks.
  await expect.soft(lock).not.toContainText('is silent');
  await lock.getByRole('link', { name: 'Release the lock northern-import' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Release “northern-import”?' })).toBeVisible();
  await because(page, '  ', 'Release the lock');
  await expect(page.getByLabel('Reason')).toHaveAccessibleDescription('Enter a reason.');
  await because(page, 'It hangs', 'Release the lock');
  await expect(notice(page)).toContainText('The lock is released');
  await expect(lock).toContainText('Free');
  await expect(lock.getByRole('link')).toHaveCount(0);
  await expect.poll(() => audited(page.request, 'It hangs')).toMatchObject([{ action: 'lock.release', actorName: 'Ada Moss' }]);

  const said = once(holder.stdout!, 'data');
  holder.kill('SIGINT');
  expect(String(await said)).toContain('northern-import had already ended');
});

test('before a lock is taken from a process that is up, one is warned', async ({ page, cluster }) => {
  await cluster.worker();
  await cluster.going(['lock', 'hold', 'northern-import', '--for', '5m']);
  cluster.sql(`UPDATE scheduler_lock SET locked_by = (SELECT id FROM process LIMIT 1) WHERE name = 'northern-import'`);
  await cluster.signIn(page);
  await open(page, '/admin/locks');
  await expect(page.locator('tr[data-lock=northern-import]')).toContainText('is running');
  await open(page, '/admin/locks/release?name=northern-import');
  await expect(notice(page)).toContainText('The holder is running');
  await because(page, 'It hangs', 'Release the lock');
  await expect(page.locator('tr[data-lock=northern-import]')).toContainText('Free');

  await open(page, '/admin/locks/release?name=northern-import');
  await expect(notice(page)).toContainText('Nobody holds it');
});

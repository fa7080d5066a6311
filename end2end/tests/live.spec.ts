// Pages that follow what happens, in two browsers of the same person and while a task is given up.
import { expect } from '@playwright/test';

import { read } from '../support/api';
import { tick } from '../support/mouse';
import { hydrated, loadedAt, number, open, search, selectionBar, task } from '../support/pages';
import { block, changeable, statuses } from '../support/people';
import { selfTests, submitChange, test } from '../support/queue';
import { signIn } from '../support/session';

test('a task from one browser appears and moves on in the other', async ({ page, browser, hold }) => {
  await signIn(page, 'manager');
  await open(page, '/tasks');
  await expect(page.locator('[data-live]')).toHaveAttribute('data-live', 'on');
  const loaded = await loadedAt(page);

  await hold.take();
  const elsewhere = await browser.newContext();
  const other = await elsewhere.newPage();
  await signIn(other, 'manager');
  const [, , , few] = await statuses(other.request, block(6));
  const id = await submitChange(other.request, await changeable(other.request, block(6), few.name, 3), few.name);

  // New rows wait until they are asked for, so that nothing moves under the pointer.
  const row = page.locator(`tr[data-task-id="${id}"]`);
  const show = page.getByRole('button', { name: 'Show 1 new' });
  await expect(show).toBeVisible();
  await expect(row).toHaveCount(0);
  await show.click();
  await expect(row).toHaveAttribute('data-task-status', 'QUEUED');
  await expect(row).toContainText('in line');
  await hold.release();
  await expect(row).toHaveAttribute('data-task-status', 'COMPLETED');
  await expect(row).toContainText('3 people changed to');
  expect(await loadedAt(page)).toBe(loaded);
  await elsewhere.close();
});

test('a running task moves on by itself until it is cancelled', async ({ page }) => {
  await signIn(page, 'admin');
  const [id] = await selfTests(page.request, 1, 60);
  await open(page, `/tasks/${id}`);
  await expect(task(page)).toHaveAttribute('data-task-status', 'EXECUTING');
  const percent = page.getByRole('region', { name: 'Progress' }).getByRole('strong');
  // at once: how far it is by now.
  const before = number(await percent.textContent());
  await expect.poll(async () => number(await percent.textContent())).toBeGreaterThan(before);

  await page.getByRole('link', { name: 'Cancel…' }).click();
  const dialog = page.getByRole('alertdialog', { name: /^Cancel “/ });
  await expect(dialog).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(page.getByRole('link', { name: 'Cancel…' })).toBeFocused();
  await page.getByRole('link', { name: 'Cancel…' }).click();
  await dialog.getByLabel('Reason').fill('Started by mistake');
  await dialog.getByRole('button', { name: 'Cancel the rest' }).click();
  await expect(dialog).toBeHidden();
  await expect(task(page)).toHaveAttribute('data-task-status', 'ABANDONED');
  await expect(task(page)).toContainText('“Started by mistake”');
  await expect(page.getByRole('link', { name: 'Cancel…' })).toHaveCount(0);
});

test('updates can be paused, and refused in the address', async ({ page }) => {
  const streams: string[] = [];
  page.on('request', (request) => {
    if (new URL(request.url()).pathname === '/events') streams.push(request.frame().url());
  });
  await signIn(page, 'manager');
  await hydrated(page);
  const badge = page.locator('[data-live]');
  await expect(badge).toHaveAttribute('data-live', 'on');
  expect(streams).toHaveLength(1);
  await badge.locator('summary').click();
  await badge.getByRole('button', { name: 'Pause updates' }).click();
  await expect(badge).toHaveAttribute('data-live', 'paused');
  await expect(badge.locator('summary')).toContainText('Paused by you');
  await badge.getByRole('button', { name: 'Go live' }).click();
  await expect(badge).toHaveAttribute('data-live', 'on');

  for (const address of ['/people?live=off', '/tasks?live=off']) {
    await open(page, address);
    await expect(page.locator('main table, main h2').first()).toBeVisible();
    await expect(badge).toHaveAttribute('data-live', 'paused');
  }
  expect(streams.filter((from) => from.includes('live=off'))).toEqual([]);
});

test('a lost connection is told, and made again', async ({ page, context }) => {
  await signIn(page, 'manager');
  await open(page, '/tasks');
  const badge = page.locator('[data-live]');
  await expect(badge).toHaveAttribute('data-live', 'on');
  await context.setOffline(true);
  // Going offline lets open connections live; a new one cannot be made.
  await badge.locator('summary').click();
  await badge.getByRole('button', { name: 'Pause updates' }).click();
  await badge.getByRole('button', { name: 'Go live' }).click();
  await expect(badge).toHaveAttribute('data-live', 'reconnecting');
  await context.setOffline(false);
  await expect(badge).toHaveAttribute('data-live', 'on');
});

test('a server that stands still is not called live', async ({ page, server }) => {
  await signIn(page, 'manager');
  await open(page, '/tasks');
  const badge = page.locator('[data-live]');
  await expect(badge).toHaveAttribute('data-live', 'on');
  server.freeze();
  try {
    await expect(badge).toHaveAttribute('data-live', /^(reconnecting|stale)$/);
  } finally {
    server.goOn();
  }
  await expect(badge).toHaveAttribute('data-live', 'on');
});

test('a list at rest asks for nothing', async ({ page }) => {
  const asked: string[] = [];
  page.on('request', (request) => void asked.push(new URL(request.url()).pathname));
  await signIn(page, 'manager');
  await hydrated(page);
  await search(page, block(7));
  await tick(page.getByRole('checkbox', { name: /on this page$/ }));
  await expect(selectionBar(page).getByRole('status')).toHaveText('25 selected');
  await page.getByRole('button', { name: 'Clear' }).click();
  await expect(page.locator('[data-live]')).toHaveAttribute('data-live', 'on');
  await search(page, block(8));
  await expect(page.locator('[data-live]')).toHaveAttribute('data-live', 'on');
  // Once for each time that live updates may begin again, and never because of their own beginning.
  expect(asked.filter((path) => path === '/events').length).toBeLessThanOrEqual(4);
  expect(asked.filter((path) => path === '/people').length).toBeLessThanOrEqual(6);
});

test('a page that was opened to stand still does so however its list is turned, and the next one is live', async ({ page }) => {
  await signIn(page, 'manager');
  await open(page, '/people?live=off');
  const badge = page.locator('[data-live]');
  await expect(badge).toHaveAttribute('data-live', 'paused');
  const loaded = await loadedAt(page);
  await page.getByRole('columnheader').getByRole('link', { name: 'Campus', exact: true }).click();
  await expect(page).toHaveURL(/sort=homeCampus/);
  await tick(page.getByRole('table').locator('tbody tr').first().getByRole('checkbox'));
  await expect(selectionBar(page).getByRole('status')).toHaveText('1 selected');
  await page.getByRole('button', { name: 'Clear', exact: true }).click();
  await expect(selectionBar(page)).toHaveCount(0);
  await expect(badge).toHaveAttribute('data-live', 'paused');
  expect(await loadedAt(page)).toBe(loaded);
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'My tasks' }).click();
  await expect(badge).toHaveAttribute('data-live', 'on');
});

test('what was refused on a task is told until another part of it is looked at', async ({ page, hold }) => {
  await signIn(page, 'manager');
  await hold.take();
  const [, , , few] = await statuses(page.request, block(7));
  const id = await submitChange(page.request, await changeable(page.request, block(7), few.name, 3), few.name);
  await open(page, `/tasks/${id}?live=off&cancel=1`);
  await hold.release();
  await expect.poll(() => read(page.request, `/api/1/tasks/${id}`)).toMatchObject({ status: 'COMPLETED' });
  const dialog = page.getByRole('alertdialog');
  await dialog.getByRole('button', { name: /^Cancel/ }).click();
  const refused = page.locator('.notice').filter({ hasText: 'The task has moved on' });
  await expect(refused).toBeVisible();
  await page.getByRole('navigation', { name: 'Outcome' }).getByRole('link', { name: /^Done/ }).click();
  await expect(page).toHaveURL(/outcome=DONE/);
  await expect(refused).toHaveCount(0);
});

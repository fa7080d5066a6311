// Why a task does not run or has failed, as its page says it to administrators, and what they can do about each.
import { expect, type Page } from '@playwright/test';

import { because, notice, row, submitTests } from '../support/admin';
import { test, type Cluster } from '../support/cluster';
import { completed, open, task } from '../support/pages';
import { becomes } from '../support/queue';

const whyNot = (page: Page) => page.getByRole('region', { name: 'Why is it not running?' });

/** Whatever these tasks were submitted for, they are due now. */
const due = (cluster: Cluster, change: string) => cluster.sql(`UPDATE queued_task SET ${change}, trigger_date = now()`);

const later = '2100-01-01T00:00:00Z';

test('a task whose process is gone is stalled, and put back', async ({ page, cluster }) => {
  const first = await cluster.worker();
  await cluster.signIn(page);
  const [id] = await submitTests(page.request, { sleepMs: 2000, chunks: 3 });
  await becomes(page.request, id, /^EXECUTING$/);
  await open(page, `/admin/tasks/${id}`);
  await cluster.kill(first);

  const stalled = page.getByRole('region', { name: 'Why is it stalled?' });
  await expect(stalled).toContainText('Its process has stopped or is silent');
  await expect(task(page)).toContainText('Stalled');
  await expect(page.getByRole('region', { name: 'Where it runs' })).toContainText('silent or stopped');
  await open(page, '/admin');
  const needs = page.getByRole('region', { name: 'Problems' });
  await expect(needs).toContainText('1 task stalled');
  await needs.getByRole('listitem').filter({ hasText: '1 task stalled' }).getByRole('link', { name: 'See them' }).click();
  await expect(row(page, id)).toContainText('Stalled');

  await open(page, `/admin/tasks/${id}`);
  await because(page, 'The machine is gone', 'Put back in the queue');
  await expect(notice(page)).toContainText('back in the queue');
  await expect(task(page)).toHaveAttribute('data-task-status', 'QUEUED');
  await expect(task(page)).not.toContainText('Stalled');
  await expect(whyNot(page)).toContainText('No process is running. Start one.');
  await expect(page.getByRole('region', { name: 'Timeline' })).toContainText('Put back in the queue by Ada Moss: The machine is gone');
  await cluster.worker();
  await completed(page);
});

test('a task that failed says of what, and is retried', async ({ page, cluster }) => {
  await cluster.worker();
  await cluster.signIn(page);
  const [id] = await submitTests(page.request, { outcome: 'permanent', failTimes: 1 });
  await becomes(page.request, id, /^FAILURE$/);
  await open(page, `/admin/tasks/${id}`);
  await expect(page.getByRole('region', { name: 'Last error' })).toContainText('asked to fail for good');
  await page.getByRole('table', { name: 'Attempts, latest first' }).locator('summary').click();
  await expect(page.getByRole('group', { name: 'Error of attempt 1' })).toContainText('asked to fail for good');
  await because(page, 'Fixed', 'Retry');
  await completed(page);
  await expect(page.getByRole('table', { name: 'Attempts, latest first' }).locator('tbody tr')).toHaveCount(2);
});

test('a task at which process after process dies is given up, and can be retried', async ({ page, cluster }) => {
  await cluster.signIn(page);
  const [id] = await submitTests(page.request, { sleepMs: 60_000 });
  for (let death = 0; death < 3; death++) {
    const worker = await cluster.worker();
    const alive = `SELECT count(*) FROM queued_task WHERE id = '${id}' AND workflow_status = 'EXECUTING' AND attempt = ${death + 1}`;
    await expect.poll(() => cluster.sql(alive)).toBe('1');
    await cluster.kill(worker);
  }
  await cluster.worker();
  await becomes(page.request, id, /^FAILURE$/);
  await open(page, `/admin/tasks/${id}`);
  await expect(page.getByRole('region', { name: 'Timeline' })).toContainText('Failed: Docket stopped each time it tried');
  const attempts = page.getByRole('table', { name: 'Attempts, latest first' }).locator('tbody tr');
  await expect(attempts.first()).toContainText('Failed: Docket stopped each time');
  await expect(attempts).toHaveCount(3);
  await expect(page.getByRole('region', { name: 'Last error' })).toContainText('3 processes stopped while running it');
  await because(page, 'There is more memory now', 'Retry');
  await expect(notice(page)).toContainText('The task is retried');
  await expect(task(page)).toHaveAttribute('data-task-status', 'EXECUTING');
});

test('tasks of a paused kind wait, say why, and go on when it is resumed', async ({ page, cluster }) => {
  await cluster.worker();
  await cluster.signIn(page);
  await open(page, '/admin/processes');
  await page.getByRole('link', { name: 'Pause… Self-test' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Self-test' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Pause this kind', exact: true })).not.toHaveClass(/danger/);
  await because(page, 'The disk is full', 'Pause this kind');
  await expect(notice(page)).toContainText('Self-test tasks are paused');
  await expect(page.locator('tr[data-kind=self-test]')).toContainText('by Ada Moss: The disk is full');

  const [id] = await submitTests(page.request, {});
  await open(page, `/admin/tasks/${id}`);
  await expect(task(page)).toHaveAttribute('data-task-status', 'QUEUED');
  await expect(whyNot(page)).toContainText('“Self-test” tasks are paused: “The disk is full”');
  await page.getByRole('link', { name: 'Resume the kind…' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Self-test' })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Resume', exact: true })).toBeVisible();
  await because(page, 'There is room again', 'Resume this kind');
  await expect(notice(page)).toContainText('Self-test tasks are resumed');
  await becomes(page.request, id, /^COMPLETED$/);
});

test('a task of a kind that nobody knows says so, and is given up', async ({ page, cluster }) => {
  await cluster.worker();
  await cluster.signIn(page);
  const [id] = await submitTests(page.request, { triggerDate: later });
  await open(page, `/admin/tasks/${id}`);
  await expect(whyNot(page)).toContainText('Scheduled for');
  due(cluster, `execution_component_name = 'of-tomorrow'`);
  await expect(whyNot(page)).toContainText('No running process can run the kind “of-tomorrow”');
  await open(page, '/admin');
  await expect(page.getByRole('region', { name: 'Problems' })).toContainText('for a process that can run “of-tomorrow”');
  await open(page, `/admin/tasks/${id}`);
  await because(page, 'Nobody will ever know it', 'Close task');
  await expect(task(page)).toHaveAttribute('data-task-status', 'ABANDONED');
});

test('a task waits for a slot, and says which place it has', async ({ page, cluster }) => {
  await cluster.worker();
  await cluster.signIn(page);
  const busy = await submitTests(page.request, { count: 2, sleepMs: 60_000 });
  for (const id of busy) await becomes(page.request, id, /^EXECUTING$/);
  const [, second] = await submitTests(page.request, { count: 2 });
  await open(page, `/admin/tasks/${second}`);
  await expect(whyNot(page)).toContainText('Busy slots: 2 of 2. It starts when one is free.');
  await expect(whyNot(page)).toContainText('2nd in line, 1 before it');
});

// The administrators' pages in every state: nothing that axe finds, nothing wider than the smallest screen; and the way to a
// failed task by the keyboard alone.
import { expect, type Page } from '@playwright/test';

import { because, failedOnce, row, submitTests, test, tile, type SelfTest } from '../support/admin';
import { post } from '../support/api';
import { check } from '../support/axe';
import { test as clustered } from '../support/cluster';
import { tabTo } from '../support/keyboard';
import { tick } from '../support/mouse';
import { completed, open, task } from '../support/pages';
import { becomes, failsOnce } from '../support/queue';
import { signIn } from '../support/session';

// Colours on their way from one to the other are nobody's colours.
test.use({ contextOptions: { reducedMotion: 'reduce' } });
clustered.use({ contextOptions: { reducedMotion: 'reduce' } });

/** One task of each state that can be had: failed, retrying, running, given up, done. */
async function some(page: Page, start: (wanted: Partial<SelfTest>) => Promise<string>) {
  const [failed, abandoned, done] = await failedOnce(page.request, 3);
  const [retrying] = await submitTests(page.request, { outcome: 'transient', failTimes: 1 });
  const running = await start({ sleepMs: 500, chunks: 600 });
  await failsOnce(page.request, retrying);
  await post(page.request, `/api/1/tasks/${abandoned}/abandon`, { reason: 'Nobody needs it' });
  await post(page.request, `/api/1/tasks/${done}/retry`, {});
  await becomes(page.request, done, /^COMPLETED$/);
  return { failed, retrying, running, abandoned, done };
}

test('the overview, the list and what is asked before many are changed', async ({ page, running: start }) => {
  await signIn(page, 'admin');
  const { failed, running } = await some(page, start);
  await open(page, '/admin');
  await expect(page.getByRole('table', { name: 'Running tasks' })).toBeVisible();
  await check(page);
  await open(page, '/admin/tasks');
  await check(page);
  await tick(row(page, failed).getByRole('checkbox'));
  await page.locator('summary', { hasText: /^All/ }).click();
  await check(page);
  await open(page, '/admin/tasks?error=nobody-said-that');
  await expect(page.getByRole('heading', { name: 'No tasks match' })).toBeVisible();
  await check(page);
  await open(page, `/admin/tasks/check?do=abandon&only=${failed}&only=${running}`);
  await expect(page.getByRole('heading', { level: 1, name: 'Close 2 tasks for good?' })).toBeVisible();
  await check(page);
  await because(page, '  ', 'Close 2 tasks');
  await expect(page.getByLabel('Reason')).toHaveAttribute('aria-invalid', 'true');
  await check(page);
  await open(page, `/admin/tasks/check?do=retry&only=${running}`);
  await expect(page.getByRole('heading', { name: 'None of these tasks can be retried' })).toBeVisible();
  await check(page);
});

test('a task in each state', async ({ page, running: start }) => {
  await signIn(page, 'admin');
  const tasks = await some(page, start);
  for (const id of Object.values(tasks)) {
    await open(page, `/admin/tasks/${id}`);
    await check(page);
  }
  await open(page, `/admin/tasks/${tasks.failed}`);
  await page.getByRole('table', { name: 'Attempts, latest first' }).locator('summary').click();
  await because(page, '  ', 'Retry');
  await expect(page.getByLabel('Reason')).toHaveAttribute('aria-invalid', 'true');
  await check(page);
});

test('failures, processes, a paused kind and a task that waits for it', async ({ page, running: start }) => {
  await signIn(page, 'admin');
  await some(page, start);
  await open(page, '/admin/failures');
  await check(page);
  await page.getByRole('table').getByRole('link').first().click();
  await expect(page.getByRole('heading', { name: 'What to do' })).toBeVisible();
  await check(page);
  await page.locator('summary', { hasText: 'Error text' }).click();
  await expect(page.getByRole('group', { name: 'Error text' })).toBeVisible();
  await check(page);
  await open(page, '/admin/kinds/self-test');
  await check(page);
  await because(page, '  ', 'Pause this kind');
  await expect(page.getByLabel('Reason')).toHaveAttribute('aria-invalid', 'true');
  await check(page);
  await because(page, 'The disk is full', 'Pause this kind');
  try {
    await check(page);
    const [waiting] = await submitTests(page.request, {});
    await open(page, `/admin/tasks/${waiting}`);
    await expect(page.getByRole('link', { name: 'Resume the kind…' })).toBeVisible();
    await check(page);
    await open(page, '/admin/kinds/self-test');
    await check(page);
  } finally {
    await post(page.request, '/api/1/admin/kinds/self-test/resume', { reason: 'There is room again' });
  }
});

test('schedules and the audit trail', async ({ page }) => {
  await signIn(page, 'admin');
  await open(page, '/admin/schedules');
  await check(page);
  await open(page, '/admin/schedules/sum-up');
  await because(page, '  ', 'Pause');
  await expect(page.getByLabel('Reason')).toHaveAttribute('aria-invalid', 'true');
  await check(page);
  await failedOnce(page.request, 1);
  await open(page, '/admin/audit');
  await check(page);
  await page.getByRole('table').locator('summary').first().click();
  await check(page);
  await open(page, '/admin/audit?until=2020-01-01');
  await expect(page.getByRole('heading', { name: 'Nothing matches' })).toBeVisible();
  await check(page);
});

test('users and the settings in effect', async ({ page }) => {
  await signIn(page, 'admin');
  await open(page, '/admin/users');
  await check(page);
  await open(page, '/admin/users/new');
  await check(page);
  await page.getByLabel('Username').fill('admin');
  await page.getByLabel('Name', { exact: true }).fill('Ida Roth');
  await because(page, '  ', 'Add the user');
  // All mistakes are said at once.
  await expect(page.getByLabel('Username')).toHaveAttribute('aria-invalid', 'true');
  await expect(page.getByLabel('Reason')).toHaveAccessibleDescription(/Enter a reason\./);
  await check(page);
  await page.getByLabel('Username').fill('ida');
  await because(page, 'Starts today', 'Add the user');
  await expect(page.getByText('One-time password for Ida Roth (ida)')).toBeVisible();
  await check(page);
  await because(page, '  ', 'Disable the account');
  await expect(page.getByRole('region', { name: 'Disable the account' }).getByLabel('Reason')).toHaveAttribute('aria-invalid', 'true');
  await expect(page.getByRole('region', { name: 'Access', exact: true }).getByLabel('Reason')).not.toHaveAttribute('aria-invalid');
  await check(page);
  await because(page, 'A mistake', 'Disable the account');
  await expect(page.getByRole('button', { name: 'Enable the account' })).toBeVisible();
  await check(page);
  await open(page, '/admin/settings');
  await check(page);
});

clustered('processes that are gone, a stalled task and a lock that is held', async ({ page, cluster }) => {
  const worker = await cluster.worker();
  await cluster.signIn(page);
  const [id] = await submitTests(page.request, { sleepMs: 1000, chunks: 60 });
  await becomes(page.request, id, /^EXECUTING$/);
  await cluster.going(['lock', 'hold', 'northern-import', '--for', '5m']);
  await cluster.kill(worker);
  await open(page, `/admin/tasks/${id}`);
  await expect(page.getByRole('heading', { name: 'Why is it stalled?' })).toBeVisible();
  await check(page);
  await open(page, '/admin');
  await check(page);
  await open(page, '/admin/processes');
  await check(page);
  await open(page, '/admin/locks');
  await expect(page.locator('tr[data-lock=northern-import]')).toContainText('Held');
  await check(page);
  await open(page, '/admin/locks/release?name=northern-import');
  await check(page);
  await because(page, '  ', 'Release the lock');
  await expect(page.getByLabel('Reason')).toHaveAttribute('aria-invalid', 'true');
  await check(page);
});

test('a failed task is found and retried by the keyboard alone', async ({ page }) => {
  await signIn(page, 'admin');
  const [id] = await failedOnce(page.request, 1);
  const arrived = async (title: string) => {
    await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible();
    const focused = () => page.evaluate(() => document.activeElement?.tagName);
    await expect.poll(focused, `on ${title} the focus is nowhere`).not.toBe('BODY');
  };
  await open(page, '/admin');
  await tabTo(page, tile(page, /^Failed in 1.h$/).getByRole('link'));
  await page.keyboard.press('Enter');
  await arrived('All tasks');
  await tabTo(page, row(page, id).getByRole('link'));
  await page.keyboard.press('Enter');
  await arrived('Self-test');
  await tabTo(page, page.getByLabel('Reason'));
  await page.keyboard.type('Fixed');
  await tabTo(page, page.getByRole('button', { name: 'Retry' }));
  await page.keyboard.press('Enter');
  await expect(page.getByText('The task is retried')).toBeVisible();
  await completed(page);
  await expect(task(page)).toBeVisible();
});

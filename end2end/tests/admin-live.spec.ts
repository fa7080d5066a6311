// The administrators' pages follow what happens, and keep still where somebody reads or chooses.
import { expect, type Browser, type Locator, type Page } from '@playwright/test';

import { because, failedOnce, notice, retryAll, row, submitTests, test, tile } from '../support/admin';
import { post } from '../support/api';
import { FIGURE, asserted, figure } from '../support/figures';
import { tick, untick } from '../support/mouse';
import { number, open, slow, task } from '../support/pages';
import { becomes } from '../support/queue';
import { signIn } from '../support/session';

// What people are promised is one second; the rest is for the slowness of a machine that is shared.
const PROMPT = 1500;
/** Until a page that was cut off has caught up again. */
const LATE = 6000;

const badge = (page: Page): Locator => page.locator('[data-live]');

/** A page of its own, in a browser that knows nothing of the others. */
async function elsewhere(browser: Browser, address: string): Promise<Page> {
  const page = await (await browser.newContext()).newPage();
  await signIn(page, 'admin');
  await open(page, address);
  await expect(badge(page)).toHaveAttribute('data-live', 'on');
  return page;
}

/** Notes when the element first has this status; awaited, it gives the moment, on the clock of all pages. */
async function watch(page: Page, id: string, status: string[]): Promise<() => Promise<number>> {
  await page.evaluate(
    ({ id, status }) => {
      const look = () => {
        const now = document.querySelector(`[data-task-id="${id}"]`)?.getAttribute('data-task-status');
        if (now && status.includes(now)) Object.assign(window, { seen: (window as { seen?: number }).seen ?? Date.now() });
      };
      look();
      new MutationObserver(look).observe(document.body, { subtree: true, childList: true, attributes: true });
    },
    { id, status },
  );
  return async () => {
    const seen = await page.waitForFunction(() => (window as { seen?: number }).seen, undefined);
    return (await seen.jsonValue())!;
  };
}

test(`a retry is seen elsewhere within a second ${FIGURE}`, async ({ page, browser }) => {
  await signIn(page, 'admin');
  const [id] = await failedOnce(page.request, 1);
  const list = await elsewhere(browser, '/admin/tasks');
  const one = await elsewhere(browser, `/admin/tasks/${id}`);
  await expect(row(list, id)).toHaveAttribute('data-task-status', 'FAILURE');
  const went = ['QUEUED', 'SCHEDULING', 'EXECUTING', 'COMPLETED'];
  const seen = [await watch(list, id, went), await watch(one, id, went)];

  await open(page, `/admin/tasks/${id}`);
  const answered = page.waitForResponse((response) => response.request().method() === 'POST' && response.url().includes('/retry'));
  await because(page, 'Seen by others', 'Retry');
  const { startTime, responseStart } = (await answered).request().timing();
  const [inList, onPage] = (await Promise.all(seen.map((at) => at()))).map((at) => Math.round(at - startTime - responseStart));
  figure('a retry is seen elsewhere in the list', inList, PROMPT);
  figure('a retry is seen elsewhere on its page', onPage, PROMPT);
  for (const other of [list, one]) {
    await expect(other.locator(`[data-task-id="${id}"]`)).toHaveAttribute('data-task-status', 'COMPLETED');
    await other.context().close();
  }
});

test(`a page that was offline shows how it is soon after it is back ${FIGURE}`, async ({ page, browser, running }) => {
  await signIn(page, 'admin');
  const id = await running({ sleepMs: 1000, chunks: 600 });
  const list = await elsewhere(browser, '/admin/tasks');
  const one = await elsewhere(browser, `/admin/tasks/${id}`);
  for (const other of [list, one]) {
    await expect(other.locator(`[data-task-id="${id}"]`)).toHaveAttribute('data-task-status', 'EXECUTING');
    await other.context().setOffline(true);
  }
  // Until it has asked several times in vain.
  const until = Date.now() + (asserted ? 30_000 : 5_000);
  await post(page.request, `/api/1/tasks/${id}/abandon`, { reason: 'While nobody could see it' });
  await expect.poll(() => Date.now(), { intervals: [1000] }).toBeGreaterThan(until);

  const seen = [await watch(list, id, ['ABANDONED']), await watch(one, id, ['ABANDONED'])];
  const back = Date.now();
  for (const other of [list, one]) await other.context().setOffline(false);
  const shown = (await Promise.all(seen.map((at) => at()))).map((at) => Math.max(0, at - back));
  figure('a list is right again after it was offline', shown[0], LATE);
  figure('a page is right again after it was offline', shown[1], LATE);
  await expect(one.getByRole('region', { name: 'Details' })).toContainText('While nobody could see it');
  for (const other of [list, one]) await expect(badge(other)).toHaveAttribute('data-live', 'on');
  for (const other of [list, one]) await other.context().close();
});

test('rows stay where they are when new tasks come', async ({ page }) => {
  await signIn(page, 'admin');
  await failedOnce(page.request, 2);
  await open(page, '/admin/tasks');
  await expect(badge(page)).toHaveAttribute('data-live', 'on');
  const rows = page.getByRole('table').locator('tbody tr');
  // at once: on a live page rows stay as they are.
  const [first, before] = [await rows.first().getAttribute('data-task-id'), await rows.count()];
  const [one] = await submitTests(page.request, {});
  await expect(page.getByRole('link', { name: 'Show 1 new task' })).toBeVisible();
  const [two, three] = await submitTests(page.request, { count: 2 });
  const show = page.getByRole('link', { name: 'Show 3 new tasks' });
  await expect(show).toBeVisible();
  await expect(rows.first()).toHaveAttribute('data-task-id', first!);
  await expect(rows).toHaveCount(before);
  await show.click();
  for (const id of [one, two, three]) await expect(row(page, id)).toBeVisible();
  await expect(rows.nth(3)).toHaveAttribute('data-task-id', first!);
  await expect(page.getByRole('link', { name: /Show \d+ new task/ })).toHaveCount(0);
});

test('nothing moves while rows are chosen', async ({ page }) => {
  await signIn(page, 'admin');
  const [id, other] = await failedOnce(page.request, 2);
  await open(page, '/admin/tasks');
  await expect(badge(page)).toHaveAttribute('data-live', 'on');
  await tick(row(page, id).getByRole('checkbox'));
  await expect(badge(page)).toHaveAttribute('data-live', 'paused');
  await expect(badge(page).locator('summary')).toContainText('Paused, 1 selected');
  await post(page.request, `/api/1/tasks/${other}/retry`, {});
  await becomes(page.request, other, /^COMPLETED$/);
  await expect(row(page, other)).toHaveAttribute('data-task-status', 'FAILURE');
  await untick(row(page, id).getByRole('checkbox'));
  await expect(badge(page)).toHaveAttribute('data-live', 'on');
  await expect(row(page, other)).toHaveAttribute('data-task-status', 'COMPLETED');
  await expect(notice(page)).toHaveCount(0);
});

test('one box chooses all tasks of the page', async ({ page }) => {
  await signIn(page, 'admin');
  const [id] = await failedOnce(page.request, 2);
  await open(page, '/admin/tasks');
  const rows = page.getByRole('table').locator('tbody').getByRole('checkbox');
  const every = page.getByRole('checkbox', { name: /^Select all \d+ on this page$/ });
  await tick(every);
  // at once: rows stay as they are while any is chosen.
  const all = await rows.count();
  await expect(rows.and(page.locator(':checked'))).toHaveCount(all);
  await expect(page.getByText(`${all} selected`, { exact: true })).toBeVisible();
  await untick(row(page, id).getByRole('checkbox'));
  await expect(every).toBeChecked({ indeterminate: true });
  await expect(page.getByText(`${all - 1} selected`, { exact: true })).toBeVisible();
  await tick(row(page, id).getByRole('checkbox'));
  await expect(every).toBeChecked();
  await untick(every);
  await expect(rows.and(page.locator(':checked'))).toHaveCount(0);
});

test('the figures of the overview change by themselves', async ({ page, hold }) => {
  await signIn(page, 'admin');
  await open(page, '/admin');
  await expect(badge(page)).toHaveAttribute('data-live', 'on');
  const running = tile(page, /^Running$/).locator('strong');
  const failed = tile(page, /^Failed in 1.h$/).locator('strong');
  await hold.take();
  await expect(running).toHaveText(/^8/);
  // at once: as young as those that run, and nothing fails meanwhile.
  const before = number(await failed.textContent());
  await hold.release();
  await expect(running).not.toHaveText(/^8/);
  await failedOnce(page.request, 2);
  await expect(failed).toHaveText(String(before + 2));
});

test('what one has opened and typed stays so while the page moves', async ({ page, running }) => {
  await signIn(page, 'admin');
  const id = await running({ sleepMs: 100, chunks: 600, outcome: 'transient', failTimes: 1 });
  await retryAll(page.request, { only: [id] }, 'Not to wait');
  await becomes(page.request, id, /^EXECUTING$/);
  await open(page, `/admin/tasks/${id}`);
  await expect(badge(page)).toHaveAttribute('data-live', 'on');
  const error = page.getByRole('group', { name: 'Error of attempt 1' });
  const attempts = page.getByRole('table', { name: 'Attempts, latest first' });
  await attempts.locator('summary').click();
  await expect(error).toBeVisible();
  // From here on nothing is under the pointer.
  await page.getByLabel('Reason').hover();
  await page.getByLabel('Reason').fill('Half a sent');
  const progress = page.locator('pre[aria-label=Bookmark]');
  // at once: whatever it says by now.
  const before = await progress.textContent();
  await expect(progress).not.toHaveText(before!);
  await expect(error).toBeVisible();
  await expect(page.getByLabel('Reason')).toHaveValue('Half a sent');
  await expect(page.getByLabel('Reason')).toBeFocused();
  await page.keyboard.type('ence');
  await because(page, 'Half a sentence', 'Close task');
  await expect(task(page)).toHaveAttribute('data-task-status', 'ABANDONED');
});

test('a button under the hand stays what it is while its task goes on', async ({ page, running }) => {
  await signIn(page, 'admin');
  const id = await running({ sleepMs: 100, chunks: 600, outcome: 'transient', failTimes: 1 });
  await open(page, `/admin/tasks/${id}`);
  const retry = page.getByRole('button', { name: 'Retry now', exact: true });
  await page.getByLabel('Reason').fill('Not to wait');
  await retry.hover();
  await retryAll(page.request, { only: [id] }, 'Not to wait');
  await expect(task(page)).toHaveAttribute('data-task-status', 'EXECUTING');
  await retry.click();
  await expect(page.getByRole('alert')).toBeVisible();
  await becomes(page.request, id, /^EXECUTING$/);
  // Nor does Enter press whichever button is the first by now.
  await page.getByLabel('Reason').fill('Not to wait');
  await page.getByLabel('Reason').press('Enter');
  await becomes(page.request, id, /^EXECUTING$/);
  await page.getByRole('heading', { level: 1 }).hover();
});

test('the state of a task changes though the pointer rests on one of its attempts', async ({ page, running }) => {
  await signIn(page, 'admin');
  const id = await running({ sleepMs: 1000, chunks: 600 });
  await open(page, `/admin/tasks/${id}`);
  await expect(badge(page)).toHaveAttribute('data-live', 'on');
  await page.getByRole('table', { name: 'Attempts, latest first' }).locator('tbody tr').hover();
  await post(page.request, `/api/1/tasks/${id}/abandon`, { reason: 'Nobody needs it' });
  await expect(task(page)).toHaveAttribute('data-task-status', 'ABANDONED');
});

test('a page keeps up though each answer takes its time', async ({ page, running }) => {
  await signIn(page, 'admin');
  const id = await running({ sleepMs: 50, chunks: 10_000 });
  await open(page, `/admin/tasks/${id}`);
  await expect(badge(page)).toHaveAttribute('data-live', 'on');
  await slow(page, 600);
  const progress = page.locator('pre[aria-label=Bookmark]');
  // at once: whatever it says by now.
  const before = await progress.textContent();
  await expect(progress).not.toHaveText(before!);
  // at once: whatever it says in between.
  const [between] = await progress.allTextContents();
  await expect(progress).not.toHaveText(between);
  await page.unrouteAll({ behavior: 'ignoreErrors' });
});

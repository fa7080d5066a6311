// What the tests of the administrators' pages have in common.
import { type APIRequestContext, type Locator, type Page } from '@playwright/test';

import { number } from './pages';
import { post, postUnless, read } from './api';
import { becomes, failsOnce, test as base } from './queue';
import { passwordOf } from './session';

export interface SelfTest {
  count: number;
  sleepMs: number;
  chunks: number;
  outcome: 'ok' | 'transient' | 'permanent' | 'panic' | 'hang';
  /** How many attempts end with `outcome` before one works; 0 means all of them. */
  failTimes: number;
  triggerDate: string;
}

/** Submits tasks that exercise the queue and nothing else. */
export async function submitTests(request: APIRequestContext, wanted: Partial<SelfTest>): Promise<string[]> {
  const tasks = await post<{ id: string }[]>(request, '/api/1/admin/self-test', wanted);
  return tasks.map((task) => task.id);
}

/** Tasks that have failed, and go through when they are tried once more. */
export async function failedOnce(request: APIRequestContext, count: number): Promise<string[]> {
  const ids = await submitTests(request, { count, outcome: 'permanent', failTimes: 1 });
  for (const id of ids) await becomes(request, id, /^FAILURE$/);
  return ids;
}

/** Retries all of these at once, as they are now. */
export async function retryAll(request: APIRequestContext, tasks: { only: string[] }, reason: string): Promise<void> {
  const { previewToken } = await post<{ previewToken: string }>(request, '/api/1/admin/tasks/retry/preview', { tasks });
  // Those that waited to be tried again may have gone on by themselves since they were looked at.
  await postUnless(request, 'nothing_to_do', '/api/1/admin/tasks/retry', { previewToken, reason });
}

export const row = (page: Page, id: string): Locator => page.locator(`tr[data-task-id="${id}"]`);

/** A tile of the overview. */
export const tile = (page: Page, name: RegExp): Locator =>
  page.getByRole('listitem').filter({ has: page.getByRole('link', { name }) }).filter({ has: page.locator('strong') });

/** How many tasks the list says that it has. */
export async function listed(page: Page): Promise<number> {
  const said = page.getByRole('main').getByText(/^1–[\d,]+ of [\d,]+$|, of which [\d,]+ still match$|^No tasks match$/);
  return number(/([\d,]+)( still match)?$/.exec((await said.textContent())!)?.[1] ?? '0');
}

/** Says why, in the form that has this button, and does it. */
export async function because(page: Page, reason: string, button: string | RegExp): Promise<void> {
  const form = page.locator('form').filter({ has: page.getByRole('button', { name: button, exact: true }) });
  await form.getByLabel('Reason').fill(reason);
  await form.getByRole('button', { name: button, exact: true }).click();
}

/** What has been done, as the page says it. */
export const notice = (page: Page): Locator => page.locator('.notice');

interface Entry {
  action: string;
  actorName: string | null;
  objectId: string | null;
  reason: string | null;
  detail: Record<string, unknown>;
}

/** The entries of the audit that give this reason. */
export async function audited(request: APIRequestContext, reason: string): Promise<Entry[]> {
  const { items } = await read<{ items: Entry[] }>(request, '/api/1/admin/audit', { limit: '200' });
  return items.filter((entry) => entry.reason === reason);
}

/** Tests with `running`, which starts a task and waits until it runs, or has failed as it is meant to; it ends with the test, whatever its end. */
export const test = base.extend<{ running: (wanted: Partial<SelfTest>) => Promise<string> }>({
  running: async ({ request }, use) => {
    await post(request, '/api/1/session', { username: 'admin', password: passwordOf('admin') });
    const started: string[] = [];
    await use(async (wanted) => {
      const [id] = await submitTests(request, wanted);
      started.push(id);
      // One that fails at once runs too briefly to be seen.
      await (wanted.failTimes ? failsOnce(request, id) : becomes(request, id, /^EXECUTING$/));
      return id;
    });
    for (const id of started) await request.post(`/api/1/tasks/${id}/abandon`, { data: { reason: 'The test goes on' } });
  },
});

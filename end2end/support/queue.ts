// The queue as the tests use it beside the pages: tasks by the API, and a way to hold everything up, without which a
// task ends before anybody can watch it.
import { expect, type APIRequestContext } from '@playwright/test';

import { post, read } from './api';
import { test as base } from './docket';
import { passwordOf } from './session';

// As many as the server runs at once.
const slots = 8;

interface Task {
  id: string;
  status: string;
  failures: number;
}

/** Submits tasks that only take their time: one for `seconds` each, in steps of a tenth of a second. */
export async function selfTests(request: APIRequestContext, count: number, seconds: number): Promise<string[]> {
  const chunks = seconds * 10;
  const wanted = { count, chunks, sleepMs: 100, outcome: 'ok', failTimes: 0 };
  const tasks = await post<Task[]>(request, '/api/1/admin/self-test', wanted);
  return tasks.map((task) => task.id);
}

/** Submits a change by the API. */
export async function submitChange(request: APIRequestContext, personIds: string[], programStatus: string): Promise<string> {
  const { id } = await post<Task>(request, '/api/1/people/program-status', { target: { personIds }, programStatus });
  return id;
}

/** Changes people by the API and waits until it is done. */
export async function change(request: APIRequestContext, personIds: string[], programStatus: string): Promise<string> {
  const id = await submitChange(request, personIds, programStatus);
  await becomes(request, id, /^COMPLETED$/);
  return id;
}

/** Waits for a task's status. */
export async function becomes(request: APIRequestContext, id: string, status: RegExp): Promise<void> {
  const now = async () => (await read<Task>(request, `/api/1/tasks/${id}`)).status;
  await expect.poll(now, { intervals: [50] }).toMatch(status);
}

/** Waits until an attempt at a task has failed, which is tried again. */
export async function failsOnce(request: APIRequestContext, id: string): Promise<void> {
  await expect.poll(async () => (await read<Task>(request, `/api/1/tasks/${id}`)).failures).toBe(1);
}

class Hold {
  private held: string[] = [];

  constructor(private readonly request: APIRequestContext) {}

  /** From now on until `release` whatever is submitted waits. */
  async take(): Promise<void> {
    await post(this.request, '/api/1/session', { username: 'admin', password: passwordOf('admin') });
    this.held = await selfTests(this.request, slots, 300);
    for (const id of this.held) await becomes(this.request, id, /^EXECUTING$/);
  }

  async release(): Promise<void> {
    const held = this.held.splice(0);
    await Promise.all(held.map((id) => post(this.request, `/api/1/tasks/${id}/abandon`, { reason: 'The test goes on' })));
  }
}

/** Tests with `hold`, which lets go at the end of the test, whatever its end. */
export const test = base.extend<{ hold: Hold }>({
  hold: async ({ request }, use) => {
    const hold = new Hold(request);
    await use(hold);
    await hold.release();
  },
});

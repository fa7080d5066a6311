// Every process is replaced by a new one, again and again, while somebody looks at a page and tasks run.
import { expect, type Page } from '@playwright/test';

import { freeAddress, test } from '../support/cluster';
import { loadedAt, number, open, task } from '../support/pages';
import { selfTests } from '../support/queue';

const rounds = 3;

test('open pages go on while every process is replaced', async ({ page, context, cluster }) => {
  const replaced = await freeAddress();
  let web = await cluster.web(replaced);
  const workers = [await cluster.worker(), await cluster.worker()];
  const refused: string[] = [];
  context.on('response', (answer) => {
    if (answer.status() >= 500) refused.push(`${answer.status()} ${answer.url()}`);
  });

  await cluster.signIn(page);
  const [long] = await selfTests(page.request, 1, 15);
  const short: string[] = [];
  // One page is served by the process that stays, the other by one that goes: who is signed in is known to both.
  const other = await context.newPage();
  const pages = [
    { page, address: `${cluster.url}/tasks/${long}` },
    { page: other, address: `${replaced}/tasks/${long}` },
  ];
  for (const one of pages) await open(one.page, one.address);
  const loaded = await Promise.all(pages.map(({ page }) => loadedAt(page)));

  for (let round = 0; round < rounds; round += 1) {
    short.push(...(await selfTests(page.request, 2, 1)));
    // at once: how far they are by now.
    const before = await Promise.all(pages.map(({ page }) => progress(page)));
    for (const [place, old] of workers.entries()) {
      workers[place] = await cluster.worker();
      await cluster.stop(old);
    }
    await cluster.stop(web);
    await expect(other.locator('[data-live]')).toHaveAttribute('data-live', 'reconnecting');
    web = await cluster.web(replaced);
    for (const [place, { page }] of pages.entries()) {
      await expect(page.locator('[data-live]')).toHaveAttribute('data-live', 'on');
      await expect.poll(() => progress(page)).toBeGreaterThan(Math.min(before[place], 99));
    }
  }

  for (const { page } of pages) {
    await expect(task(page)).toHaveAttribute('data-task-status', 'COMPLETED', { timeout: 120_000 });
  }
  await expect
    .poll(() => cluster.sql(`SELECT COUNT(*) FROM queued_task WHERE workflow_status <> 'COMPLETED'`))
    .toBe('0');
  expect(cluster.sql('SELECT COUNT(*) FROM queued_task')).toBe(String(short.length + 1));
  expect(cluster.sql('SELECT COUNT(*) FROM queued_task WHERE failures > 0 OR crashes > 0 OR succeeded <> total')).toBe('0');
  expect(refused).toEqual([]);
  expect(await Promise.all(pages.map(({ page }) => loadedAt(page)))).toEqual(loaded);
});

/** How far the page says that its task is, in percent. */
async function progress(page: Page): Promise<number> {
  if ((await task(page).getAttribute('data-task-status')) === 'COMPLETED') return 100;
  return number(await page.getByRole('region', { name: 'Progress' }).getByRole('strong').textContent());
}

// Two pairs of eyes: what one person submits waits for another one, who sees it as it was asked for and as it is, and approves or declines
// it. Each test has a server of its own, with and without scripts.
import { expect, type Browser, type Page } from '@playwright/test';

import { check } from '../support/axe';
import { test } from '../support/mail';
import { tick } from '../support/mouse';
import { filterByStatus, hydrated, number, numbers, search, selectionBar, selectMatching, sum, task, taskId } from '../support/pages';
import { block, statuses } from '../support/people';
import type { Server } from '../support/server';
import { signIn } from '../support/session';

test.describe.configure({ mode: 'parallel' });
test.use({ settings: { DOCKET__APPROVALS__ABOVE: '10' } });

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true });

/** Has the manager ask for a change of more people than one person may decide on; the address of the task. */
async function ask(page: Page, docket: Server, scripts: boolean, hundred: number): Promise<string> {
  await signIn(page, 'manager', docket.passwords.manager);
  if (scripts) await hydrated(page);
  const [most, , , few] = await statuses(page.request, block(hundred));
  await search(page, block(hundred));
  await filterByStatus(page, [most!.label]);
  await selectMatching(page);
  await selectionBar(page).getByRole('link', { name: 'Set program status…' }).click();
  await tick(page.getByRole('radio', { name: few!.label, exact: true }));
  await button(page, /^Check/).click();
  await expect(page.getByText('This will wait for a second person')).toBeVisible();
  await expect(page.getByText(/^Tasks above 10\speople need a second person\. Nothing happens until .+ approves it, within 3\sdays/)).toBeVisible();
  if (scripts) await check(page);
  await button(page, /^Set [\d,]+ people to /).click();
  await expect(task(page)).toHaveAttribute('data-task-status', 'UNAPPROVED');
  const waits = page.getByRole('region', { name: 'Waiting for approval' });
  await expect(waits).toContainText(/Nothing has happened yet\. .+ can approve, until /);
  await expect(waits.getByRole('link', { name: 'See what you submitted' })).toBeVisible();
  if (scripts) await check(page);
  return `/tasks/${await taskId(page)}`;
}

/** A browser of the administrator's, on the list of what waits for them. */
async function approver(browser: Browser, docket: Server, scripts: boolean): Promise<Page> {
  const context = await browser.newContext({ javaScriptEnabled: scripts, baseURL: docket.url });
  const page = await context.newPage();
  await signIn(page, 'admin', docket.passwords.admin);
  if (scripts) await hydrated(page);
  await expect(page.getByText('Waiting for your approval')).toBeHidden();
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: /^Approvals/ }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Approvals' })).toBeVisible();
  return page;
}

for (const scripts of [true, false]) {
  test.describe(scripts ? 'with scripts' : 'without scripts', () => {
    test.use({ javaScriptEnabled: scripts });

    test('what one person asks for runs once another one has approved it', async ({ page, browser, docket }) => {
      const address = await ask(page, docket, scripts, 1);
      const other = await approver(browser, docket, scripts);
      await expect(other.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Approvals 1 waiting' })).toBeVisible();
      if (scripts) await check(other);
      const list = other.getByRole('table', { name: 'Tasks that wait for your decision' });
      await list.getByRole('link', { name: /^Set status to / }).click();
      await expect(other.getByRole('main').getByText('Waiting for your approval').first()).toBeVisible();
      const sums = other.getByRole('table', { name: /both columns add up/ });
      // at once: it is served with its page, as the other column and the foot are.
      const asked = await numbers(sums.locator('tbody td:nth-child(1)'));
      // at once: see above.
      const now = await numbers(sums.locator('tbody td:nth-child(2)'));
      // at once: see above.
      const total = number(await sums.locator('tfoot td').first().textContent());
      expect([sum(asked), sum(now)]).toEqual([total, total]);
      if (scripts) await check(other);
      await other.getByLabel('Note to').fill('As agreed');
      await button(other, /^Approve [\d,]+ changes?$/).click();
      await expect(other.getByText('Whoever submitted it has been told.')).toBeVisible();
      await expect(button(other, 'Decline')).toHaveCount(0);
      if (scripts) await check(other);

      // The page of whoever asked comes to know by itself.
      await expect(task(page)).toHaveAttribute('data-task-status', 'COMPLETED');
      await expect(page).toHaveURL(new RegExp(`${address}$`));
      await expect(page.getByText(/Approved by .+: As agreed/)).toBeVisible();
      await other.context().close();
    });

    test('to decline takes a note, and whoever asked starts again from the same people', async ({ page, browser, docket }) => {
      const address = await ask(page, docket, scripts, 2);
      const other = await approver(browser, docket, scripts);
      await other.getByRole('table', { name: 'Tasks that wait for your decision' }).getByRole('link').click();
      await button(other, 'Decline').click();
      const note = other.getByLabel('Note to');
      await expect(note).toHaveAccessibleDescription(/why you decline/);
      if (scripts) await check(other);
      await note.fill('Please leave out Harbour');
      await button(other, 'Decline').click();
      await expect(other.getByText('The task does not run.')).toBeVisible();

      await expect(task(page)).toHaveAttribute('data-task-status', 'ABANDONED');
      await page.goto(address);
      const declined = page.getByRole('region', { name: 'Declined' });
      await expect(declined).toContainText('“Please leave out Harbour”');
      if (scripts) await check(page);
      await button(page, 'Change and ask again').click();
      await expect(page.getByRole('heading', { level: 1, name: 'Set program status' })).toBeVisible();
      await expect(page.getByText(/^[\d,]+\speople selected$/)).toBeVisible();
      await other.context().close();
    });

    test('whoever asked cancels it while it waits, and nobody approves their own', async ({ page, browser, docket }) => {
      const address = await ask(page, docket, scripts, 3);
      const other = await approver(browser, docket, scripts);
      await other.getByRole('table', { name: 'Tasks that wait for your decision' }).getByRole('link').click();
      await expect(button(other, /^Approve/)).toBeVisible();

      await page.getByRole('link', { name: 'See what you submitted' }).click();
      await expect(page.getByText('Nobody decides on their own tasks.')).toBeVisible();
      await expect(button(page, /^Approve/)).toHaveCount(0);
      await page.goto(address);
      if (scripts) await hydrated(page);
      await page.getByRole('link', { name: 'Cancel…' }).click();
      await button(page, 'Cancel task').click();
      await expect(task(page)).toHaveAttribute('data-task-status', 'ABANDONED');

      await button(other, /^Approve/).click();
      await expect(other.getByText('The task was cancelled before anybody decided.').first()).toBeVisible();
      await other.context().close();
    });
  });
}

// The other actions, each from the list of people to what became of them, with and without scripts.
import { readFileSync } from 'node:fs';

import { expect, type Page } from '@playwright/test';

import { pick, tick, untick } from '../support/mouse';
import { hydrated, numbers, selectionBar, task } from '../support/pages';
import { block } from '../support/people';
import { test } from '../support/queue';
import { signIn } from '../support/session';

for (const scripts of [true, false]) {
  test.describe(scripts ? 'with scripts' : 'without scripts', () => {
    test.use({ javaScriptEnabled: scripts });
    const ready = async (page: Page) => void (scripts && (await hydrated(page)));

    /** Selects the first people of a block. */
    async function choosePeople(page: Page, number: number, count: number) {
      await page.goto(`/people?q=${block(number)}`);
      await ready(page);
      const boxes = page.getByRole('table').locator('tbody').getByRole('checkbox');
      for (let i = 0; i < count; i++) await tick(boxes.nth(i));
      if (!scripts) await page.getByRole('button', { name: 'Update selection' }).click();
      await expect(selectionBar(page).getByRole('status')).toHaveText(`${count} selected`);
      if (scripts) await expect(page).toHaveURL(/[?&]sel=/);
    }

    /** Without scripts the page of a task loads itself again until its end. */
    const ended = async (page: Page) => await expect(task(page)).toHaveAttribute('data-task-status', 'COMPLETED');

    test('a few are watched, and the undo takes them off again', async ({ page }) => {
      await signIn(page, 'coach');
      await page.goto('/people');
      await ready(page);
      const boxes = page.getByRole('table').locator('tbody').getByRole('checkbox');
      for (let i = 0; i < 3; i++) await tick(boxes.nth(i));
      if (!scripts) await page.getByRole('button', { name: 'Update selection' }).click();
      if (scripts) await expect(page).toHaveURL(/[?&]sel=/);
      await selectionBar(page).getByRole('link', { name: 'Watch list…' }).click();
      // What most come for is chosen already.
      await expect(page.getByRole('radio', { name: /^Watch/ })).toBeChecked();
      await page.getByRole('button', { name: 'Change watch list for 3 people' }).click();
      await ended(page);
      await expect(page.getByText('Not watched').first()).toBeVisible();
      await page.goto('/people?scope=watchlist');
      await expect(page.getByText('3 people', { exact: true })).toBeVisible();
      await page.goBack();
      await page.getByRole('link', { name: 'Undo…' }).click();
      await expect(page.getByRole('heading', { name: 'Undo “Add to watch list”' })).toBeVisible();
      await page.getByRole('button', { name: 'Restore 3 people' }).click();
      await ended(page);
      await expect(page.getByRole('region', { name: 'Related tasks' })).toContainText('Original task');
      await page.goto('/people?scope=watchlist');
      await expect(page.getByRole('table')).toHaveCount(0);
    });

    test('a file of a few is made, and downloaded', async ({ page }) => {
      await signIn(page, 'manager');
      await choosePeople(page, 11, 2);
      await selectionBar(page).getByRole('link', { name: 'Export…' }).click();
      await untick(page.getByRole('checkbox', { name: 'Coach' }));
      await page.getByRole('button', { name: 'Export 2 people' }).click();
      await ended(page);
      const link = page.getByRole('link', { name: /^Download CSV/ });
      const [download] = await Promise.all([page.waitForEvent('download'), link.click()]);
      expect(download.suggestedFilename()).toMatch(/^people-\d{4}-\d\d-\d\d\.csv$/);
      const lines = readFileSync(await download.path(), 'utf8').trimEnd().split('\r\n');
      expect(lines).toHaveLength(3);
      expect(lines[0]).toContain('"School ID","Last name","First name"');
      expect(lines[0]).not.toContain('Coach');
    });

    test('an early alert is on the page of each, and can be taken back', async ({ page }) => {
      await signIn(page, 'manager');
      await choosePeople(page, 14, 2);
      await selectionBar(page).getByText('More').click();
      await selectionBar(page).getByRole('link', { name: 'Early alert…' }).click();
      await tick(page.getByRole('radio', { name: 'Other' }));
      await page.getByRole('button', { name: 'Raise an alert on 2 people' }).click();
      await expect(page.getByRole('link', { name: 'Describe what was noticed.' })).toBeVisible();
      await page.getByRole('textbox', { name: 'Comment' }).fill('Moved to another town');
      await page.getByRole('button', { name: 'Raise an alert on 2 people' }).click();
      await ended(page);
      const alerts = page.getByRole('region', { name: 'Timeline' }).getByText('Moved to another town');
      await page.getByRole('table').locator('tbody').getByRole('link').first().click();
      await expect(alerts).toBeVisible();
      const onTop = page.getByRole('region', { name: 'Early alert: Other' });
      await expect(onTop).toContainText('Moved to another town');
      await page.goBack();
      await page.getByRole('link', { name: 'Undo…' }).click();
      await page.getByRole('button', { name: 'Restore 2 people' }).click();
      await ended(page);
      await page.getByRole('table').locator('tbody').getByRole('link').first().click();
      await expect(page).toHaveURL(/\/people\//);
      await expect(page.getByRole('region', { name: 'Timeline' })).toContainText('Removed');
      await expect(alerts).toHaveCount(0);
      await expect(onTop).toHaveCount(0);
    });

    test('people get another coach, and come back', async ({ page }) => {
      await signIn(page, 'manager');
      await choosePeople(page, 14, 2);
      await selectionBar(page).getByText('More').click();
      await selectionBar(page).getByRole('link', { name: 'Reassign coach…' }).click();
      await pick(page.getByLabel('New coach'), 'Lund, Katrin');
      await page.getByRole('button', { name: 'Check first' }).click();
      // Both pages have a button of that name.
      await expect(page.getByRole('heading', { name: 'What will happen' })).toBeVisible();
      await page.getByRole('button', { name: 'Reassign 2 people to Lund, Katrin' }).click();
      await ended(page);
      await page.getByRole('link', { name: 'Undo…' }).click();
      await page.getByRole('button', { name: 'Restore 2 people' }).click();
      await ended(page);
      await expect(page.getByRole('table')).toContainText('Lund, Katrin');
    });

    test('a start that is over is refused on the way to the check, and mended there', async ({ page }) => {
      await signIn(page, 'manager');
      await choosePeople(page, 15, 2);
      await selectionBar(page).getByRole('link', { name: 'Set program status…' }).click();
      const start = page.getByLabel('Start').and(page.locator('input'));
      await start.fill('2020-01-01T10:00');
      await page.getByRole('button', { name: 'Check first' }).click();
      await expect(page.getByRole('alert').getByRole('listitem')).toHaveText(['Choose the new program status.', 'Choose a start in the future.']);
      await ready(page);
      await tick(page.getByRole('radio', { name: 'Inactive', exact: true }));
      await page.getByRole('button', { name: 'Check first' }).click();
      await expect(page.getByRole('alert').getByRole('listitem')).toHaveText(['Choose a start in the future.']);
      await expect(start).toHaveValue('2020-01-01T10:00');
      await start.fill('');
      await page.getByRole('button', { name: 'Check first' }).click();
      await expect(page.getByRole('heading', { name: 'What will happen' })).toBeVisible();
    });

    test('a list gives people other coaches, line by line', async ({ page }) => {
      await signIn(page, 'manager');
      await page.goto('/people/reassign');
      await ready(page);
      const upload = async (list: string) => {
        await page.getByLabel('CSV file').setInputFiles({ name: 'spring.csv', mimeType: 'text/csv', buffer: Buffer.from(list) });
        await page.getByRole('button', { name: 'Check what will happen' }).click();
      };
      await upload(`School ID,Coach\n${block(16)}01\n`);
      await expect(page.getByRole('alert')).toContainText('“spring.csv” cannot be used');
      await expect(page.getByText('Line 2: no coach.')).toBeVisible();
      await expect(page.getByText('The file has 1 line that cannot be read.')).toBeVisible();
      await ready(page);
      const id = `${block(16)}0${scripts ? 1 : 2}`;
      await upload(`School ID;Coach\n${id};Lund, Katrin\n${id};manager\nnobody-1;manager\n${block(16)}03;Nobody At All\n`);
      const sums = page.getByRole('table', { name: /the lines add up to the total/ });
      await expect(sums).toContainText('will move to the coach in the list');
      const wrong = page.locator('[data-names]').getByRole('listitem');
      await expect(wrong).toHaveText([
        'Line 4: no person with the school ID “nobody-1”',
        'Line 5: no active account goes by “Nobody At All”',
      ]);
      // Each number leads to as many as it says, the rows that nobody was found for among them, as they were given.
      const counting = sums.getByRole('row').filter({ has: page.getByRole('link') });
      await expect.poll(() => counting.count()).toBeGreaterThan(4);
      let shown = '';
      // at once: a table comes whole.
      for (const [line, count] of (await numbers(counting.getByRole('cell', { name: /^[\d,]+$/ }))).entries()) {
        await counting.nth(line).getByRole('link').click();
        await expect(page.getByRole('table').locator('tbody tr')).toHaveCount(count);
        // at once: its rows are there.
        shown += await page.getByRole('table').innerText();
        await page.getByRole('link', { name: 'Back to the check' }).click();
        await expect(sums).toBeVisible();
      }
      expect(shown).toContain('nobody-1');
      await page.getByRole('button', { name: 'Reassign 1 person' }).click();
      await ended(page);
      await expect(page.getByRole('heading', { level: 1 })).toContainText('Reassign coaches by spring.csv');
      await expect(page.getByRole('row', { name: 'nobody-1' })).toContainText('not found');
      await page.getByRole('link', { name: 'Undo…' }).click();
      await page.getByRole('button', { name: 'Restore 1 person' }).click();
      await ended(page);
    });

    test('people are chosen by their school IDs, and the unknown are named', async ({ page }) => {
      await signIn(page, 'manager');
      await page.goto('/people/ids');
      await ready(page);
      await page.getByLabel('School IDs', { exact: true }).fill(`${block(12)}01, ${block(12)}02 nobody-1 ${block(12)}01`);
      await page.getByLabel('Or a file with school IDs').setInputFiles({
        name: 'ids.csv',
        mimeType: 'text/csv',
        buffer: Buffer.from(`School ID,Name\n${block(12)}03,Somebody\nnobody-2,Nobody\n`),
      });
      await page.getByRole('button', { name: 'Find people' }).click();
      const missing = page.getByRole('region', { name: '2 school IDs not found' });
      await expect(missing.getByRole('listitem')).toHaveText(['nobody-1', 'nobody-2']);
      // What was pasted is still there, to be put right.
      await expect(page.getByLabel('School IDs', { exact: true })).toHaveValue(`${block(12)}01, ${block(12)}02 nobody-1 ${block(12)}01`);
      await expect(page.getByText('1 school ID was given more than once; its person is selected once.')).toBeVisible();
      await expect(page.getByRole('button', { name: 'Find again' })).toBeVisible();
      await page.getByRole('link', { name: 'Continue with these people' }).click();
      await expect(selectionBar(page).getByRole('status')).toHaveText('3 selected');
    });

    test('a person is watched from the own page, and says what happened to them', async ({ page }) => {
      await signIn(page, 'coach');
      await page.goto('/people');
      await ready(page);
      await page.getByRole('table').locator('tbody').getByRole('link').nth(4).click();
      await expect(page).toHaveURL(/\/people\/[0-9a-f-]{36}$/);
      await expect(page.getByRole('heading', { name: 'Timeline' })).toBeVisible();
      await page.getByRole('button', { name: 'Watch', exact: true }).click();
      await expect(page.getByRole('button', { name: 'Stop watching' })).toBeVisible();
      await page.getByRole('button', { name: 'Set program status…' }).click();
      await expect(page.getByText('1 person selected')).toBeVisible();
      await page.goBack();
      await page.getByRole('button', { name: 'Stop watching' }).click();
      await expect(page.getByRole('button', { name: 'Watch', exact: true })).toBeVisible();
    });

    test('a task is repeated with the same choices, for later, and its start is moved', async ({ page }) => {
      await signIn(page, 'manager');
      await choosePeople(page, scripts ? 12 : 13, 2);
      await selectionBar(page).getByRole('link', { name: 'Set program status…' }).click();
      await tick(page.getByRole('radio', { name: 'Non-participating' }));
      await pick(page.getByRole('combobox', { name: 'Reason for not participating' }), 'Health');
      await page.getByRole('button', { name: scripts ? 'Set 2 people to Non-participating' : /2 people/ }).click();
      await ended(page);
      await page.getByRole('button', { name: 'Repeat…' }).click();
      await expect(page.getByRole('radio', { name: 'Non-participating' })).toBeChecked();
      await expect(page.getByRole('combobox', { name: 'Reason for not participating' })).toHaveValue('HEALTH');
      await expect(page.getByText('2 people selected')).toBeVisible();
      const day = new Date(Date.now() + 48 * 3_600_000).toISOString().slice(0, 10);
      await page.getByLabel('Start').and(page.locator('input')).fill(`${day}T09:30`);
      await page.getByRole('button', { name: /^Set 2 people/ }).click();
      await expect(page.locator('[data-task-status=QUEUED]')).toBeVisible();
      await expect(page.getByText(/Scheduled/).first()).toBeVisible();
      await page.getByLabel('Start').and(page.locator('input')).fill(`${day}T11:45`);
      await page.getByRole('button', { name: 'Change start time' }).click();
      await expect(page.getByText(/11:45/).first()).toBeVisible();
    });

    test('a password is changed, and a token is shown once', async ({ page }) => {
      await signIn(page, 'coach');
      await page.goto('/settings');
      await ready(page);
      await page.getByLabel('Current password').fill('not this one');
      await page.getByLabel('New password').fill('slate-fern-08');
      await page.getByRole('button', { name: 'Change password' }).click();
      await expect(page.getByText('That is not your current password.').first()).toBeVisible();
      if (scripts) {
        // It was said once.
        await ready(page);
        await page.reload();
        await ready(page);
        await expect(page.getByText('That is not your current password.')).toHaveCount(0);
      }
      const name = scripts ? 'Nightly report' : 'Weekly report';
      await page.getByLabel('Name of the program').fill(name);
      await page.getByRole('button', { name: 'Create token' }).click();
      await expect(page.getByText(/^docket_/)).toBeVisible();
      await page.reload();
      await expect(page.getByText(/^docket_/)).toHaveCount(0);
      await page.getByRole('row', { name }).getByRole('button', { name: 'Revoke' }).click();
      await expect(page.getByText('The token is revoked')).toBeVisible();
      await expect(page.getByRole('row', { name })).toHaveCount(0);
    });
  });
}

test('a selection of somebody else is nobody', async ({ page }) => {
  await signIn(page, 'coach');
  await page.goto('/actions/new/export?sel=00000000-0000-0000-0000-000000000007');
  await expect(page.getByRole('heading', { name: 'Nobody is selected' })).toBeVisible();
});

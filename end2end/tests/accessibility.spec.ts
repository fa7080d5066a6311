// Every page in every state: no violation that axe can find, light and dark, wide and narrow, and nothing to scroll
// sideways for on the smallest screen.
import { expect } from '@playwright/test';

import { check } from '../support/axe';
import { pick, tick } from '../support/mouse';
import { completed, hydrated, open, selectionBar, selectMatching, task } from '../support/pages';
import { block, changeable, everybody, statuses } from '../support/people';
import { submitChange, test } from '../support/queue';
import { signIn } from '../support/session';

// Colours on their way from one to the other are nobody's colours.
test.use({ contextOptions: { reducedMotion: 'reduce' } });

test('signing in', async ({ page }) => {
  await open(page, '/login');
  await check(page);
  await open(page, '/login?failed=credentials');
  await expect(page.getByRole('alert')).toBeVisible();
  await check(page);
});

test('people', async ({ page }) => {
  await signIn(page, 'manager');
  await hydrated(page);
  await check(page);
  await page.getByRole('search').locator('summary', { hasText: 'Status' }).click();
  await check(page);
  await open(page, '/people?q=nobody-is-called-that');
  await expect(page.getByRole('heading', { name: 'No people match' })).toBeVisible();
  await check(page);
  // The longest words of the bar and of the badge.
  await open(page, `/people?q=${everybody}&programStatus=ACTIVE&programStatus=INACTIVE`);
  await selectMatching(page);
  await check(page);
});

test('composing and checking', async ({ page }) => {
  await signIn(page, 'manager');
  await open(page, `/people?q=${everybody}`);
  await selectMatching(page);
  await selectionBar(page).getByRole('link', { name: 'Set program status…' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Set program status' })).toBeVisible();
  await check(page);

  await tick(page.getByRole('radio', { name: 'Non-participating' }));
  await page.getByRole('button', { name: 'Check what will happen' }).click();
  await expect(page.getByRole('alert')).toBeVisible();
  await check(page);

  await pick(page.getByLabel('Reason for not participating'), 'Health');
  await page.getByRole('button', { name: 'Check what will happen' }).click();
  await expect(page.getByRole('heading', { name: 'What will happen' })).toBeVisible();
  await check(page);

  await page.getByRole('link', { name: /^Show the .* who will change to / }).click();
  await expect(page.getByRole('link', { name: 'Back to the check' })).toBeVisible();
  await check(page);
});

test('composing for nobody', async ({ page }) => {
  await signIn(page, 'manager');
  await open(page, '/actions/new/program-status');
  await expect(page.getByRole('heading', { name: 'Nobody is selected' })).toBeVisible();
  await check(page);
});

test('a task while it waits, and its end', async ({ page, hold }) => {
  await signIn(page, 'manager');
  const [, , , few] = await statuses(page.request, block(9));
  await hold.take();
  const id = await submitChange(page.request, await changeable(page.request, block(9), few.name, 10), few.name);
  await open(page, '/tasks');
  await expect(page.locator(`tr[data-task-id="${id}"]`)).toHaveAttribute('data-task-status', 'QUEUED');
  await check(page);
  await open(page, `/tasks/${id}`);
  await check(page);
  await hold.release();
  await completed(page);
  await check(page);
  await open(page, '/tasks');
  await expect(page.locator(`tr[data-task-id="${id}"]`)).toHaveAttribute('data-task-status', 'COMPLETED');
  await check(page);
});

test('a running task, and the question before it is cancelled', async ({ page, hold }) => {
  await hold.take();
  await signIn(page, 'admin');
  await open(page, '/tasks?show=open');
  await expect(page.locator('tr[data-task-status=EXECUTING]').first()).toBeVisible();
  await check(page);
  await page.locator('tr[data-task-id]').first().getByRole('link').first().click();
  await expect(task(page)).toHaveAttribute('data-task-status', 'EXECUTING');
  await check(page);
  await page.getByRole('link', { name: 'Cancel…' }).click();
  await expect(page.getByRole('alertdialog')).toBeVisible();
  await check(page);
});

test('no tasks, and nothing there', async ({ page }) => {
  // The tests never submit anything as the coach.
  await signIn(page, 'coach');
  await open(page, '/tasks');
  await expect(page.getByRole('heading', { name: 'You have not submitted anything yet' })).toBeVisible();
  await check(page);
  for (const address of ['/no-such-page', `/tasks/${crypto.randomUUID()}`]) {
    await open(page, address);
    await expect(page.getByRole('heading', { name: 'Not found' }).last()).toBeVisible();
    await check(page);
  }
});

test('the other actions, and what follows them', async ({ page }) => {
  await signIn(page, 'manager');
  await open(page, `/people?q=${block(14)}`);
  const boxes = page.getByRole('table').locator('tbody').getByRole('checkbox');
  for (let i = 0; i < 2; i++) await tick(boxes.nth(i));
  await expect(page).toHaveURL(/[?&]sel=/);
  const token = new URL(page.url()).searchParams.get('sel');
  await open(page, `/actions/new/export?sel=${token}`);
  await check(page);
  await page.getByRole('button', { name: 'Export 2 people' }).click();
  await completed(page);
  await expect(page.getByRole('link', { name: /^Download CSV/ })).toBeVisible();
  await check(page);
  await open(page, `/actions/new/watch?sel=${token}`);
  await check(page);
  await tick(page.getByRole('radio', { name: /^Watch/ }));
  await page.getByRole('button', { name: 'Change watch list for 2 people' }).click();
  await completed(page);
  await page.getByRole('link', { name: 'Undo…' }).click();
  await expect(page.getByRole('heading', { name: 'What will happen' })).toBeVisible();
  await check(page);
});

test('one person, people by school id, and the settings', async ({ page }) => {
  await signIn(page, 'coach');
  await hydrated(page);
  await page.getByRole('table').locator('tbody').getByRole('link').first().click();
  await expect(page.getByRole('heading', { name: 'Timeline' })).toBeVisible();
  await check(page);
  await open(page, '/people/ids');
  await page.getByLabel('School IDs', { exact: true }).fill('nobody-1');
  await page.getByRole('button', { name: 'Find people' }).click();
  await expect(page.getByText('1 school ID not found')).toBeVisible();
  await check(page);
  await open(page, '/settings');
  await page.getByLabel('Name of the program').fill('Report');
  await page.getByRole('button', { name: 'Create token' }).click();
  await expect(page.getByText(/^docket_/)).toBeVisible();
  await check(page);
});

test('a list of coaches, what is wrong in it, and what it would do', async ({ page }) => {
  await signIn(page, 'manager');
  await open(page, '/people/reassign');
  await check(page);
  const upload = async (list: string) => {
    await page.getByLabel('CSV file').setInputFiles({ name: 'spring.csv', mimeType: 'text/csv', buffer: Buffer.from(list) });
    await page.getByRole('button', { name: 'Check what will happen' }).click();
    await hydrated(page);
  };
  await upload('School ID,Coach\n');
  await expect(page.getByText('The list has no lines').first()).toBeVisible();
  await check(page);
  await upload(`${block(16)}04,manager\nnobody-1,manager\n`);
  await expect(page.getByRole('heading', { name: 'What will happen' })).toBeVisible();
  await check(page);
});

test('importing, erasing, and a menu of views', async ({ page }) => {
  await signIn(page, 'admin');
  await hydrated(page);
  for (const menu of [/^Save view/, /^More/, /^Display/, /Ended tasks/]) {
    await page.locator('summary', { hasText: menu }).click();
    await check(page);
    await page.locator('summary', { hasText: menu }).click();
  }
  await page.getByRole('table').locator('tbody').getByRole('link').first().click();
  await expect(page.getByRole('heading', { name: 'Timeline' })).toBeVisible();
  await page.getByRole('link', { name: 'Erase…' }).click();
  await expect(page.getByText('This cannot be undone')).toBeVisible();
  await check(page);
  await open(page, '/admin/import');
  await check(page);
  const buffer = Buffer.from('Key,Surname,State\nK-1,Abara,on\nK-1,Abara,off\n');
  await page.getByLabel('CSV file').setInputFiles({ name: 'roster.csv', mimeType: 'text/csv', buffer });
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByText('No column is matched to School ID.')).toBeVisible();
  await check(page);
  await pick(page.getByLabel('Docket field for Key'), 'School ID');
  await pick(page.getByLabel('Docket field for State'), 'Program status');
  await expect(page.getByRole('heading', { name: '2 lines are unreadable' })).toBeVisible();
  await check(page);
  await open(page, '/setup?token=used');
  await check(page);
});

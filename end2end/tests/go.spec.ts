// Going to whatever one types the name of, with keys, with the mouse, and without scripts.
import { expect, type Page } from '@playwright/test';

import { read } from '../support/api';
import { check } from '../support/axe';
import { hydrated, open, selectionBar } from '../support/pages';
import { block } from '../support/people';
import { test } from '../support/queue';
import { signIn } from '../support/session';

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Go to a person, task, page or action' });
const field = (page: Page) => dialog(page).getByRole('combobox', { name: 'Go to' });
const chosen = (page: Page) => dialog(page).locator('[role=option][aria-selected=true]');

test('with keys', async ({ page }) => {
  await signIn(page, 'admin');
  await page.goto('/people');
  await hydrated(page);
  // at once: a list has its rows from the beginning.
  const name = await page.getByRole('table').locator('tbody tr').first().getByRole('link').first().textContent();
  await page.keyboard.press('Control+k');
  await expect(field(page)).toBeFocused();
  await expect(dialog(page).getByRole('group', { name: 'Pages' })).toBeVisible();
  await check(page);

  await page.keyboard.type(name!.split(',')[0]!);
  await expect(chosen(page)).toContainText(name!.split(',')[0]!);
  await expect(field(page)).toHaveAttribute('aria-expanded', 'true');
  // at once: it has just been waited for.
  const first = await chosen(page).getAttribute('id');
  await expect(field(page)).toHaveAttribute('aria-activedescendant', first!);
  await page.keyboard.press('ArrowDown');
  await expect(chosen(page)).not.toHaveAttribute('id', first!);
  await page.keyboard.press('ArrowUp');
  await expect(chosen(page)).toHaveAttribute('id', first!);
  await expect(field(page)).toBeFocused();
  await check(page);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Timeline' })).toBeVisible();
});

test('Enter waits for the list that it is about', async ({ page }) => {
  await signIn(page, 'admin');
  await hydrated(page);
  await page.keyboard.press('Control+k');
  await expect(chosen(page)).toBeVisible();
  await page.keyboard.type('audit trail');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/admin\/audit$/);
});

test('Enter does not lead to what was listed before one typed', async ({ page }) => {
  await signIn(page, 'admin');
  await page.clock.install();
  await open(page, '/tasks');
  // Nobody types so fast that nothing is asked for meanwhile; here no time passes.
  await page.clock.pauseAt(Date.now() + 3_600_000);
  const first = /\/go\?q=$/;
  let answer = () => {};
  const typed = new Promise<void>((done) => (answer = done));
  await page.route(first, async (route) => {
    await typed;
    await route.continue().catch(() => undefined);
  });
  const over = (['requestfinished', 'requestfailed'] as const).map((what) => page.waitForEvent(what as 'requestfailed', (asked) => first.test(asked.url())));
  await page.keyboard.press('Control+k');
  await page.keyboard.type('audit trail');
  await page.keyboard.press('Enter');
  answer();
  await Promise.race(over);
  await page.clock.runFor(1_000);
  await expect(page).toHaveURL(/\/admin\/audit$/);
});

test('a long question is said again in a few of its words', async ({ page }) => {
  await signIn(page, 'manager');
  await hydrated(page);
  await page.keyboard.press('Control+k');
  await expect(field(page)).toHaveAttribute('maxlength', '200');
  await page.keyboard.insertText('ж'.repeat(120) + ' and what follows it, which is long as well');
  const people = dialog(page).getByRole('option', { name: /^Search people for/ });
  await expect(people).toHaveText(`Search people for “${'ж'.repeat(60)}…”`);
});

test('Escape leads back to where one was', async ({ page }) => {
  await signIn(page, 'manager');
  await hydrated(page);
  const search = page.getByRole('searchbox', { name: 'Search name, school ID or email' });
  await search.click();
  await page.keyboard.press('Meta+k');
  await expect(field(page)).toBeFocused();
  await page.keyboard.type('nobody is called so');
  await expect(dialog(page).getByRole('option', { name: /^Search people for/ })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(dialog(page)).toBeHidden();
  await expect(search).toBeFocused();
});

test('with the mouse', async ({ page }) => {
  await signIn(page, 'manager');
  await hydrated(page);
  await page.getByRole('link', { name: 'Go to' }).click();
  await expect(field(page)).toBeFocused();
  await page.keyboard.type('school id');
  await dialog(page).getByRole('option', { name: 'Select people by school ID…' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Select people by school ID' })).toBeVisible();
  await hydrated(page);
  await page.getByRole('link', { name: 'Go to' }).click();
  await expect(field(page)).toBeFocused();
  await page.mouse.click(5, 500);
  await expect(dialog(page)).toBeHidden();
});

test('an action on somebody begins from their name', async ({ page }) => {
  await signIn(page, 'manager');
  const { items } = await read<{ items: { id: string; name: string }[] }>(page.request, '/api/1/people', { limit: '1', q: `${block(3)}04` });
  const { id, name } = items[0]!;
  const said = name.split(', ').reverse().join(' ');
  await hydrated(page);
  await page.keyboard.press('Control+k');
  await page.keyboard.type(`${block(3)}04`);
  const about = dialog(page).getByRole('group', { name: `With ${said}` });
  await expect(about.getByRole('option')).toHaveText([
    `Email ${said}…`,
    `Set program status of ${said}…`,
    `Raise an early alert on ${said}…`,
    new RegExp(`^(Watch|Stop watching) ${said}$`),
  ]);
  await check(page);
  await about.getByRole('option', { name: `Set program status of ${said}…` }).click();
  await expect(page.getByText('1 person selected')).toBeVisible();
  await expect(page).toHaveURL(new RegExp(`program-status\\?sel=.*from=${id}`));
});

test('an action is named before the person', async ({ page }) => {
  await signIn(page, 'manager');
  const { items } = await read<{ items: { name: string }[] }>(page.request, '/api/1/people', { limit: '1', q: `${block(3)}05` });
  const said = items[0]!.name.split(', ').reverse().join(' ');
  await hydrated(page);
  await page.keyboard.press('Control+k');
  await page.keyboard.type(`email ${said}`);
  await expect(chosen(page)).toContainText(`Email ${said}…`);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'Email 1 person' })).toBeVisible();
});

test('what is not for somebody is not offered', async ({ page }) => {
  await signIn(page, 'coach');
  await page.goto('/go?q=import');
  await expect(page.getByText('Nothing has this name.')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Import people' })).toHaveCount(0);
});

test('a list that does not come says so', async ({ page }) => {
  await signIn(page, 'manager');
  await hydrated(page);
  // Within the page: on a machine that has much else to do a request can pass by what would break it off outside.
  await page.evaluate(() => Object.assign(window, { fetched: fetch, fetch: () => Promise.reject(new TypeError('Failed to fetch')) }));
  await page.keyboard.press('Control+k');
  await expect(dialog(page).getByRole('status')).toHaveText('The list could not be loaded. Press Enter to try again.');
  await page.evaluate(() => Object.assign(window, { fetch: (window as unknown as { fetched: typeof fetch }).fetched }));
  await page.keyboard.type('my tasks');
  await expect(chosen(page)).toHaveText('My tasks');
});

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false });

  test('it is a page', async ({ page }) => {
    await signIn(page, 'manager');
    await page.getByRole('link', { name: 'Go to' }).click();
    await page.getByRole('searchbox', { name: 'A person, task, page or action' }).fill('my tasks');
    await page.getByRole('button', { name: 'Find' }).click();
    await page.getByRole('region', { name: 'Pages' }).getByRole('link', { name: 'My tasks' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'My tasks' })).toBeVisible();
  });

  test('it acts on those who are selected, and on somebody who is found', async ({ page }) => {
    await signIn(page, 'manager');
    await page.goto(`/people?q=${block(3)}0`);
    await page.getByRole('button', { name: /^Select all/ }).click();
    const selected = selectionBar(page).getByRole('status');
    await expect(selected).toHaveText(/^\d+ selected/);
    // at once: this list stands still.
    const count = parseInt((await selected.textContent())!, 10);
    await page.getByRole('link', { name: 'Go to' }).click();
    const field = page.getByRole('searchbox', { name: 'A person, task, page or action' });
    await field.fill('email');
    await page.getByRole('button', { name: 'Find' }).click();
    await page.getByRole('link', { name: `Email the ${count} selected people…` }).click();
    await expect(page.getByRole('heading', { level: 1, name: `Email ${count} people` })).toBeVisible();

    await page.goto(`/go?q=${block(3)}06`);
    await page.getByRole('region', { name: /^With / }).getByRole('button', { name: /^Set program status of / }).click();
    await expect(page.getByText('1 person selected')).toBeVisible();
  });
});

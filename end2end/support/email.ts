// An email as a person writes it, and what its pages have on them.
import { expect, type Locator, type Page } from '@playwright/test';

import { tick } from './mouse';
import { hydrated, selectionBar, task } from './pages';
import { block, reachable, type Person } from './people';
import type { Server } from './server';
import { signIn } from './session';

export const subject = (page: Page) => page.getByRole('textbox', { name: 'Subject' });
export const message = (page: Page) => page.getByRole('textbox', { name: 'Message' });
export const letter = (page: Page) => page.getByRole('article', { name: 'Email' });
export const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });
/** The state of the task, with the countdown that scripts put in its place. */
export const badge = (page: Page) => task(page).locator('.badge');

export const family = (person: Person) => person.name.split(', ')[0];
export const given = (person: Person) => person.name.split(', ')[1];
export const byName = (people: Person[]) => people.map(({ name }) => name).sort();

/** The emails to the person whose page it is. */
export async function emailsTo(page: Page): Promise<Locator> {
  const sorts = page.getByRole('navigation', { name: 'Sort of entry' });
  await sorts.getByRole('link', { name: 'Emails', exact: true }).click();
  return page.getByRole('table', { name: 'Emails to this person, latest first' });
}

/** Signs in as the manager of this server. */
export async function enter(page: Page, docket: Server): Promise<void> {
  await signIn(page, 'manager', docket.passwords.manager);
}

/** Two people of a block who can be written to, and if wanted one who cannot. */
export async function some(page: Page, hundred: number, unreachable = false): Promise<Person[]> {
  const found = await reachable(page.request, block(hundred));
  const people = [...found.with.slice(0, 2), ...(unreachable ? found.without.slice(0, 1) : [])];
  expect(people).toHaveLength(unreachable ? 3 : 2);
  return people;
}

/** Ticks these people on their list, and goes to write to them. */
export async function writeTo(page: Page, hundred: number, people: Person[], scripts = true): Promise<void> {
  await page.goto(`/people?q=${block(hundred)}`);
  if (scripts) await hydrated(page);
  for (const { name } of people) await tick(page.getByRole('row', { name }).getByRole('checkbox'));
  if (!scripts) await button(page, 'Update selection').click();
  await expect(selectionBar(page).getByRole('status')).toHaveText(`${people.length} selected`);
  await selectionBar(page).getByRole('link', { name: 'Email…' }).click();
  await expect(page.getByRole('heading', { level: 1, name: `Email ${people.length} people` })).toBeVisible();
}

/** Checks what was written, looks at the sum, and sends it to `count` people. */
export async function send(page: Page, count: number): Promise<void> {
  await button(page, /^Check \d+ people$/).click();
  await expect(page.getByRole('heading', { name: 'What will happen' })).toBeVisible();
  await page.getByRole('textbox', { name: `Type ${count} to confirm` }).fill(String(count));
  await button(page, `Send to ${count} people`).click();
  await expect(page).toHaveURL(/\/tasks\//);
}

/** The same where nothing can be sent, and every page says so. */
export async function submitUnsent(page: Page, count: number): Promise<void> {
  await button(page, /^Check \d+ people$/).click();
  const sums = page.getByRole('table', { name: /the lines add up to the total/ });
  await expect(sums).toContainText('will fail: email is not set up');
  await expect(page.getByText('Email is not set up on this server')).toBeVisible();
  await expect(button(page, /^Send/)).toHaveCount(0);
  await page.getByRole('textbox', { name: `Type ${count} to confirm` }).fill(String(count));
  await button(page, /^Submit anyway: /).click();
  await expect(page).toHaveURL(/\/tasks\//);
}

/** How a badge counts down. */
export async function left(held: Locator): Promise<number> {
  // at once: whoever asks polls.
  const words = await held.locator('[data-until]').getAttribute('data-left');
  return Number(/^Held, (\d+) s left$/.exec(words ?? '')?.[1]);
}

/** Asks to be sent tests and answers at this address, and follows the link that is sent there. */
export async function giveAddress(page: Page, address: string, sink: { taken(): { plain: string }[] }): Promise<void> {
  const before = sink.taken().length;
  await page.goto('/settings');
  await page.getByLabel('Your email address').fill(address);
  await button(page, 'Save').click();
  await expect(page.getByText('Check your email')).toBeVisible();
  await expect.poll(() => sink.taken().length).toBe(before + 1);
  const link = /\/settings\?verify=[\w-]+/.exec(sink.taken()[before].plain)?.[0] ?? '';
  await page.goto(link);
  await button(page, 'Use this address').click();
  await expect(page.getByText('Your address is confirmed')).toBeVisible();
}

// What the journeys have in common. Everything here works with and without scripts, unless it says so.
import { expect, type Locator, type Page } from '@playwright/test';

import { tick } from './mouse';

/** Waits until scripts answer clicks: before, a click is an ordinary form or link. */
export async function hydrated(page: Page): Promise<void> {
  await expect(page.locator('html')).toHaveAttribute('data-hydrated', 'true');
}

/** When the page was loaded, which tells it from one that is loaded anew. */
// at once: it never changes.
export const loadedAt = (page: Page): Promise<number> => page.evaluate(() => performance.timeOrigin);

/** Opens a page and waits for its scripts. */
export async function open(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await hydrated(page);
}

/** The number in a text such as `1,204 selected`. */
export function number(text: string | null): number {
  const digits = /\d[\d,]*/.exec(text ?? '')?.[0];
  if (!digits) throw new Error(`no number in “${text}”`);
  return Number(digits.replaceAll(',', ''));
}

/** The numbers in these elements. */
export async function numbers(elements: Locator): Promise<number[]> {
  await expect(elements.first()).toBeVisible();
  return (await elements.allTextContents()).map(number);
}

export const sum = (values: number[]): number => values.reduce((a, b) => a + b, 0);

export const searchBox = (page: Page): Locator => page.getByRole('searchbox', { name: 'Search name, school ID or email' });

/** Searches on the people page. */
export async function search(page: Page, text: string): Promise<void> {
  await searchBox(page).fill(text);
  await page.getByRole('button', { name: 'Apply' }).click();
  await expect(page.getByText(`Search: “${text}”`)).toBeVisible();
}

/** Ticks statuses in the filter and applies it. */
export async function filterByStatus(page: Page, labels: string[]): Promise<void> {
  const filters = page.getByRole('search');
  await filters.locator('summary', { hasText: 'Status' }).click();
  for (const label of labels) await tick(filters.getByRole('checkbox', { name: label, exact: true }));
  await page.getByRole('button', { name: 'Apply' }).click();
  await expect(page.getByText('Status: ')).toContainText(labels[0]);
}

/** Selects everybody who matches, and says how many they are. */
export async function selectMatching(page: Page): Promise<number> {
  await page.getByRole('button', { name: /^Select all [\d,]+ people( who match)?$/ }).click();
  const selected = selectionBar(page).getByRole('status');
  await expect(selected).toHaveText(/everyone who matches/);
  // at once: the number stands in the same text.
  return number(await selected.textContent());
}

export const selectionBar = (page: Page): Locator => page.getByRole('group', { name: 'Actions for the selected people' });

export const task = (page: Page): Locator => page.locator('header[data-task-id]');

/** The id of the task of the page. */
// at once: it never changes.
export const taskId = (page: Page): Promise<string | null> => task(page).getAttribute('data-task-id');

/** Waits until the task of the page has ended well, however the page comes to know. */
export async function completed(page: Page): Promise<void> {
  await expect(task(page)).toHaveAttribute('data-task-status', 'COMPLETED');
}

/** The number on each tab of a task's ledger, by its name. */
export async function outcomes(page: Page): Promise<Record<string, number>> {
  const tabs = await page.getByRole('navigation', { name: 'Outcome' }).getByRole('link').allTextContents();
  // At the end there is no tab of an outcome that nobody has.
  return { Skipped: 0, Failed: 0, ...Object.fromEntries(tabs.map((tab) => [tab.replace(/\s*[\d,]+$/, ''), number(tab)])) };
}

/** From now on each answer to a page that asks for itself again takes this many milliseconds longer, as over a slow connection. */
export async function slow(page: Page, ms: number): Promise<void> {
  await page.route('**', async (route) => {
    const { accept } = route.request().headers();
    if (route.request().resourceType() !== 'fetch' || accept !== 'text/html') return route.fallback();
    const answer = await route.fetch();
    await new Promise((resolve) => setTimeout(resolve, ms));
    // The page may have gone on to something else.
    await route.fulfill({ response: answer }).catch(() => undefined);
  });
}

// The six journeys that Docket is for, by somebody who knows the way and never hesitates: how often they press the mouse, how many
// keys, and how long it takes until the last page says that it is done. It prints a table; a journey that takes more presses than it
// may fails, after all of them have been printed.
import { writeFile } from 'node:fs/promises';

import { expect, type Locator, type Page } from '@playwright/test';

import { failedOnce, test } from '../support/admin';
import { tick } from '../support/mouse';
import { completed, hydrated, open, selectionBar } from '../support/pages';
import { signIn } from '../support/session';

/** What a hand has done so far. */
interface Done {
  clicks: number;
  keys: number;
}

/** The most that a journey may take: clicks, and keys beside the text of an email or a comment. */
const MOST: Record<string, Done> = {
  'change the status of many': { clicks: 7, keys: 4 },
  'email many, with a hold': { clicks: 7, keys: 3 },
  'export many': { clicks: 6, keys: 0 },
  'raise an alert on one person': { clicks: 3, keys: 13 },
  'import a file': { clicks: 4, keys: 0 },
  'retry all failures of one cause': { clicks: 4, keys: 10 },
};

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });
const rail = (page: Page, name: string | RegExp) => page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name });

/** Clicks and waits until the page that it leads to answers clicks. */
async function lead(page: Page, link: Locator, title: string | RegExp): Promise<void> {
  await link.click();
  await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible();
  await hydrated(page);
}

/** Types the number that is asked for. */
async function confirm(page: Page): Promise<void> {
  const asked = page.getByRole('textbox', { name: /^Type [\d,]+ to confirm/ });
  await asked.click();
  // at once: it has just been clicked.
  const label = await asked.evaluate((field: HTMLInputElement) => field.labels![0].textContent);
  await page.keyboard.type(/[\d,]+/.exec(label!)![0]!.replaceAll(',', ''));
}

/** From a saved view to everybody in it. */
async function everybodyInView(page: Page): Promise<void> {
  await lead(page, rail(page, /^Active/), 'Active');
  await button(page, /^Select all [\d,]+ people( who match)?$/).click();
  await expect(selectionBar(page).getByRole('status')).toHaveText(/everyone who matches/);
}

test('how many clicks and keys each journey takes', async ({ page, context }, info) => {
  test.setTimeout(600_000);
  const hand: Done = { clicks: 0, keys: 0 };
  await context.exposeBinding('hand', (_, what: keyof Done) => void hand[what]++);
  await context.addInitScript(() => {
    const told = window as unknown as { hand: (what: string) => void };
    addEventListener('pointerdown', (event) => event.isTrusted && told.hand('clicks'), true);
    addEventListener('keydown', (event) => event.isTrusted && told.hand('keys'), true);
  });
  const rows: string[] = [];
  const missed: string[] = [];
  /** Does a journey; `text` is what was written for others to read, which is as long as it is. */
  const journey = async (name: string, does: () => Promise<number | void>) => {
    [hand.clicks, hand.keys] = [0, 0];
    const began = performance.now();
    const text = (await does()) ?? 0;
    const seconds = ((performance.now() - began) / 1000).toFixed(1);
    const keys = hand.keys - text;
    rows.push(`| ${name} | ${hand.clicks} | ${keys} | ${text || ''} | ${seconds} |`);
    const most = MOST[name];
    if (hand.clicks > most.clicks || keys > most.keys) missed.push(`${name}: ${hand.clicks} clicks and ${keys} keys`);
  };
  const type = async (text: string) => {
    await page.keyboard.type(text);
    return [...text].length;
  };

  await signIn(page, 'admin');
  await failedOnce(page.request, 3);
  await open(page, '/people?scope=all&programStatus=ACTIVE');
  await page.locator('summary', { hasText: 'Save view' }).click();
  await page.getByLabel('Name of the view').fill('Active');
  await button(page, 'Save this view').click();
  await expect(page.getByRole('heading', { level: 1, name: 'Active' })).toBeVisible();
  await open(page, '/people');

  await journey('change the status of many', async () => {
    await everybodyInView(page);
    await lead(page, selectionBar(page).getByRole('link', { name: 'Set program status…' }), 'Set program status');
    await tick(page.getByRole('radio', { name: 'Inactive', exact: true }));
    await button(page, 'Check what will happen').click();
    await confirm(page);
    await button(page, /^Set [\d,]+ people to / ).click();
    await completed(page);
  });

  await open(page, '/people?scope=all&q=G1-00012');
  await page.locator('summary', { hasText: 'Save view' }).click();
  await page.getByLabel('Name of the view').fill('Cohort 12');
  await button(page, 'Save this view').click();
  await expect(page.getByRole('heading', { level: 1, name: 'Cohort 12' })).toBeVisible();
  await journey('email many, with a hold', async () => {
    await button(page, /^Select all [\d,]+ people( who match)?$/).click();
    await lead(page, selectionBar(page).getByRole('link', { name: 'Email…' }), /^Email \d+ people$/);
    await page.getByRole('textbox', { name: 'Subject' }).click();
    let text = await type('Four slots');
    await page.getByRole('textbox', { name: 'Message' }).click();
    text += await type('Please choose one.');
    await button(page, /^Check \d+ people$/).click();
    await confirm(page);
    await button(page, /^(Send to \d+ people|Submit anyway: .*)$/).click();
    await expect(page).toHaveURL(/\/tasks\//);
    return text;
  });

  await open(page, '/people');
  await journey('export many', async () => {
    await lead(page, rail(page, /^Cohort 12/), 'Cohort 12');
    await button(page, /^Select all [\d,]+ people( who match)?$/).click();
    await expect(selectionBar(page).getByRole('status')).toHaveText(/everyone who matches/);
    await lead(page, selectionBar(page).getByRole('link', { name: 'Export…' }), /^Export/);
    await button(page, /^Export \d+ people$/).click();
    await completed(page);
    const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: /^Download CSV/ }).click()]);
    await file.path();
  });

  await open(page, '/people');
  await journey('raise an alert on one person', async () => {
    await page.keyboard.press('Control+k');
    await page.keyboard.type('G1-0000700');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { name: 'Timeline' })).toBeVisible();
    await hydrated(page);
    await lead(page, button(page, 'Early alert…'), /[Aa]lert/);
    await tick(page.getByRole('radio', { name: 'Attendance' }));
    await button(page, /^Raise an alert on/).click();
    await completed(page);
  });

  const file = info.outputPath('fall.csv');
  await writeFile(file, ['School ID,Surname,Forename,Campus', ...Array.from({ length: 200 }, (_, n) => `J-${n},Surname ${n},Forename ${n},Harbor`)].join('\n'));
  await journey('import a file', async () => {
    await lead(page, rail(page, 'Import people'), 'Import people');
    const [chooser] = await Promise.all([page.waitForEvent('filechooser'), page.getByLabel('CSV file').click()]);
    await chooser.setFiles(file);
    await button(page, 'Continue').click();
    await expect(page.getByRole('heading', { name: 'Match columns' })).toBeVisible();
    await hydrated(page);
    await button(page, 'Import 200 people').click();
    await completed(page);
  });

  await journey('retry all failures of one cause', async () => {
    await lead(page, rail(page, 'Failures'), 'Failures');
    await lead(page, page.getByRole('row').filter({ hasText: 'asked to fail (not retried)' }).getByRole('link', { name: /^Retry 3…/ }), /^Retry/);
    await page.getByLabel('Reason').click();
    await page.keyboard.type('Mended now');
    await button(page, /^Retry 3 tasks/).click();
    await expect(page.locator('.notice')).toContainText('3 tasks');
  });

  console.log(['| journey | clicks | keys | and the text | seconds |', '|---|---|---|---|---|', ...rows].join('\n'));
  expect(missed).toEqual([]);
});

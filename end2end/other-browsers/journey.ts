// What a journey is, and the steps that several have in common.
import type { APIRequestContext } from '@playwright/test';

import type { Server } from '../support/server';
import { any, box, button, field, link, type Tab } from './tab';

export interface Here {
  tab: Tab;
  /** The API, as the administrator whose tab this is. */
  request: APIRequestContext;
  docket: Server;
  /** A path for a file of this name. */
  file: (name: string) => string;
}

export interface Journey {
  /** The address of the page as the table of pages has it. */
  page: string;
  does: string;
  go: (here: Here) => Promise<void>;
}

const bar = '[aria-label="Actions for the selected people"]';

/** Waits until the task of the page has ended well. */
export const completed = (tab: Tab): Promise<void> => tab.sees(any('header[data-task-id][data-task-status=COMPLETED]'));

/** Follows a link of the menu of pages. */
export async function turnTo(tab: Tab, words: string | RegExp, title: string | RegExp, heading = title): Promise<void> {
  const rail = (words: string | RegExp) => ({ ...link(words), css: '#rail a' });
  const { attributes } = await tab.firstOf(rail(words));
  // A list that is asked for once more stays where it is, and nobody could tell whether it has come.
  if ((await tab.path()).split('?')[0] === attributes.href) await tab.follow(rail('Settings'));
  await tab.follow(rail(words));
  await tab.arrives(title, heading);
}

/** Goes to the list of people and searches there. */
export async function search(tab: Tab, words: string): Promise<void> {
  await turnTo(tab, 'People', 'People');
  await tab.type(field('Search name, school ID or email'), words);
  await tab.key('Enter');
  await tab.says(any('.chip'), `Search: “${words}”`);
}

/** Ticks people of the list by their rows, as many as are named. */
export async function select(tab: Tab, names: string[]): Promise<void> {
  for (const name of names) await tab.click(box(`Select ${name}`));
  await tab.says(any(`${bar} [role=status]`), `${names.length} selected`);
}

/** Leads from the selected people to an action. */
export const act = (tab: Tab, words: string): Promise<void> => tab.click({ ...link(words), css: `${bar} a` });

/** Says why in the form that has this button, and presses it. */
export async function because(tab: Tab, reason: string, words: string): Promise<void> {
  await tab.type({ ...field(/^Reason/), within: { css: 'form', words } }, reason);
  await tab.click(button(words));
}

/** Names of the first people of the list. */
export async function names(tab: Tab, count: number): Promise<string[]> {
  const boxes = await tab.several({ ...box(/^Select /), css: 'tbody input[type=checkbox]' }, count);
  return boxes.map(({ attributes }) => attributes['aria-label']!.replace('Select ', ''));
}

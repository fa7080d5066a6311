// The one tab of a browser, with what a person does in it and sees of it. Whatever is expected of a page is waited for.
import { expect } from '@playwright/test';
import { writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

import type { Driven } from './driven';
import { look, type Place, type Seen, type Target } from './in-page';

type Words = string | RegExp;

const named =
  (css: string) =>
  (words?: Words): Target => ({ css, words: words instanceof RegExp ? { pattern: words.source } : words });

export const link = named('a[href]');
export const button = named('button');
/** What opens a menu or more of something. */
export const menu = named('summary');
export const field = named('input, textarea, select');
/** A box or a button of several. */
export const box = named('input[type=checkbox], input[type=radio]');
export const heading = named('h1, h2, h3');
export const notice = named('.notice');
export const any = (css: string): Target => ({ css });
/** The same, where it stands within something with these words in it. */
export const within = (css: string, words: string, target: Target): Target => ({ ...target, within: { css, words } });

const shown = ({ css, words, within }: Target): string => `${JSON.stringify(words ?? css)}${within ? ` in “${within.words}”` : ''}`;

/** How often it is looked again. */
const OFTEN = { intervals: [50, 100, 200] };

/** What is waited for. */
const until = (message: string) => ({ message, ...OFTEN });

/** What a page says of itself, and whether its scripts are at work. */
const state = () => ({
  title: document.title,
  heading: [...document.querySelectorAll('h1')].map((h1) => h1.innerText).join(),
  hydrated: document.documentElement.dataset.hydrated,
  dead: [...document.querySelectorAll<HTMLElement>('leptos-island:not([data-alive])')].map((island) => island.dataset.component),
});

export class Tab {
  constructor(
    private readonly driven: Driven,
    private readonly url: string,
  ) {}

  goTo = (path: string): Promise<void> => this.driven.goTo(new URL(path, this.url).href);

  /** Waits for the page with this title, its heading, and its scripts with all islands alive. */
  async arrives(title: Words, heading: Words = title): Promise<void> {
    const wanted = (words: Words) => (words instanceof RegExp ? words.source : words.replaceAll(/[^\w\s]/g, '\\$&'));
    await expect.poll(() => this.ask(state), until(`the page “${title}”`)).toEqual({
      // What has ended meanwhile is said before it.
      title: expect.stringMatching(new RegExp(`^([A-Z][a-z ]+: )?${wanted(title)} · Docket$`)),
      heading: expect.stringMatching(new RegExp(`^${wanted(heading)}$`)),
      hydrated: 'true',
      dead: [],
    });
  }

  async sees(target: Target): Promise<void> {
    await expect.poll(() => this.seen(target), until(`to see ${shown(target)}`)).not.toEqual([]);
  }

  async seesNone(target: Target): Promise<void> {
    await expect.poll(() => this.seen(target), until(`to see no ${shown(target)}`)).toEqual([]);
  }

  /** Waits until the first of them is like this. */
  async is(target: Target, like: Partial<Seen>): Promise<void> {
    await expect.poll(async () => (await this.seen(target))[0], until(shown(target))).toMatchObject(like);
  }

  /** Waits until what is in sight of them says this. */
  async says(target: Target, words: Words): Promise<void> {
    const text = async () => (await this.seen(target)).map(({ text }) => text).join('\n');
    await expect.poll(text, until(shown(target))).toMatch(words);
  }

  /** The first of them, once there is one; for what does not change any more. */
  async firstOf(target: Target): Promise<Seen> {
    await this.sees(target);
    return (await this.seen(target))[0]!;
  }

  /** So many of them, once they are there; for what does not change any more. */
  async several(target: Target, count: number): Promise<Seen[]> {
    await expect.poll(async () => (await this.seen(target)).length, until(`to see ${count} ${shown(target)}`)).toBeGreaterThanOrEqual(count);
    // at once: they have been waited for.
    return (await this.seen(target)).slice(0, count);
  }

  /** Whether somebody is signed in here. */
  isWithin = (): Promise<boolean> =>
    this.ask((url) => location.href.startsWith(url) && document.querySelector('#page[data-account]') !== null, this.url);

  async isAt(path: RegExp): Promise<void> {
    await expect.poll(() => this.path(), until('the address')).toMatch(path);
  }

  path = (): Promise<string> => this.ask(() => location.pathname + location.search);

  seen = async (target: Target): Promise<Seen[]> => (await this.ask(look, target, false)).seen;

  /** Presses the mouse on its words, once it lies still and nothing lies over it. */
  async click(target: Target): Promise<void> {
    await expect(async () => {
      const { x, y } = await this.place(target);
      await this.driven.press(x, y);
      expect(await this.ask(() => window.missed === true), 'it moved away under the mouse').toBe(false);
    }, `to click ${shown(target)}`).toPass(OFTEN);
  }

  /** Presses what leads to another page, and waits until this one is gone, by whatever name the other one goes. */
  async follow(target: Target): Promise<void> {
    const loaded = () => performance.timeOrigin;
    const before = await this.ask(loaded);
    await this.click(target);
    await expect.poll(() => this.ask(loaded), until(`to leave by ${shown(target)}`)).not.toBe(before);
  }

  /** Types into a field what is to stand there, as somebody does who clicks into it. */
  async type(target: Target, text: string): Promise<void> {
    await this.click(target);
    const { value } = (await this.seen(target))[0]!;
    if (value) await this.driven.key('Control+a');
    await this.driven.type(text);
    await this.is(target, { value: text });
  }

  /** Opens a list of choices and types the words of one of them. */
  async pick(target: Target, words: string): Promise<void> {
    await this.click(target);
    await this.driven.type(words);
    await this.driven.key('Enter');
    await this.is(target, { chosen: words });
  }

  key = (keys: string): Promise<void> => this.driven.key(keys);

  write = (text: string): Promise<void> => this.driven.type(text);

  /** Has the one field for files of the page hold a file that says this. */
  async hold(file: string, text: string): Promise<void> {
    writeFileSync(file, text);
    await this.sees(any('input[type=file]'));
    await this.driven.hold('input[type=file]', file);
  }

  /** Where to press for it, when it has been at the same place twice. */
  private async place(target: Target): Promise<Place> {
    let before: Place | null = null;
    for (;;) {
      const { place } = await this.ask(look, target, true);
      expect(place, 'it is there').not.toBeNull();
      expect(place!.over, 'lies over it').toBeNull();
      if (before && before.x === place!.x && before.y === place!.y) return place!;
      before = place;
      await sleep(30);
    }
  }

  /** Asks the page. It may just be going away, with the answer: the next one is asked then. */
  private async ask<T, A extends unknown[]>(inPage: (...given: A) => T, ...given: A): Promise<T> {
    for (let times = 1; ; times++) {
      try {
        return await this.driven.ask(inPage, ...given);
      } catch (error) {
        if (times === 100) throw error;
        await sleep(50);
      }
    }
  }
}

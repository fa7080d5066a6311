// A browser for all journeys, with one tab and one server, and an administrator who is signed in.
import { expect, test as base } from '@playwright/test';
import { join } from 'node:path';

import { freePort, start, type Server } from '../support/server';
import { accounts } from '../support/session';
import type { Driven } from './driven';
import { firefox } from './firefox';
import { button, field, Tab } from './tab';
import { webkitgtk } from './webkitgtk';

const START = { firefox, webkitgtk };

export type Engine = keyof typeof START;

interface Kept {
  engine: Engine;
  driven: Driven;
  docket: Server;
}

export const test = base.extend<{ tab: Tab }, Kept>({
  engine: ['firefox', { scope: 'worker', option: true }],
  driven: [
    async ({ engine }, use) => {
      const driven = await START[engine]();
      await use(driven);
      await driven.close();
    },
    { scope: 'worker' },
  ],
  docket: [
    async ({ engine }, use, info) => {
      const settings = {
        DOCKET__QUEUE__SELF_TEST: 'true',
        DOCKET__QUEUE__BACKOFF: '1h',
        // Whoever looks at an email that is held has the time for it.
        DOCKET__MAIL__HOLD: '1h',
      };
      const log = join(info.project.outputDir, `${engine}-${process.pid}.log`);
      const docket = await start(`127.0.0.1:${await freePort()}`, log, settings);
      for (const who of accounts) process.env[`DEMO_${who.toUpperCase()}`] = docket.passwords[who];
      await use(docket);
      await docket.stop();
    },
    { scope: 'worker' },
  ],
  baseURL: async ({ docket }, use) => use(docket.url),
  tab: async ({ driven, docket }, use, info) => {
    const tab = new Tab(driven, docket.url);
    if (!(await tab.isWithin())) await signIn(tab, docket.passwords.admin);
    await use(tab);
    if (info.status !== info.expectedStatus) await info.attach('tab', { body: await driven.screenshot(), contentType: 'image/png' });
    expect(driven.failures(), 'what scripts failed at').toEqual([]);
  },
});

/** Signs in through the page for it, as a person does. */
export async function signIn(tab: Tab, password: string): Promise<void> {
  await tab.goTo('/login');
  await tab.arrives('Sign in');
  await tab.type(field('Username'), 'admin');
  await tab.type(field('Password'), password);
  await tab.click(button('Sign in'));
  await tab.arrives('People');
}

// Tests about email: each has a server and a mail server of its own, so that nobody else's messages are counted and the
// settings can be those that the test is about.
import { test as base } from '@playwright/test';

import { freePort, start, type Server } from './server';
import { Sink } from './sink';

interface Fixtures {
  /** Settings by environment, beside and before those that a test of email needs. */
  settings: Record<string, string>;
  sink: Sink;
  docket: Server;
}

export const test = base.extend<Fixtures>({
  settings: [{}, { option: true }],
  sink: async ({}, use, info) => {
    const sink = await Sink.start(info.outputPath('sink.jsonl'));
    await use(sink);
    await sink.stop();
  },
  docket: async ({ settings, sink }, use, info) => {
    const server = await start(`127.0.0.1:${await freePort()}`, info.outputPath('docket.log'), {
      DOCKET__MAIL__SMTP_URL: sink.url,
      DOCKET__MAIL__FROM: 'Northfield College <docket@northfield.example>',
      DOCKET__MAIL__HOLD: '3s',
      DOCKET__MAIL__RETRY: '1s',
      ...settings,
    });
    await use(server);
    await server.stop();
  },
  baseURL: async ({ docket }, use) => use(docket.url),
});

// One journey for each page, in an engine that the other tests do not know: one comes to the page as a person does, does the one
// thing that matters there with a real mouse, and sees what comes of it. Scripts fail at nothing on the way.
import { expect } from '@playwright/test';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

import { post } from '../support/api';
import { freePort, start } from '../support/server';
import { passwordOf } from '../support/session';
import { adminJourneys } from './admin-journeys';
import type { Driven } from './driven';
import { test } from './fixtures';
import type { Journey } from './journey';
import { ownJourneys } from './own-journeys';
import { peopleJourneys } from './people-journeys';
import { button, field, heading, Tab } from './tab';

const journeys: Journey[] = [...peopleJourneys, ...ownJourneys, ...adminJourneys];

/** Opens a page that says this. */
async function show(driven: Driven, page: string): Promise<Tab> {
  const server = createServer((_, answer) => answer.setHeader('content-type', 'text/html').end(page));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const tab = new Tab(driven, `http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  await tab.goTo('/');
  server.closeAllConnections();
  server.close();
  return tab;
}

test('what scripts fail at is noticed', async ({ driven }) => {
  await show(driven, '<script>setTimeout(() => { throw new Error("thrown") }); Promise.reject(new Error("rejected"))</script>');
  const all: string[] = [];
  await expect.poll(() => all.push(...driven.failures()) && all.join('\n')).toMatch(/rejected[^]*thrown|thrown[^]*rejected/);
});

test('what moves away under the mouse is pressed where it is then, and nothing else is', async ({ driven }) => {
  const flees = 'addEventListener("mousemove", () => document.body.append(document.querySelector("button")), { once: true })';
  const counts = 'addEventListener("click", ({ target }) => (document.querySelector("h1").textContent += " " + target.textContent))';
  const tab = await show(driven, `<h1>Pressed:</h1><button>One</button><button>Two</button><script>${flees}; ${counts}</script>`);
  await tab.click(button('One'));
  await tab.says(heading(), /^Pressed: One$/);
});

test('/setup: the link that the first start prints leads to the first account', async ({ driven }, info) => {
  // At another address than the others: cookies know no ports.
  const log = info.outputPath('docket.log');
  const empty = await start(`127.0.0.2:${await freePort()}`, log, {}, true);
  try {
    const tab = new Tab(driven, empty.url);
    const link = () => /\/setup\?token=\S+/.exec(readFileSync(log, 'utf8'))?.[0];
    await expect.poll(link).toBeDefined();
    await tab.goTo(link()!);
    await tab.arrives('First account', 'Create the first account');
    await tab.type(field(/^Your name/), 'Ines Falk');
    await tab.type(field('Username'), 'ines');
    await tab.type(field(/^Password/), 'correct horse battery staple');
    await tab.click(button('Create account'));
    await tab.arrives('People');
    expect(driven.failures()).toEqual([]);
  } finally {
    await empty.stop();
  }
});

for (const { page, does, go } of journeys) {
  test(`${page}: ${does}`, async ({ tab, request, docket }, info) => {
    await post(request, '/api/1/session', { username: 'admin', password: passwordOf('admin') });
    await go({ tab, request, docket, file: (name) => info.outputPath(name) });
  });
}

test('every page has a journey', () => {
  const table = readFileSync(join(__dirname, '../../app/src/server/routes.rs'), 'utf8');
  // Each stands in quotes in the table, and nowhere else in it.
  const pages = new Set([...table.matchAll(/"(\/[^"]*)"/g)].map(([, address]) => address!));
  expect(pages.size).toBeGreaterThan(30);
  const walked = new Set(['/setup', ...journeys.map(({ page }) => page)]);
  expect([...pages].filter((page) => !walked.has(page))).toEqual([]);
});

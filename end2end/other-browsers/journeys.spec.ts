// One journey for each page, in an engine that the other tests do not know: one comes to the page as a person does, does the one
// thing that matters there with a real mouse, and sees what comes of it. Scripts fail at nothing on the way.
import { expect } from '@playwright/test';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

import { post } from '../support/api';
import { codeOf } from '../support/authenticator';
import { block, changeable, statuses } from '../support/people';
import { submitChange } from '../support/queue';
import { freePort, start } from '../support/server';
import { passwordOf } from '../support/session';
import { Sink } from '../support/sink';
import { adminJourneys } from './admin-journeys';
import type { Driven } from './driven';
import { signIn, test } from './fixtures';
import { turnTo, type Journey } from './journey';
import { ownJourneys } from './own-journeys';
import { peopleJourneys } from './people-journeys';
import { any, button, field, heading, link, menu, notice, Tab } from './tab';

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

test('/password and /forgot: who was invited chooses a password, and has forgotten it', async ({ driven }, info) => {
  // At another address than the others: cookies know no ports.
  const sink = await Sink.start(info.outputPath('sink.jsonl'));
  const settings = { DOCKET__MAIL__SMTP_URL: sink.url, DOCKET__MAIL__FROM: 'docket@northfield.example' };
  const docket = await start(`127.0.0.3:${await freePort()}`, info.outputPath('docket.log'), settings);
  try {
    const tab = new Tab(driven, docket.url);
    await signIn(tab, docket.passwords.admin);
    await tab.goTo('/admin/users/new');
    await tab.arrives('Add a user');
    await tab.type(field('Name'), 'Nell Quist');
    await tab.type(field('Username'), 'nell');
    await tab.type(field(/^Email address/), 'nell@northfield.example');
    await tab.type(field('Reason'), 'Starts today');
    await tab.click(button('Add the user'));
    await tab.sees(notice(/^The user is added/));
    const links = () => sink.taken().flatMap(({ plain }) => /\/password\?token=\S+/.exec(plain) ?? []);
    await expect.poll(() => links().length).toBe(1);
    await tab.goTo(links()[0]!);
    await tab.arrives('Choose a password');
    await tab.type(field('New password'), 'violet kettle seven moons');
    await tab.click(button('Save password'));
    await tab.arrives('Sign in');
    await tab.sees(notice(/^Your password is saved/));
    await tab.click(link('Forgot your password?'));
    await tab.arrives('Forgot your password?');
    await tab.type(field('Username or email address'), 'nell@northfield.example');
    await tab.click(button('Send the link'));
    await tab.sees(notice(/^Check your email/));
    await expect.poll(() => links().length).toBe(2);
    expect(driven.failures()).toEqual([]);
  } finally {
    await docket.stop();
    await sink.stop();
  }
});

test('/settings/passkeys, /settings/second-factor and /login/code: an app is set up, and its code signs in', async ({ driven }, info) => {
  // At another address than the others: cookies know no ports.
  const docket = await start(`127.0.0.4:${await freePort()}`, info.outputPath('docket.log'), {});
  try {
    const tab = new Tab(driven, docket.url);
    await signIn(tab, docket.passwords.admin);
    // Without a name in the address there are none; what asks a device is tried in tests/passkeys.spec.ts.
    await tab.goTo('/settings/passkeys');
    await tab.arrives('Add a passkey');
    await tab.sees(notice(/Passkeys are off/));
    await tab.goTo('/settings/second-factor');
    await tab.arrives('Authenticator app', 'Set up an authenticator app');
    const { text: key } = await tab.firstOf(any('#secret'));
    await tab.type(field('6-digit code'), codeOf(key));
    await tab.click(button('Turn on'));
    await tab.arrives('Your recovery codes');
    await tab.click(menu(/your account$/));
    await tab.click(button('Sign out'));
    await tab.arrives('Sign in');
    await tab.type(field('Username'), 'admin');
    await tab.type(field('Password'), docket.passwords.admin);
    await tab.click(button('Sign in'));
    await tab.arrives('Enter your code');
    // That of now was shown when the app was set up.
    await tab.type(field('6-digit code'), codeOf(key, 1));
    await tab.click(button('Continue'));
    await tab.arrives('People');
    expect(driven.failures()).toEqual([]);
  } finally {
    await docket.stop();
  }
});

test('/approvals and /approvals/{id}: what a colleague asks for is approved', async ({ driven, playwright }, info) => {
  // At another address than the others: cookies know no ports.
  const docket = await start(`127.0.0.5:${await freePort()}`, info.outputPath('docket.log'), { DOCKET__APPROVALS__KINDS: 'program-status' });
  const colleague = await playwright.request.newContext({ baseURL: docket.url });
  try {
    await post(colleague, '/api/1/session', { username: 'manager', password: docket.passwords.manager });
    const [, , , few] = await statuses(colleague, block(1));
    await submitChange(colleague, await changeable(colleague, block(1), few!.name, 1), few!.name);
    const tab = new Tab(driven, docket.url);
    await signIn(tab, docket.passwords.admin);
    await turnTo(tab, /^Approvals/, 'Approvals');
    await tab.click({ ...link(/^Set status/), css: 'main table a' });
    await tab.arrives(/Set status to [A-Za-z -]+/);
    await tab.click(button('Approve 1 change'));
    await tab.sees(notice(/Approved/));
    expect(driven.failures()).toEqual([]);
  } finally {
    await colleague.dispose();
    await docket.stop();
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
  const walked = new Set(['/setup', '/forgot', '/password', '/settings/passkeys', '/settings/second-factor', '/login/code', '/approvals', '/approvals/{id}', ...journeys.map(({ page }) => page)]);
  expect([...pages].filter((page) => !walked.has(page))).toEqual([]);
});

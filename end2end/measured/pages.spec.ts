// A table of every page: what it weighs, and how long it takes on a slow line (150 ms there and back, 1.6 Mbit/s) with a processor
// four times slower than this one. Once as somebody comes for the first time, once as they come again.
import { expect, type Browser, type BrowserContextOptions } from '@playwright/test';

import { test } from '../support/docket';
import { block, changeable, statuses } from '../support/people';
import { change } from '../support/queue';
import { signIn } from '../support/session';

interface Seen {
  lcp: number;
  cls: number;
  interaction: number;
  alive: number;
}

declare global {
  interface Window {
    measured: Seen;
  }
}

interface Loaded extends Seen {
  page: number;
  scripts: number;
}

const kilobytes = (bytes: number): string => (bytes / 1000).toFixed(1);

/** Loads a page in a browser of its own, twice, and presses what every page has. */
async function load(browser: Browser, options: BrowserContextOptions, address: string): Promise<[Loaded, Loaded]> {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  await page.addInitScript(() => {
    const seen = (window.measured = { lcp: 0, cls: 0, interaction: 0, alive: 0 });
    const observe = (type: string, note: (entry: never) => void, more = {}) =>
      new PerformanceObserver((list) => list.getEntries().forEach((entry) => note(entry as never))).observe({ type, buffered: true, ...more });
    observe('largest-contentful-paint', (entry: PerformanceEntry) => (seen.lcp = entry.startTime));
    observe('layout-shift', (entry: PerformanceEntry & { value: number; hadRecentInput: boolean }) => {
      if (!entry.hadRecentInput) seen.cls += entry.value;
    });
    observe('event', (entry: PerformanceEntry & { interactionId: number }) => {
      if (entry.interactionId) seen.interaction = Math.max(seen.interaction, entry.duration);
    }, { durationThreshold: 16 });
    new MutationObserver(() => {
      if (document.documentElement.dataset.hydrated === 'true') seen.alive ||= performance.now();
    }).observe(document, { attributes: true, subtree: true, attributeFilter: ['data-hydrated'] });
  });
  const line = await context.newCDPSession(page);
  await line.send('Network.enable');
  await line.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 150,
    downloadThroughput: 1_600_000 / 8,
    uploadThroughput: 750_000 / 8,
  });
  await line.send('Emulation.setCPUThrottlingRate', { rate: 4 });
  const kinds = new Map<string, string>();
  let [whole, scripts] = [0, 0];
  line.on('Network.responseReceived', ({ requestId, response }) => void kinds.set(requestId, response.mimeType));
  line.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const kind = kinds.get(requestId) ?? '';
    if (kind === 'text/html') whole += encodedDataLength;
    if (/javascript|wasm/.test(kind)) scripts += encodedDataLength;
  });
  const loaded: Loaded[] = [];
  for (const time of ['first', 'again']) {
    [whole, scripts] = [0, 0];
    await page.goto(address, { waitUntil: 'load' });
    await expect(page.locator('html'), `${address}, ${time}`).toHaveAttribute('data-hydrated', 'true');
    await page.locator('summary').filter({ hasText: ', your account' }).click();
    await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn, 300))));
    // at once: whatever loading does is done by now.
    loaded.push({ ...(await page.evaluate(() => window.measured)), page: whole, scripts });
  }
  await context.close();
  return [loaded[0], loaded[1]];
}

test('what each page weighs, and how long it takes', async ({ page, browser, baseURL }) => {
  test.setTimeout(1_800_000);
  await signIn(page, 'admin');
  const [, , , few] = await statuses(page.request, block(15));
  const people = await changeable(page.request, block(15), few.name, 3);
  const id = await change(page.request, people, few.name);
  const ticked = Object.fromEntries(people.map((person, n) => [`ticked[${n}]`, person]));
  const answer = await page.request.post('/api/page/select-shown', {
    form: { shown: people.join(','), ...ticked },
    headers: { accept: 'application/json' },
  });
  const selected = (await answer.json()) as { token: string };
  const options = { storageState: await page.context().storageState(), baseURL, viewport: { width: 1440, height: 900 } };
  const pages = [
    '/people',
    '/tasks',
    `/tasks/${id}`,
    `/people/${people[0]}`,
    '/people/ids',
    `/actions/new/program-status?sel=${selected.token}`,
    `/actions/new/email?sel=${selected.token}`,
    '/settings',
    '/admin',
    '/admin/tasks',
    `/admin/tasks/${id}`,
    '/admin/failures',
    '/admin/processes',
    '/admin/schedules',
    '/admin/audit',
    '/admin/users',
    '/admin/import',
    '/admin/settings',
  ];
  console.log('| page | page, kB | scripts, kB | LCP, first | alive, first | LCP, again | alive, again | interaction | shift |');
  console.log('|---|---|---|---|---|---|---|---|---|');
  for (const address of pages) {
    const [first, again] = await load(browser, options, address);
    const name = address.split('?')[0].replace(id, '{id}').replace(people[0], '{id}');
    const times = [first.lcp, first.alive, again.lcp, again.alive, Math.max(first.interaction, again.interaction)];
    console.log(
      `| ${name} | ${kilobytes(again.page)} | ${kilobytes(first.scripts)} | ${times.map(Math.round).join(' | ')} | ${Math.max(first.cls, again.cls).toFixed(3)} |`,
    );
  }
});

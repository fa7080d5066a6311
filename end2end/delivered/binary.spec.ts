// The release binary as an operator gets it: one file in an empty folder, run by an account that can write nothing else. Whatever
// the pages need is inside it.
import { expect, test, type Page } from '@playwright/test';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, copyFileSync, mkdirSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { tick } from '../support/mouse';
import { hydrated, selectionBar, task } from '../support/pages';
import { freePort } from '../support/server';

const people = 20;
const password = 'correct horse battery staple';
/** Debian's account that owns nothing, where these tests run as root; their own one otherwise. */
const nobody = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};

test('one file in an empty folder is set up, signed in to, and exports people', async ({ page }) => {
  const built = process.env.DOCKET_BIN;
  if (!built) throw new Error('DOCKET_BIN names no binary: run `cargo xtask endure --only delivered`');
  const above = mkdtempSync(join(tmpdir(), 'docket-delivered-'));
  chmodSync(above, 0o755);
  const [binary, folder, log] = [join(above, 'docket'), join(above, 'empty'), join(above, 'log')];
  copyFileSync(built, binary);
  chmodSync(binary, 0o555);
  mkdirSync(folder);
  if (nobody.uid) chownSync(folder, nobody.uid, nobody.gid!);
  const address = `127.0.0.1:${await freePort()}`;
  const account = { cwd: folder, env: { DOCKET__HTTP__LISTEN: address }, ...nobody };
  const output = openSync(log, 'w');
  const server = spawn(binary, ['serve'], { ...account, stdio: ['ignore', output, output] });
  try {
    let link: string | undefined;
    await expect.poll(() => {
      expect(server.exitCode, readFileSync(log, 'utf8')).toBeNull();
      return (link = /\/setup\?token=\S+/.exec(readFileSync(log, 'utf8'))?.[0]);
    }).toBeDefined();

    const got = new Map<string, number>();
    const failed: string[] = [];
    page.on('response', (answer) => void got.set(answer.url(), answer.status()));
    page.on('requestfailed', (request) => {
      // What the browser itself gives up as it goes on to another page.
      const why = request.failure()?.errorText;
      if (why !== 'net::ERR_ABORTED') failed.push(`${request.url()}: ${why}`);
    });
    page.on('pageerror', (error) => void failed.push(String(error)));
    page.on('console', (said) => void (said.type() === 'error' && failed.push(said.text())));

    await page.goto(`http://${address}${link}`);
    await page.getByLabel('Username').fill('ines');
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Create account' }).click();
    await expect(page).toHaveURL(/\/people/);
    execFileSync(binary, ['people', 'generate', '--count', String(people), '--seed', '1'], account);

    await page.context().clearCookies();
    await signIn(page, `http://${address}`);
    await page.goto(`http://${address}/people`);
    await hydrated(page);
    const boxes = page.getByRole('table').locator('tbody').getByRole('checkbox');
    for (let i = 0; i < 3; i++) await tick(boxes.nth(i));
    await expect(selectionBar(page).getByRole('status')).toHaveText('3 selected');
    await selectionBar(page).getByRole('link', { name: 'Export…' }).click();
    await page.getByRole('button', { name: 'Export 3 people' }).click();
    await expect(task(page)).toHaveAttribute('data-task-status', 'COMPLETED');
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: /^Download CSV/ }).click()]);
    expect(readFileSync(await download.path(), 'utf8').trimEnd().split('\r\n')).toHaveLength(4);

    expect(failed).toEqual([]);
    const wrong = [...got].filter(([url, status]) => status >= 400 || !url.startsWith(`http://${address}/`));
    expect(wrong).toEqual([]);
    const assets = [...got.keys()].map((url) => new URL(url).pathname).filter((path) => path.startsWith('/pkg/'));
    expect(assets).toEqual(expect.arrayContaining(['/pkg/frontend.js', '/pkg/frontend_bg.wasm', '/pkg/docket.css']));
    expect(readdirSync(folder)).toEqual(['data']);

    const exit = once(server, 'exit');
    server.kill('SIGTERM');
    expect((await exit)[0], readFileSync(log, 'utf8')).toBe(0);
  } finally {
    if (server.exitCode === null && server.signalCode === null) {
      const exit = once(server, 'exit');
      server.kill('SIGKILL');
      await exit;
    }
    rmSync(above, { recursive: true, force: true });
  }
});

/** Signs in through the login page, as the account that was made. */
async function signIn(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/login`);
  await page.getByLabel('Username').fill('ines');
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page).not.toHaveURL(/\/login/);
}

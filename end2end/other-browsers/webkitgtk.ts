// Debian's WebKitGTK, by classic WebDriver (Debian's is built without BiDi), in a window on a display that nobody sees.
import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Builder, By, Key, Origin, type WebDriver } from 'selenium-webdriver';

import { freePort } from '../support/server';
import { PATIENCE, WINDOW, type Driven } from './driven';

const driverProgram = '/usr/bin/WebKitWebDriver';
/** How the console of the window writes an error that nobody catches, and what a page is kept from doing. */
const ERROR = /CONSOLE (JS|SECURITY) ERROR/;
/** What WebKit says there of a request that was on its way as the page was left, whatever its script does about it. */
const LEFT = /cannot load .* due to access control checks/;

/** A program with all that it starts. */
class Started {
  private readonly child: ChildProcess;
  private readonly gone: Promise<string>;

  constructor(
    private readonly program: string,
    words: string[],
    options: SpawnOptions,
  ) {
    this.child = spawn(program, words, { ...options, detached: true });
    this.gone = new Promise((resolve) => {
      this.child.once('error', (error) => resolve(error.message));
      this.child.once('exit', (code, signal) => resolve(`ended with ${code ?? signal}`));
    });
  }

  /** What comes of this, unless the program ends before. */
  async meanwhile<T>(what: Promise<T>): Promise<T> {
    const failed = this.gone.then((how) => {
      throw new Error(`${this.program}: ${how}`);
    });
    return Promise.race([what, failed]);
  }

  /** The first line that it writes there. */
  async says(descriptor: number): Promise<string> {
    const stream = this.child.stdio[descriptor];
    if (!stream) throw new Error(`${this.program} writes nothing there`);
    const [line] = await this.meanwhile(once(stream, 'data'));
    return String(line).trim();
  }

  async end(): Promise<void> {
    const { pid } = this.child;
    if (pid === undefined) return;
    try {
      // What it started goes with it, also when it has ended before.
      process.kill(-pid, 'SIGKILL');
    } catch {
      // All of them have ended.
    }
    await this.gone;
  }
}

export async function webkitgtk(): Promise<Driven> {
  const folder = mkdtempSync(join(tmpdir(), 'docket-webkitgtk-'));
  const started: Started[] = [];
  const start = (program: string, words: string[], options: SpawnOptions): Started => {
    const one = new Started(program, words, options);
    started.unshift(one);
    return one;
  };
  const end = async (): Promise<void> => {
    for (const one of started) await one.end();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const screen = ['-screen', '0', `${WINDOW.width}x${WINDOW.height}x24`, '-nolisten', 'tcp'];
    // It takes the first display that is free, and says which.
    const display = start('Xvfb', ['-displayfd', '3', ...screen], { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] });
    const env = { ...process.env, DISPLAY: `:${await display.says(3)}`, NO_AT_BRIDGE: '1', XDG_RUNTIME_DIR: folder };
    const port = await freePort();
    const driver = start(driverProgram, ['--host=127.0.0.1', `--port=${port}`], { env, stdio: 'ignore' });
    const web = await driver.meanwhile(session(`http://127.0.0.1:${port}`, folder));
    return driven(web, join(folder, 'console'), end);
  } catch (error) {
    await end();
    throw error;
  }
}

/** A session, once the driver listens. */
async function session(server: string, folder: string): Promise<WebDriver> {
  while (!(await fetch(`${server}/status`).catch(() => undefined))) await sleep(50);
  const window = { binary: '/usr/bin/python3', args: [join(__dirname, 'webkitgtk_window.py'), folder, WINDOW.width, WINDOW.height].map(String) };
  const wanted = { browserName: 'MiniBrowser', 'webkitgtk:browserOptions': window };
  const web = await new Builder().usingServer(server).withCapabilities(wanted).build();
  await web.manage().setTimeouts({ script: PATIENCE, pageLoad: PATIENCE });
  return web;
}

/** What is called otherwise than in a page. */
const KEYS: Record<string, string> = { Control: Key.CONTROL, Enter: Key.ENTER, Escape: Key.ESCAPE, Tab: Key.TAB, End: Key.END };

function driven(web: WebDriver, console: string, end: () => Promise<void>): Driven {
  let read = 0;
  const hand = () => web.actions({ async: true });
  return {
    goTo: (address) => web.get(address),
    ask: (inPage, ...given) => web.executeScript(`return (${inPage})(...arguments)`, ...given),
    press: (x, y) => hand().move({ x: Math.round(x), y: Math.round(y), origin: Origin.VIEWPORT }).click().perform(),
    type: (text) => hand().sendKeys(text).perform(),
    async key(keys) {
      const names = keys.split('+').map((name) => KEYS[name] ?? name);
      const held = hand();
      for (const name of names) held.keyDown(name);
      for (const name of names.reverse()) held.keyUp(name);
      await held.perform();
    },
    hold: (field, file) => web.findElement(By.css(field)).sendKeys(file),
    failures() {
      const all = readFileSync(console, 'utf8');
      const fresh = all.slice(read);
      read = all.length;
      return fresh.split('\n').filter((line) => ERROR.test(line) && !LEFT.test(line));
    },
    screenshot: async () => Buffer.from(await web.takeScreenshot(), 'base64'),
    async close() {
      await web.quit().catch(() => undefined);
      await end();
    },
  };
}

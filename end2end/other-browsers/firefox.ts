// Debian's Firefox, without windows, by WebDriver BiDi: it speaks that itself.
import puppeteer, { type ElementHandle, type KeyInput } from 'puppeteer-core';

import { PATIENCE, WINDOW, type Driven } from './driven';

const program = '/usr/bin/firefox-esr';

export async function firefox(): Promise<Driven> {
  const browser = await puppeteer.launch({
    browser: 'firefox',
    protocol: 'webDriverBiDi',
    executablePath: program,
    timeout: PATIENCE,
    protocolTimeout: PATIENCE,
    defaultViewport: WINDOW,
  });
  const page = await browser.newPage();
  page.setDefaultTimeout(PATIENCE);
  let failures: string[] = [];
  // What is thrown and nobody catches, in a promise as well.
  page.on('pageerror', (error) => void failures.push(String((error as Error).stack ?? error)));
  page.on('console', (said) => void (said.type() === 'error' && failures.push(said.text())));
  return {
    goTo: async (address) => void (await page.goto(address)),
    // at once: whoever asks waits.
    ask: (inPage, ...given) => page.evaluate(inPage as (...all: unknown[]) => unknown, ...given) as Promise<never>,
    press: (x, y) => page.mouse.click(x, y),
    type: (text) => page.keyboard.type(text),
    async key(keys) {
      const names = keys.split('+') as KeyInput[];
      for (const name of names) await page.keyboard.down(name);
      for (const name of names.reverse()) await page.keyboard.up(name);
    },
    async hold(field, file) {
      const found = (await page.locator(field).waitHandle()) as ElementHandle<HTMLInputElement>;
      await found.uploadFile(file);
    },
    failures() {
      const all = failures;
      failures = [];
      return all;
    },
    screenshot: async () => Buffer.from(await page.screenshot()),
    close: () => browser.close(),
  };
}

// Nothing jumps while a page comes to life.
import { expect, type Page } from '@playwright/test';

import { block, changeable, statuses } from '../support/people';
import { change, test } from '../support/queue';
import { hydrated } from '../support/pages';
import { signIn } from '../support/session';

const most = 0.02;

declare global {
  interface Window {
    shifted: { value: number; what: string[] };
  }
}

interface Shift extends PerformanceEntry {
  value: number;
  hadRecentInput: boolean;
  sources: { node: Element | null }[];
}

/** Loads a page and says how far it has shifted once it is alive and live. */
async function shifted(page: Page, address: string): Promise<Window['shifted']> {
  await page.goto(address);
  await hydrated(page);
  await expect(page.locator('[data-live]')).toHaveAttribute('data-live', 'on');
  await page.evaluate(() => document.fonts.ready);
  // What the last change moved is known after it is drawn.
  await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
  // at once: whatever loading moves has moved by now.
  return page.evaluate(() => window.shifted);
}

test('pages hold still', async ({ page }) => {
  await page.addInitScript(() => {
    window.shifted = { value: 0, what: [] };
    new PerformanceObserver((list) => {
      for (const shift of list.getEntries() as Shift[]) {
        if (shift.hadRecentInput) continue;
        window.shifted.value += shift.value;
        window.shifted.what.push(...shift.sources.map(({ node }) => `${node?.nodeName}.${node?.className}`));
      }
    }).observe({ type: 'layout-shift', buffered: true });
  });
  await signIn(page, 'manager');
  const [, , , few] = await statuses(page.request, block(15));
  const id = await change(page.request, await changeable(page.request, block(15), few.name, 3), few.name);
  for (const size of [{ width: 1440, height: 900 }, { width: 375, height: 812 }]) {
    await page.setViewportSize(size);
    for (const address of ['/people', `/people?q=${block(15)}&programStatus=${few.name}`, `/tasks/${id}`, '/tasks']) {
      const { value, what } = await shifted(page, address);
      expect.soft(value, `${address} at ${size.width} px: ${what.join(', ')}`).toBeLessThanOrEqual(most);
    }
  }
});

// What axe finds on a page, and what is too wide for the smallest screen.
import { expect, type Page } from '@playwright/test';
import { source, type RunOptions } from 'axe-core';

declare global {
  interface Window {
    axe: typeof import('axe-core');
    /** What was to be seen on a wide screen. */
    seenWide: WeakSet<Element>;
  }
}

type Theme = 'light' | 'dark';

/** Colours take almost all of the time. */
const contrast = 'color-contrast';

/** Looks at the page as it is, in each theme and width. */
export async function check(page: Page): Promise<void> {
  const before = page.viewportSize()!;
  await page.evaluate(source);
  await page.setViewportSize({ width: 1440, height: 900 });
  await look(page, 'light', {});
  // Only colours differ between themes.
  await look(page, 'dark', { runOnly: [contrast] });
  await page.evaluate(() => {
    window.seenWide = new WeakSet([...document.body.querySelectorAll('*')].filter((element) => element.checkVisibility()));
  });
  await page.setViewportSize({ width: 375, height: 900 });
  await look(page, 'light', { rules: { [contrast]: { enabled: false } } });
  for (const theme of ['light', 'dark'] as const) await look(page, theme, { runOnly: [contrast] }, true);
  await page.setViewportSize({ width: 320, height: 900 });
  // at once: a page is laid out when it is asked how wide it is.
  const beyond = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect.soft(beyond, `${page.url()} is wider than 320 px`).toBeLessThanOrEqual(0);
  await page.setViewportSize(before);
}

/** Looks at all of it, or at what is to be seen on a small screen alone. */
async function look(page: Page, theme: Theme, options: RunOptions, onlyHere = false): Promise<void> {
  await page.emulateMedia({ colorScheme: theme });
  // at once: whoever calls has waited for what is to be looked at.
  const found = await page.evaluate(
    async ({ options, onlyHere }) => {
      const isNew = (element: Element | null) => !!element?.checkVisibility() && !window.seenWide.has(element);
      const elements = onlyHere ? [...document.body.querySelectorAll('*')] : [document.documentElement];
      const include = onlyHere ? elements.filter((element) => isNew(element) && !isNew(element.parentElement)) : elements;
      if (include.length === 0) return [];
      const { violations } = await window.axe.run({ include }, { ...options, resultTypes: ['violations'] });
      return violations.map(({ id, help, nodes }) => ({ id, help, nodes: nodes.map((node) => node.html) }));
    },
    { options, onlyHere },
  );
  expect.soft(found, `${page.url()} ${theme}, ${page.viewportSize()!.width} px`).toEqual([]);
}

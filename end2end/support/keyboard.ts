// Walking a page with the keyboard.
import { expect, type Locator, type Page } from '@playwright/test';

/** Presses Tab until the element has the focus, looking at each stop on the way. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  await expect(target).toBeAttached();
  let nowhere = 0;
  for (let stop = 0; stop < 80; stop++) {
    // at once: a key has moved the focus before it is up.
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press('Tab');
    // at once: Tab has moved it by now.
    const lost = await page.evaluate(() => {
      const focus = document.activeElement;
      if (!focus || focus === document.body) return 'nothing';
      // The focus may be drawn around what is drawn for the element.
      const drawn = [focus, focus.closest('label'), focus.closest('td'), focus.parentElement].some((element) => {
        const style = element && getComputedStyle(element);
        return style && ((style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) > 0) || style.boxShadow !== 'none');
      });
      const { top, bottom, width, height } = focus.getBoundingClientRect();
      const inView = bottom > 0 && top < innerHeight && width > 0 && height > 0;
      return drawn && inView ? '' : focus.outerHTML.slice(0, 200);
    });
    // After its last stop a page has one more, the browser itself.
    nowhere = lost === 'nothing' ? nowhere + 1 : 0;
    if (nowhere !== 1) expect(lost, 'the focus cannot be seen').toBe('');
  }
  throw new Error(`no way to ${target} by Tab`);
}

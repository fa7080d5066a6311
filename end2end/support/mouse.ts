// Choosing as a person does it: with the mouse, on the words. Playwright's own `check` and `selectOption` press the box itself
// or no button at all, and walk past what happens under a pointer; server/tests/it/browser_rules.rs keeps them out.
import { expect, type Locator, type Page } from '@playwright/test';

/** Ticks a box, or chooses a button of several, unless it is already. */
export async function tick(box: Locator, on = true): Promise<void> {
  // at once: one that was still to change is missed below.
  if ((await box.isChecked()) !== on) await clickWords(box);
  await expect(box).toBeChecked({ checked: on });
}

/** Takes the tick out of a box. */
export const untick = (box: Locator): Promise<void> => tick(box, false);

/** Opens a list of choices and types the words of one of them; those that no keyboard has are gone down to. */
export async function pick(list: Locator, words: string): Promise<void> {
  await list.click();
  if (/^[ -~]*$/.test(words)) {
    await list.page().keyboard.type(words);
  } else {
    // at once: a list has its choices from the beginning.
    const choices = await list.locator('option').allTextContents();
    await list.press('Home');
    for (let below = 0; below < choices.indexOf(words); below++) await list.press('ArrowDown');
  }
  await list.page().keyboard.press('Enter');
  await expect(list.locator('option:checked')).toHaveText(words);
}

/** Clicks the words beside a box at their centre; where there are none in sight, the place around the box that takes clicks. */
export async function clickWords(box: Locator): Promise<void> {
  const page: Page = box.page();
  // It may still be replaced or move, or something may lie over it for a moment.
  await expect(async () => {
    await box.scrollIntoViewIfNeeded();
    const { x, y, over } = await box.evaluate(middleOfWords);
    expect(over, 'lies over the words').toBeNull();
    await page.mouse.click(x, y);
  }).toPass();
}

/** Runs in the page: where the words of a box have their middle, and what lies over them there. */
function middleOfWords(box: SVGElement | HTMLElement): { x: number; y: number; over: string | null } {
  const label = (box as HTMLInputElement).labels?.[0] ?? box;
  const texts = document.createTreeWalker(label, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  let { left, top, width, height } = label.getBoundingClientRect();
  for (let text = texts.nextNode(); text; text = texts.nextNode()) {
    range.selectNodeContents(text);
    const line = [...range.getClientRects()].find((line) => line.width > 1 && line.height > 1);
    // What is only for those who hear the page is clipped to nothing by an element around it.
    if (!line || !text.textContent?.trim() || text.parentElement?.closest('.hidden')) continue;
    ({ left, top, width, height } = line);
    break;
  }
  const [x, y] = [left + width / 2, top + height / 2];
  const hit = document.elementFromPoint(x, y);
  return { x, y, over: label.contains(hit) ? null : (hit?.outerHTML.slice(0, 200) ?? 'nothing there') };
}

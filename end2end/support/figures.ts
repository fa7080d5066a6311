// How long something took. A machine that has much else to do may take any time, so a check of the code prints it; only
// `cargo xtask endure`, on a machine of its own, holds it to what people are promised.
import { expect } from '@playwright/test';

/** In the title of each test that has a figure, so that they can be run alone. */
export const FIGURE = '@figure';

/** Whether they are held to it here. */
export const asserted = process.env.FIGURES === 'asserted';

/** A figure in ms, and the most that is promised, with something added for a machine that is shared. */
export function figure(what: string, ms: number, most: number): void {
  console.log(`${what}: ${Math.round(ms)} ms, of ${most} ms at most`);
  if (asserted) expect(Math.round(ms), what).toBeLessThanOrEqual(most);
}

/** Begins to count; called, it tells the ms since. */
export function sinceNow(): () => number {
  const begun = Date.now();
  return () => Date.now() - begun;
}

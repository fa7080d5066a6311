// What a journey needs of a browser, whichever it is.

export interface Driven {
  goTo(address: string): Promise<void>;
  /** What a function answers that runs in the page and uses nothing from around it. */
  ask<T, A extends unknown[]>(inPage: (...given: A) => T, ...given: A): Promise<T>;
  /** Presses and releases the mouse at this place of the window, as a hand does. */
  press(x: number, y: number): Promise<void>;
  type(text: string): Promise<void>;
  /** A key, or several that are held together: `Enter`, `Control+a`. */
  key(keys: string): Promise<void>;
  /** Has a field hold a file, which no page lets a hand do without a dialog of the system. */
  hold(field: string, file: string): Promise<void>;
  /** What scripts have failed at since this was asked last. */
  failures(): string[];
  screenshot(): Promise<Buffer>;
  close(): Promise<void>;
}

/** As wide as a desk has it, so that the menu of pages stands beside the page. */
export const WINDOW = { width: 1400, height: 1000 };

/** The longest that a browser may take for one thing, in ms: it starts, or a page comes. A machine may have much else to do. */
export const PATIENCE = 240_000;

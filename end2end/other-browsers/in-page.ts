// What runs in the page: how the things on it are found by their words, and where a hand has to press. A function that runs there
// brings all that it uses along.

export interface Target {
  css: string;
  /** What it is called: as a whole, or a pattern that is somewhere in it. */
  words?: string | { pattern: string };
  /** It stands within what fits this and has these words in it. */
  within?: { css: string; words: string };
}

/** One thing that can be seen. */
export interface Seen {
  text: string;
  value: string;
  checked: boolean;
  /** Of a list of choices, the words of the one that is chosen. */
  chosen: string;
  attributes: Record<string, string>;
}

/** Where to press for the first of them. */
export interface Place {
  x: number;
  y: number;
  /** What lies over it. */
  over: string | null;
}

declare global {
  interface Window {
    /** Ends the watch over the last press. */
    watch?: AbortController;
    /** Whether it came down beside what it was for. */
    missed?: boolean;
  }
}

/** Finds what can be seen; with `aims`, also where to press for the first, and from then on a press beside it does nothing. */
export function look({ css, words, within }: Target, aims: boolean): { seen: Seen[]; place: Place | null } {
  const tidy = (text: string | null | undefined) => (text ?? '').replaceAll(/\s+/g, ' ').trim();
  const isSeen = (element: Element) => {
    const { width, height } = element.getBoundingClientRect();
    return width > 0 && height > 0 && element.checkVisibility({ visibilityProperty: true });
  };
  const labelOf = (element: Element) => (element as HTMLInputElement).labels?.[0];
  const nameOf = (element: Element) => tidy(element.getAttribute('aria-label') ?? (labelOf(element) ?? element).textContent);
  const isCalled = (element: Element) => {
    const name = nameOf(element);
    return words === undefined || (typeof words === 'string' ? name === words : new RegExp(words.pattern).test(name));
  };
  const stands = (element: Element) => {
    const around = within && element.closest(within.css);
    return !within || tidy(around?.textContent).includes(within.words);
  };
  // at once: whoever looks looks again.
  const found = [...document.querySelectorAll(css)].filter((element) => isCalled(element) && stands(element) && isSeen(element));
  const seen = found.map((element) => ({
    text: tidy(element.textContent),
    value: (element as HTMLInputElement).value ?? '',
    checked: (element as HTMLInputElement).checked ?? false,
    chosen: tidy((element as HTMLSelectElement).selectedOptions?.[0]?.text),
    attributes: Object.fromEntries([...element.attributes].map(({ name, value }) => [name, value])),
  }));
  if (!aims || !found.length) return { seen, place: null };

  const [element] = found;
  const takes = element.matches('input[type=checkbox], input[type=radio]') ? (labelOf(element) ?? element) : element;
  const { top, bottom } = takes.getBoundingClientRect();
  if (top < 0 || bottom > innerHeight) takes.scrollIntoView({ block: 'center', behavior: 'instant' });
  // The middle of its words; where there are none in sight, its own.
  const texts = document.createTreeWalker(takes, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  let box = takes.getBoundingClientRect();
  for (let text = texts.nextNode(); text; text = texts.nextNode()) {
    range.selectNodeContents(text);
    const line = [...range.getClientRects()].find((line) => line.width > 1 && line.height > 1);
    // What is only for those who hear the page is clipped to nothing by an element around it.
    if (!line || !tidy(text.textContent) || text.parentElement?.closest('.hidden, select')) continue;
    box = line;
    break;
  }
  const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
  const hit = document.elementFromPoint(x, y);
  const place = { x, y, over: takes.contains(hit) ? null : (hit?.outerHTML.slice(0, 200) ?? 'nothing there') };

  // What moves away between this look and the press is not what is pressed then.
  window.watch?.abort();
  window.watch = new AbortController();
  window.missed = false;
  for (const type of ['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click']) {
    const guard = (event: Event) => {
      if (!event.isTrusted || takes.contains(event.target as Node)) return;
      // A label passes its click on to its box.
      if (type === 'click' && !window.missed) return;
      window.missed = true;
      event.preventDefault();
      event.stopImmediatePropagation();
    };
    window.addEventListener(type, guard, { capture: true, signal: window.watch.signal });
  }
  return { seen, place };
}

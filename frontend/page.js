// What scripts do on pages that the server renders: the islands in them are brought to life, a page that moves asks for itself
// again, and a list is narrowed and turned over without loading the document anew. From page to page the browser itself leads.

import { Idiomorph } from "./idiomorph.js";
import * as module from "./frontend.js";
import { stays } from "./forms.js";
import "./go.js";

const root = document.documentElement;
const { base = "" } = root.dataset;

// Under a path, what scripts add leads there as well (server/src/web/base_path.rs).
const settle = () => {
  for (const name of ["href", "action", "formaction"])
    for (const place of document.querySelectorAll(`[${name}^="/"]:not([${name}^="${base}/"])`))
      place.setAttribute(name, base + place.getAttribute(name));
};
if (base) {
  settle();
  new MutationObserver(settle).observe(document, { subtree: true, childList: true, attributes: true });
}

// Whoever has chosen no time zone gets the next page in their browser's (server/src/web/cookies/browser_zone.rs).
if (!root.dataset.zone)
  document.cookie = `docket-zone=${Intl.DateTimeFormat().resolvedOptions().timeZone}; path=${base}/; max-age=31536000; samesite=lax`;

const page = () => document.getElementById("page");
const whole = (path) => (base && !path.startsWith(base + "/") ? base + path : path);
const isLogin = (address) => new URL(address).pathname === whole("/login");

// Whoever has come from another page is at the beginning of this one, or where something is to be mended or written.
const content = document.getElementById("content");
const from = document.referrer && new URL(document.referrer);
const { type } = performance.getEntriesByType("navigation")[0] ?? {};
if (content && from && type === "navigate" && !location.hash && document.activeElement === document.body) {
  const wrong = content.querySelector("[aria-invalid=true], [data-begins]");
  if (wrong) wrong.focus();
  else if (from.origin === location.origin && ![whole("/login"), whole("/setup")].includes(from.pathname))
    content.focus({ preventScroll: true });
}

// Back leads to the link that one had followed.
if (type === "back_forward" && history.state?.at) document.querySelector(history.state.at)?.focus({ preventScroll: true });
addEventListener(
  "click",
  ({ target }) => {
    const href = target.closest?.("a[href]")?.getAttribute("href");
    if (href) history.replaceState({ ...history.state, at: `a[href="${CSS.escape(href)}"]` }, "");
  },
  true,
);

// Why a form was refused is said once: neither a reload nor whoever is given the address hears of it again.
const REFUSED = ["__err", "__path"];
const unsaid = (address) => {
  const to = new URL(address);
  for (const key of REFUSED) to.searchParams.delete(key);
  return to;
};
if (REFUSED.some((key) => new URLSearchParams(location.search).has(key))) history.replaceState(history.state, "", unsaid(location));

// Islands are brought to life from the outside to the inside, each once and only as the server wrote it. One that cannot be costs
// nobody else: it is a part of the page like any other then.
const enliven = () => {
  for (const island of document.querySelectorAll("leptos-island:not([data-alive], [data-dead])")) {
    try {
      island.dataset.alive = "";
      module[island.dataset.component](island);
    } catch (error) {
      delete island.dataset.alive;
      island.dataset.dead = "";
      reportError(error);
    }
  }
};

// Rows stay as they are while any of them is chosen. One box chooses all rows of the page.
const rows = () => [...document.querySelectorAll("#page input[name=only]")];
let alive = false;
let counted = false;
const hold = () => {
  if (!alive) return;
  const boxes = rows();
  const chosen = boxes.filter((box) => box.checked).length;
  const says = document.querySelector("[data-chosen]");
  if (says) says.textContent = chosen ? `${chosen} selected` : says.dataset.chosen;
  const every = document.querySelector("[data-every]");
  if (every) {
    every.parentElement.hidden = false;
    every.checked = chosen === boxes.length;
    every.indeterminate = chosen > 0 && !every.checked;
  }
  if (boxes.length || counted) module.hold(chosen);
  counted = boxes.length > 0;
};

// A question that the address asks is asked before all else.
const ask = () => {
  const dialog = document.querySelector("dialog#cancel[open]");
  if (dialog && !dialog.matches(":modal")) {
    dialog.close();
    dialog.showModal();
  }
};

// ---- What comes anew is merged into what is there.
// What the server calls the page that is shown; the end of a task may be said before it.
let { title } = document;
const call = (fresh) => {
  document.title = document.title.replace(title, () => fresh.title);
  title = fresh.title;
};

// Rows are matched by whom they stand for.
const name = (within) => {
  const seen = new Map();
  for (const element of within.querySelectorAll("[data-key]")) {
    const key = `${element.tagName}:${element.dataset.key}`;
    const n = seen.get(key) ?? 0;
    seen.set(key, n + 1);
    element.id ||= encodeURIComponent(`${key}:${n}`);
  }
};

const IN_USE = "form[data-still]:is(:hover, :focus-within), [data-moves]:is(:hover, :focus-within)";
const FIELDS = ["value", "checked", "selected"];

// What has been chosen and typed to narrow the list.
const narrowing = () => [...document.querySelectorAll("form[role=search]")].map((form) => `${new URLSearchParams(new FormData(form))}`).join();

// While a page moves by itself, what somebody has ticked, typed or opened on it stays, unless it is said anew.
const rules = (byItself, keepsSearch) => {
  const stays = new Map();
  return {
    beforeNodeMorphed(known, fresh) {
      if (known.nodeType !== Node.ELEMENT_NODE) return true;
      if (known.matches("leptos-island[data-alive]") && known.dataset.component === fresh.dataset.component) {
        known.dispatchEvent(new CustomEvent("docket:props", { detail: fresh.dataset.props ?? "", bubbles: true }));
        const [inside, wanted] = [known, fresh].map((island) => island.querySelector("leptos-children"));
        if (inside && wanted) Idiomorph.morph(inside, wanted.childNodes, { morphStyle: "innerHTML", callbacks: rules(byItself, keepsSearch) });
        return false;
      }
      if (known.matches("time[datetime]") && known.getAttribute("datetime") === fresh.getAttribute("datetime")) return false;
      if (keepsSearch && known.matches("form[role=search]")) return false;
      if (!byItself) return true;
      if (known.matches(IN_USE)) return false;
      const same = (field) => known.getAttribute(field) === fresh.getAttribute(field);
      if (known.matches("input, option")) stays.set(known, FIELDS.filter(same));
      if (known.matches("textarea")) stays.set(known, known.defaultValue === fresh.defaultValue ? FIELDS : []);
      return true;
    },
    beforeAttributeUpdated(attribute, known) {
      return !(["data-dead", "data-sent"].includes(attribute) || (byItself && (attribute === "open" || stays.get(known)?.includes(attribute))));
    },
  };
};

const merge = (fresh, byItself, keepsSearch) => {
  around(fresh.ownerDocument);
  const shown = page();
  // A parser without scripts reads what is for those without them as elements, and those would act.
  for (const bare of fresh.querySelectorAll("noscript")) bare.remove();
  name(shown);
  name(fresh);
  const focused = document.activeElement;
  for (const attribute of ["data-topics", "data-again", "data-wait"])
    if (fresh.hasAttribute(attribute)) shown.setAttribute(attribute, fresh.getAttribute(attribute));
    else shown.removeAttribute(attribute);
  Idiomorph.morph(shown, fresh.childNodes, { morphStyle: "innerHTML", callbacks: rules(byItself, keepsSearch) });
  if (focused !== document.activeElement && focused?.isConnected) focused.focus();
  if (!focused?.isConnected) content.focus({ preventScroll: true });
  enliven();
  module.arrive();
  dispatchEvent(new Event("docket:morphed"));
  hold();
  if (!byItself) ask();
};

// What stands around the page and says where it is.
const around = (fresh) => {
  for (const part of ["rail", "bell"]) {
    const [known, wanted] = [document, fresh].map((page) => page.getElementById(part));
    if (known && wanted) Idiomorph.morph(known, wanted.childNodes, { morphStyle: "innerHTML", callbacks: rules(true) });
  }
};

// Whoever has been signed out is told so where they are, and comes back to there.
const ended = ({ pathname, search }) => {
  const next = pathname.slice(base.length) + search;
  document.title = "You were signed out · Docket";
  const said = document.getElementById("ended").content.cloneNode(true);
  said.querySelector("a").href = whole(`/login?${new URLSearchParams({ failed: "ended", next })}`);
  const shown = page();
  shown.replaceChildren(said);
  for (const attribute of ["data-again", "data-topics"]) shown.removeAttribute(attribute);
  module.arrive();
  content.focus();
};

const read = async (answer) => {
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
  const moved = fresh.getElementById("page");
  const fits = answer.ok && moved && moved.dataset.account === page().dataset.account;
  const here = new URL(answer.url).pathname === location.pathname;
  return { fresh, moved: fits && here ? moved : undefined, signedOut: answer.redirected && isLogin(answer.url) };
};

// ---- What is under way: another look of the list, or another page. Whoever begins something calls off what was before.
let trip;
let left = 0;
const leave = () => {
  trip?.abort();
  trip = undefined;
};
const goAway = () => {
  leave();
  left = Date.now();
};

// ---- A page that moves asks for itself again.
let happened = false;
let anew = false;
let waits = false;
let last = 0;

// The selection is whichever the address has by now, or none.
const selected = () => new URLSearchParams(location.search).get("sel");
const chosen = (kept) => {
  const query = new URLSearchParams(kept);
  const now = selected();
  if (now) query.set("sel", now);
  else query.delete("sel");
  return query;
};

const look = async () => {
  const { again: kept, wait } = page()?.dataset ?? {};
  if (kept === undefined || waits || trip) return;
  const asked = anew;
  const held = () => root.hasAttribute("data-held") && !asked;
  if (!asked && (!happened || held() || Date.now() - last < Number(wait))) return;
  [happened, anew, waits, last] = [false, false, true, Date.now()];
  const { pathname } = location;
  const again = chosen(kept);
  try {
    const answer = await fetch(`${pathname}?${again}`, { headers: { accept: "text/html" } });
    // Whoever has gone on, or narrowed the list, or begun to choose meanwhile has another page, and that one looks for itself.
    const gone = () => trip || page().dataset.again !== kept || held();
    if (!answer.ok && ![401, 403, 404].includes(answer.status)) throw new Error(answer.status);
    const { fresh, moved, signedOut } = await read(answer);
    if (gone()) return void (happened = true);
    if (signedOut) return ended(location);
    // Whoever is on the way to another page is not called back.
    if (!moved) return void (Date.now() - left > 10000 && location.reload());
    call(fresh);
    merge(moved, true, true);
  } catch {
    setTimeout(() => {
      happened = true;
      anew ||= asked;
    }, 5000);
  } finally {
    waits = false;
  }
};
addEventListener("docket:changed", ({ detail }) => {
  happened = true;
  if (detail === "now") last = 0;
});
setInterval(look, 250);

// ---- A list is narrowed, sorted and turned over where it is: by its own links and its own forms.
let shownSearch = location.search;
// A form that stays on the list is sent in the same way, and its answer is the list.
const turn = async (to, y, push, body) => {
  leave();
  const own = (trip = new AbortController());
  const [typed, chose] = [narrowing(), selected()];
  try {
    const answer = await fetch(to, { method: body ? "POST" : "GET", body, headers: { accept: "text/html" }, signal: own.signal });
    const { fresh, moved, signedOut } = await read(answer);
    if (own !== trip) return;
    if (signedOut) return ended(body ? location : new URL(to));
    if (!moved) return location.assign(body ? answer.url : to);
    // Whoever has been selected meanwhile comes along.
    if (push && selected() !== chose) return turn(new URL(`?${chosen(new URL(to).search)}`, location).href, y, push);
    if (push) {
      history.replaceState({ ...history.state, y: scrollY }, "");
      history.pushState({}, "", unsaid(answer.url));
    } else if (body) history.replaceState(history.state, "", unsaid(answer.url));
    shownSearch = location.search;
    call(fresh);
    // What has been typed meanwhile has yet to be asked for.
    merge(moved, false, narrowing() !== typed);
    if (y !== undefined) scrollTo(0, y);
  } catch {
    if (own === trip) location.assign(body ? location : to);
  } finally {
    if (own === trip) trip = undefined;
  }
};
const turns = (to) => to.origin === location.origin && to.pathname === location.pathname && page()?.dataset.again !== undefined;
const top = (of) => ("noscroll" in of.dataset ? undefined : 0);

const follow = (event) => {
  const link = event.target.closest?.("a[href]");
  const { button, metaKey, ctrlKey, shiftKey, altKey, defaultPrevented } = event;
  if (!link || defaultPrevented || button || metaKey || ctrlKey || shiftKey || altKey) return;
  if (link.target || link.matches("[download], [rel~=external]") || new URL(link.href).hash) return;
  if (!turns(new URL(link.href))) return goAway();
  event.preventDefault();
  turn(link.href, top(link), true);
};
// The last to hear of a click, so that whoever else takes it has said so.
addEventListener(
  "click",
  () => {
    removeEventListener("click", follow);
    addEventListener("click", follow);
  },
  true,
);
addEventListener("submit", (event) => {
  const { target, submitter } = event;
  const said = (name) => submitter?.getAttribute(`form${name}`) ?? target.getAttribute(name);
  const to = new URL(said("action") ?? "", location);
  if (event.defaultPrevented) return;
  if (stays(event)) {
    event.preventDefault();
    return void turn(to.href, undefined, false, new URLSearchParams(new FormData(target, submitter)));
  }
  if ((said("method") ?? "get").toLowerCase() !== "get" || !turns(to)) return goAway();
  event.preventDefault();
  to.search = new URLSearchParams(new FormData(target, submitter));
  turn(to.href, top(target), true);
});
addEventListener("popstate", ({ state }) => {
  if (location.search !== shownSearch) turn(location.href, state?.y ?? 0, false);
  else leave();
});
addEventListener("scrollend", () => {
  if (!trip) history.replaceState({ ...history.state, y: scrollY }, "");
});
addEventListener("docket:address", ({ detail }) => {
  history.replaceState(history.state, "", whole(detail));
  shownSearch = location.search;
});
addEventListener("docket:go", ({ detail }) => {
  const to = new URL(whole(detail), location);
  if (turns(to)) turn(to.href, 0, true);
  else location.assign(to);
});

addEventListener("change", ({ target }) => {
  if ("every" in target.dataset) for (const box of rows()) box.checked = target.checked;
  hold();
});
addEventListener("reset", () => setTimeout(hold));
// What is shown once is taken away in one press, also where a browser gives no clipboard: without TLS.
addEventListener("click", ({ target }) => {
  const of = target.dataset?.copies;
  if (!of) return;
  getSelection().selectAllChildren(document.getElementById(of));
  if (document.execCommand("copy")) target.textContent = "Copied";
});
addEventListener("click", (event) => {
  if (!event.target.closest?.("[data-anew]")) return;
  event.preventDefault();
  page().dataset.again = location.search.slice(1);
  anew = true;
  look();
});

await module.default({ module_or_path: new URL("./frontend_bg.wasm", import.meta.url) });
module.start();
alive = true;
enliven();
hold();
ask();
root.dataset.hydrated = "true";

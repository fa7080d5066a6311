// What markup alone does not do in forms and menus: the draft of an email is kept while somebody types, the values of a long filter
// are found, characters and seconds are counted, a form is sent once, and menus close.

const root = document.documentElement;

const wall = (at) =>
  new Date(at).toLocaleString("sv-SE", { timeZone: root.dataset.zone || undefined }).replace(" ", "T");
const behind = (typed) => {
  const asUtc = Date.parse(`${typed}Z`);
  const ahead = (at) => Date.parse(`${wall(at)}Z`) - at;
  // The second look is at the moment itself, which may lie on the other side of a change of the clocks.
  return -ahead(asUtc - ahead(asUtc)) / 60000;
};
addEventListener("formdata", ({ target, formData }) => {
  const local = target.querySelector("input[data-local]");
  if (local && formData.has("offset")) formData.set("offset", local.value ? String(behind(local.value)) : "");
  if (target.method === "get") for (const [key, value] of [...formData]) if (value === "") formData.delete(key);
});
addEventListener("change", ({ target }) => {
  const form = document.getElementById(target.dataset?.sends);
  // What rests on the earlier choice is faint until there is an answer to this one.
  form?.toggleAttribute("data-busy", true);
  form?.requestSubmit();
  const button = target.dataset?.says && document.querySelector("[data-said]");
  if (button) button.textContent = target.dataset.says;
});
// What was wrong with an answer is not said of the next one. It goes as one types: later it would move what one is about to press.
addEventListener("input", ({ target }) => {
  const problem = target.closest?.(".field")?.querySelector(".problem");
  if (!problem?.textContent) return;
  problem.textContent = "";
  target.removeAttribute("aria-invalid");
  document.querySelector(`[data-mistakes] li:has([href="#${target.name}"], [href="#${target.id}"])`)?.remove();
});
// What a list says is narrowed while somebody types; the server does the same with the words that are sent.
addEventListener("input", ({ target }) => {
  const list = target.dataset?.narrows && document.getElementById(target.dataset.narrows);
  if (!list) return;
  const words = target.value.toLowerCase().split(/\s+/).filter(Boolean);
  const parts = [...list.querySelectorAll("section")];
  for (const part of parts) {
    const title = part.querySelector("h2").textContent;
    const rows = [...part.querySelectorAll("tbody > tr")];
    for (const row of rows) {
      const said = `${title} ${row.textContent}`.toLowerCase();
      row.hidden = !words.every((word) => said.includes(word));
    }
    part.hidden = words.length > 0 && ("first" in part.dataset || rows.every((row) => row.hidden));
  }
  list.querySelector("[data-none]").hidden = parts.some((part) => !part.hidden);
});
addEventListener("click", (event) => {
  const closes = event.target.closest?.("[data-closes]");
  if (closes) {
    event.preventDefault();
    document.getElementById(closes.dataset.closes)?.close();
  }
});

// ---- The draft of an email.
const EVERY = 5000;
// Drafts go here and nowhere else, whatever the markup of a form says.
const DRAFTS = new URL("../api/page/actions/email", import.meta.url);
// The values of a filter come from here.
const VALUES = new URL("../api/page/filter-values", import.meta.url);
let dirty = null;
let saving = null;

// 14:05:09, as everywhere else on the page.
const time = (iso) => wall(iso).slice(11);
const part = (form, name) => form.querySelector(`[data-letter-${name}]`);

const say = (form, words) => {
  const state = form.querySelector("[data-draft-state]");
  if (state) state.textContent = words;
};

const show = (form, letter) => {
  if (!letter || !part(form, "body")) return;
  part(form, "to").textContent = letter.to ?? "no address";
  part(form, "subject").textContent = letter.subject;
  // Escaped by the server, which is the only one to write it.
  part(form, "body").innerHTML = letter.html;
};

const keep = async (form) => {
  const fields = new URLSearchParams(new FormData(form));
  fields.set("do", "save");
  dirty = null;
  try {
    const answer = await fetch(DRAFTS, {
      method: "POST",
      headers: { accept: "application/json" },
      body: fields,
      // Whoever leaves while it is on its way loses nothing. Only small requests outlive their page.
      keepalive: fields.toString().length < 60000,
      signal: AbortSignal.timeout(EVERY),
    });
    const kept = await answer.json();
    if (answer.ok) {
      form.elements.revision.value = kept.revision;
      form.elements.next.value = kept.next;
      say(form, `Draft saved ${time(kept.savedDate)}`);
      show(form, kept.letter);
    } else if (answer.status < 500) {
      // Trying again would change nothing.
      say(form, kept.detail);
    } else throw new Error(answer.status);
  } catch {
    dirty ??= form;
    say(form, "Not saved yet. Trying again…");
  }
};

const save = async (form, leaving) => {
  if (saving && !leaving) return;
  const own = (saving = keep(form));
  await own;
  if (saving === own) saving = null;
};

// As the reader wants numbers.
const grouped = (number) => number.toLocaleString("en").replaceAll(",", root.dataset.numbers || ",");

const count = () => {
  for (const place of document.querySelectorAll("[data-count-of]")) {
    const field = document.getElementById(place.dataset.countOf);
    const most = Number(place.dataset.most);
    const length = [...(field?.value ?? "")].length;
    // Said only where it begins to matter, and then in red.
    const near = length > most * 0.8;
    place.textContent = near || place.dataset.countOf === "body" ? `${grouped(length)} of ${grouped(most)}` : "";
    place.toggleAttribute("data-over", length > most);
  }
};

// Menus are `details` and work without scripts. With them they close on Esc, which gives the focus back, when one leaves them,
// and when a link of theirs leads on, also where the page stays loaded.
const openMenus = () => document.querySelectorAll("details.menu[open]");
const closeMenus = ({ target, type }) => {
  const leads = type === "click" && target.closest?.("a");
  // A press on mere words gives the focus to what the menu itself is in, such as the page: nobody has left it by that.
  const around = (menu) => type === "focusin" && target.contains(menu);
  // One that pushes down what is below it stays: what somebody presses would move away under the pointer.
  const floats = (menu) => getComputedStyle(menu.querySelector(".panel")).position !== "static";
  for (const menu of openMenus()) if (leads || (floats(menu) && !(menu.contains(target) || around(menu)))) menu.open = false;
};
addEventListener("click", closeMenus);
addEventListener("focusin", closeMenus);
addEventListener("keydown", ({ key }) => {
  if (key !== "Escape") return;
  for (const menu of openMenus()) {
    if (menu.contains(document.activeElement)) menu.querySelector("summary").focus();
    menu.open = false;
  }
});

// A menu that asks for a name is open to be typed into.
addEventListener(
  "toggle",
  ({ target }) => {
    if (target.matches?.("details.menu[open]")) target.querySelector("[data-first]")?.focus();
  },
  true,
);

// A filter of many values is searched while somebody types: what is ticked stays, and what was found stands below.
let asks = 0;
const find = async (field) => {
  const own = ++asks;
  const body = new URLSearchParams({ field: field.dataset.find, words: field.value });
  const answer = await fetch(VALUES, { method: "POST", headers: { accept: "application/json" }, body });
  if (!answer.ok || own !== asks) return;
  const { found, more } = await answer.json();
  const panel = field.parentElement;
  const list = panel.querySelector("fieldset");
  const labels = [...list.querySelectorAll("label")];
  list.sample ??= labels[0];
  const kept = labels.filter((label) => label.control.checked);
  const made = found
    .filter(({ value }) => !kept.some((label) => label.control.value === value))
    .map(({ value, label }) => {
      const choice = list.sample.cloneNode(true);
      choice.control.removeAttribute("checked");
      choice.control.checked = false;
      choice.dataset.key = choice.control.value = value;
      choice.lastElementChild.textContent = label;
      return choice;
    });
  list.replaceChildren(list.firstElementChild, ...kept, ...made);
  panel.querySelector("[data-more]").hidden = !more;
};
let typing;
addEventListener("input", ({ target }) => {
  if (!target.dataset?.find) return;
  clearTimeout(typing);
  typing = setTimeout(find, 150, target);
});
addEventListener("keydown", (event) => {
  if (event.key === "Enter" && event.target.dataset?.find) event.preventDefault();
});
// What was typed to find a value is no filter. Before whoever else listens, since that may read the form at once.
const forget = ({ target }) => {
  for (const field of target.querySelectorAll("[data-find]")) field.value = "";
};
addEventListener("submit", forget, true);

const countDown = () => {
  for (const place of document.querySelectorAll("[data-until]")) {
    const { until, says, ended, whole } = place.dataset;
    const left = Math.ceil((Date.parse(until) - Date.now()) / 1000);
    if (whole) place.setAttribute("stroke-dasharray", `${Math.max(left, 0)} ${whole}`);
    // A heading has its words in it, so that it is heard.
    else if (says) place.textContent = left > 0 ? `${says} ${left} s` : ended;
    else if (left > 0 && left < 3600) place.dataset.left = `Held, ${left} s left`;
    else if (place.dataset.left) place.dataset.left = "Starting now";
  }
};

// What one reads beside it is as one types, once one pauses.
let pause;
addEventListener("input", ({ target }) => {
  const form = target.closest?.("form[data-draft]");
  if (!form) return;
  dirty = form;
  count();
  clearTimeout(pause);
  pause = setTimeout(async () => {
    await saving;
    if (dirty?.isConnected) save(dirty);
  }, 300);
});
// A new email goes on below its greeting, another one at its end.
const text = document.querySelector("form[data-draft] textarea");
if (text) {
  const gap = text.value.indexOf("\n\n\n") + 2;
  const at = gap > 1 ? gap : text.value.length;
  // What was typed before this page was alive is kept as well.
  if ([text, text.form.elements.subject].some((field) => field.value !== field.defaultValue)) dirty = text.form;
  else text.setSelectionRange(at, at);
}
addEventListener("change", ({ target }) => {
  if (target.matches?.("form[data-draft] :is(select[name=person], input[name=to])")) save(target.form);
});
addEventListener("click", ({ target }) => {
  const button = target.closest?.("[data-insert]");
  const body = button?.form?.elements.body;
  if (!body) return;
  body.setRangeText(button.dataset.insert, body.selectionStart, body.selectionEnd, "end");
  body.focus();
  body.dispatchEvent(new Event("input", { bubbles: true }));
});
addEventListener("submit", async (event) => {
  const { target, submitter } = event;
  if (target === dirty) dirty = null;
  if (!saving || !target.matches("form[data-draft]")) return;
  // What is on its way would find another draft than it knows.
  event.preventDefault();
  await saving;
  target.requestSubmit(submitter);
});
addEventListener(
  "click",
  ({ target }) => {
    // Before the page is another one, without a load in between.
    if (dirty?.isConnected && target.closest?.("a[href]")) save(dirty, true);
  },
  true,
);
document.addEventListener("visibilitychange", () => {
  if (document.hidden && dirty?.isConnected) save(dirty, true);
});
setInterval(() => {
  if (dirty?.isConnected) save(dirty);
}, EVERY);
setInterval(countDown, 1000);
setInterval(count, 1000);
count();
countDown();

// Whether the answer to a form is merged into its page (page.js); a button that does something else leads there.
export const stays = ({ target, submitter }) => "stays" in target.dataset && submitter?.name !== "do";

// A form is posted once only; one that stays on its page is asked by that.
addEventListener("submit", (event) => {
  const { defaultPrevented, target } = event;
  if (defaultPrevented || target.method !== "post" || stays(event)) return;
  if ("sent" in target.dataset) event.preventDefault();
  target.dataset.sent = "";
});
addEventListener("pageshow", ({ persisted }) => {
  // As it was then, and perhaps somebody else's by now.
  if (persisted) location.reload();
  for (const form of document.querySelectorAll("form[data-sent]")) delete form.dataset.sent;
});

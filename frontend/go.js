// Going to whatever one types the name of: a dialog over the page, opened by Ctrl K or ⌘ K or the link in the bar. Its list is that of
// the page which does the same without scripts; here its links and buttons are the options of a combobox, which keeps the focus.

const GO = new URL("../go", import.meta.url);
const PAUSE = 120;

const dialog = document.getElementById("go");
const form = dialog?.querySelector("form");
const field = form?.elements.q;
const list = dialog?.querySelector("[role=listbox]");
const status = dialog?.querySelector("[role=status]");

let asking;
let timer;
// Whether Enter was pressed before the list was there that it is about.
let wanted = false;

const options = () => [...list.querySelectorAll("[role=option]")];
const chosen = () => list.querySelector("[aria-selected=true]");
const choose = (option) => {
  for (const other of options()) other.setAttribute("aria-selected", other === option);
  if (option) field.setAttribute("aria-activedescendant", option.id);
  else field.removeAttribute("aria-activedescendant");
  option?.scrollIntoView({ block: "nearest" });
};
const open = (option) => {
  dialog.close();
  option.click();
};

const show = (fresh) => {
  list.replaceChildren(...fresh.getElementById("found").children);
  for (const [n, group] of [...list.children].entries()) {
    const heading = group.querySelector("h2");
    heading.id = `go-group-${n}`;
    group.role = "group";
    group.setAttribute("aria-labelledby", heading.id);
    for (const part of group.querySelectorAll("h2, ul, li")) part.role = "presentation";
  }
  for (const [n, link] of [...list.querySelectorAll("a, button")].entries()) {
    link.id = `go-option-${n}`;
    link.role = "option";
    link.tabIndex = -1;
  }
  choose(options()[0]);
  field.setAttribute("aria-expanded", options().length > 0);
  status.textContent = fresh.getElementById("said").textContent;
};

// A list that is on its way is of what was typed before.
const forget = () => {
  clearTimeout(timer);
  timer = undefined;
  asking?.abort();
  asking = undefined;
};

const ask = async () => {
  forget();
  const own = (asking = new AbortController());
  const query = new URLSearchParams({ q: field.value });
  // Whoever is selected on this page can be acted on.
  const sel = new URLSearchParams(location.search).get("sel");
  if (sel) query.set("sel", sel);
  try {
    const answer = await fetch(`${GO}?${query}`, { headers: { accept: "text/html" }, signal: own.signal });
    const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
    if (own !== asking) return;
    // Whoever has been signed out is asked to sign in, and comes back to the page of the same list.
    if (!fresh.getElementById("found")) return void form.submit();
    asking = undefined;
    show(fresh);
    if (wanted && chosen()) open(chosen());
    wanted = false;
  } catch {
    if (own !== asking) return;
    asking = undefined;
    list.replaceChildren();
    choose();
    status.textContent = "The list could not be loaded. Press Enter to try again.";
  }
};

const start = () => {
  if (!dialog.open) dialog.showModal();
  wanted = false;
  field.select();
  ask();
};

if (dialog) {
  addEventListener("keydown", (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey || event.key.toLowerCase() !== "k") return;
    event.preventDefault();
    start();
  });
  addEventListener("click", (event) => {
    const { button, ctrlKey, metaKey, shiftKey, altKey, target } = event;
    if (!target.closest?.("[data-go]") || button || ctrlKey || metaKey || shiftKey || altKey) return;
    event.preventDefault();
    start();
  });
  field.addEventListener("input", () => {
    wanted = false;
    forget();
    timer = setTimeout(ask, PAUSE);
  });
  field.addEventListener("keydown", (event) => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!by || event.isComposing) return;
    event.preventDefault();
    const all = options();
    choose(all.at((all.indexOf(chosen()) + by) % all.length));
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (timer || asking) wanted = true;
    else if (chosen()) open(chosen());
    else form.submit();
  });
  // The mouse chooses what it is over, and opens it as any link; beside the dialog it closes it.
  list.addEventListener("pointermove", ({ target }) => {
    const option = target.closest("[role=option]");
    if (option && option !== chosen()) choose(option);
  });
  list.addEventListener("click", ({ target, ctrlKey, metaKey }) => {
    if (target.closest("[role=option]") && !ctrlKey && !metaKey) dialog.close();
  });
  dialog.addEventListener("click", ({ target }) => {
    if (target === dialog) dialog.close();
  });
  dialog.addEventListener("close", forget);
}

// Every page: theme, copying, the version menu, the table of contents. Without it, links do the work.
const root = document.documentElement;
const said = document.querySelector("[data-said]");
const find = (selector) => [...document.querySelectorAll(selector)];

export function fragment(address) {
  try {
    return decodeURIComponent(address.hash.slice(1));
  } catch {
    return address.hash.slice(1);
  }
}

// Theme: system, light, dark, remembered.
const themes = ["system", "light", "dark"];
for (const button of find("[data-theme-button]")) {
  const show = () => {
    const name = `Colour theme: ${root.dataset.theme ?? "system"}`;
    button.setAttribute("aria-label", name);
    button.title = name;
  };
  button.hidden = false;
  button.addEventListener("click", () => {
    const next = themes[(themes.indexOf(root.dataset.theme ?? "system") + 1) % 3];
    if (next === "system") delete root.dataset.theme;
    else root.dataset.theme = next;
    try {
      localStorage.setItem("doctrove-theme", next);
    } catch {} // Storage is blocked: the choice holds for this page.
    show();
  });
  show();
}

// Copying: code blocks by a button, sections and pages as Markdown by their link.
async function copy(text) {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const field = document.body.appendChild(document.createElement("textarea"));
  field.value = text;
  field.select();
  document.execCommand("copy");
  field.remove();
}

function announce(element, text) {
  const before = element.textContent;
  element.textContent = said.textContent = text;
  setTimeout(() => {
    element.textContent = before;
    said.textContent = "";
  }, 1600);
}

for (const block of find("figure.code")) {
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = "Copy";
  button.addEventListener("click", () =>
    copy(block.querySelector("code").textContent).then(() => announce(button, "Copied")),
  );
  block.append(button);
}

async function markdown(number) {
  if (!number) {
    const page = await (await fetch("index.md")).text();
    return `${page}\nSource: ${location.origin}${location.pathname}\n`;
  }
  const section = (await (await fetch("index.json")).json()).sections[number];
  return `## ${section.heading}\n\n${section.body}\n`;
}

for (const link of find("[data-copy]")) {
  link.addEventListener("click", (event) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    const busy = link.querySelector("span");
    markdown(link.dataset.copy)
      .then(copy)
      .then(() => announce(busy, "Copied"))
      .catch(() => location.assign(link.href));
  });
}

// Search: its field opens at once, so that no key is lost, and stays as it was; its script comes after.
const ASK = `<div class="ask"><input type="text" role="combobox" aria-label="Search" aria-autocomplete="list"
  aria-controls="DT-results" aria-expanded="false" autocomplete="off" autocapitalize="off" spellcheck="false"
  enterkeyhint="go" placeholder="Search" maxlength="200"><button type="button" aria-label="Esc: close">Esc</button>
  </div><p role="status"></p>`;

function searchDialog() {
  const dialog = document.createElement("dialog");
  dialog.className = "search";
  dialog.setAttribute("aria-label", "Search");
  dialog.innerHTML = ASK;
  dialog.querySelector("button").addEventListener("click", () => dialog.close());
  return document.body.appendChild(dialog);
}

async function openSearch() {
  const dialog = document.querySelector("dialog.search") ?? searchDialog();
  if (!dialog.open) dialog.showModal();
  dialog.querySelector("input").select();
  try {
    await (await import("./search.js")).search(dialog);
  } catch {
    dialog.querySelector("[role=status]").textContent = "Search could not be loaded.";
  }
}

// It is opened by its button, `/` or Ctrl K.
for (const button of find("[data-search]")) {
  button.hidden = false;
  button.addEventListener("click", openSearch);
  addEventListener("keydown", (event) => {
    // The field of the dialog keeps the focus for a moment when it is closed.
    const typing = event.target.matches?.("input:not([type=radio], dialog:not([open]) *), textarea, select");
    const chord = event.ctrlKey || event.metaKey;
    if (event.altKey || !(chord ? event.key === "k" : event.key === "/" && !typing)) return;
    event.preventDefault();
    openSearch();
  });
}

// Menus close by Escape and by a click elsewhere.
for (const menu of find("[data-closes]")) {
  addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !menu.open) return;
    menu.open = false;
    menu.querySelector("summary").focus();
  });
  addEventListener("click", (event) => {
    if (!menu.contains(event.target)) menu.open = false;
  });
}
find(".toc a").forEach((link) =>
  link.addEventListener("click", () => {
    const list = link.closest("[popover]");
    if (list?.matches(":popover-open")) list.hidePopover();
  }),
);

// The table of contents follows the scroll; other versions open at the section that is read.
const links = new Map(find(".toc a").map((link) => [fragment(link), link]));
const targets = [...links.keys()].map((id) => document.getElementById(id)).filter(Boolean);
let current = "";

function follow() {
  const line = innerHeight * 0.25;
  const end = scrollY + innerHeight >= root.scrollHeight - 2 && scrollY > 0;
  const above = targets.filter((target) => target.getBoundingClientRect().top <= line);
  const hit = end ? targets.findLast((t) => t.getBoundingClientRect().top < innerHeight) : above.at(-1);
  const id = hit?.id ?? "";
  if (id === current) return;
  links.get(current)?.removeAttribute("aria-current");
  links.get(id)?.setAttribute("aria-current", "true");
  current = id;
}

if (targets.length) {
  let waiting = false;
  addEventListener("scroll", () => {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => {
      waiting = false;
      follow();
    });
  }, { passive: true });
  requestAnimationFrame(follow);
}

// The section that was asked for counts until the reader moves on.
let moved = !location.hash;
for (const type of ["wheel", "touchmove", "keydown"]) {
  addEventListener(type, () => (moved = true), { passive: true });
}
addEventListener("hashchange", () => (moved = false));
for (const link of find("a[data-same]")) {
  link.addEventListener("click", () => (link.hash = moved ? current : fragment(location)));
}
const wanted = fragment(location);
if (wanted && !document.getElementById(wanted) && !document.querySelector("[data-compare]")) {
  history.replaceState(null, "", location.pathname + location.search);
}

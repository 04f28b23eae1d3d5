// Search in the dialog that the page's script opens; loaded then, whatever was typed meanwhile counts.
import { SHOWN, contents, findText, fold, namesIn, once, repaired, site, wordsOf } from "./finding.js";

const make = (tag, attributes, ...children) => {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
};
const results = make("div", { id: "DT-results", role: "listbox", "aria-label": "Results" });
const library = make("select", { "aria-label": "Library" });
const version = make("select", { "aria-label": "Version" });
let input = null; // The field of the dialog.
let status = null;
let active = null;
let run = 0;
let chosen = false;
const ROOM_BESIDE = 100_000; // Bytes of lists of names.

function activate(option) {
  active?.setAttribute("aria-selected", "false");
  active = option ?? null;
  active?.setAttribute("aria-selected", "true");
  active?.scrollIntoView({ block: "nearest" });
  if (active) input.setAttribute("aria-activedescendant", active.id);
  else input.removeAttribute("aria-activedescendant");
}

function marked(text, words) {
  const pattern = words.map((word) => word.replace(/[^\p{L}\p{N}]/gu, "")).filter(Boolean).join("|");
  if (!pattern) return [text];
  const pieces = text.split(new RegExp(`(${pattern})`, "giu"));
  return pieces.map((piece, number) => (number % 2 ? make("mark", {}, piece) : piece));
}

function excerptOf(html) {
  const plain = (text) => text.replaceAll("&lt;", "<").replaceAll("&gt;", ">");
  const pieces = html.split(/<\/?mark>/);
  return pieces.map((piece, number) => (number % 2 ? make("mark", {}, plain(piece)) : plain(piece)));
}

function optionOf(hit, words, number) {
  const target = new URL(hit.place, site);
  target.hash = hit.anchor;
  const volume = `${hit.volume.name} ${hit.volume.version}`;
  const above = hit.anchor ? `${volume} › ${hit.title}` : volume;
  const option = make("a", { role: "option", id: `DT-result-${number}`, href: target.href, tabindex: "-1", "aria-selected": "false" });
  option.append(make("b", {}, ...marked(hit.heading, words)), make("small", {}, above));
  const named = hit.further.find((text) => words.some((word) => fold(text).includes(word)));
  if (hit.excerpt) option.append(make("span", {}, ...excerptOf(hit.excerpt)));
  else if (named) option.append(make("code", {}, ...marked(named, words)));
  return option;
}

function show(groups, words = []) {
  const before = active?.href;
  let number = 0;
  const shown = groups.map(([title, hits]) => {
    const fresh = new Map();
    for (const hit of hits) {
      const target = `${hit.place}#${hit.anchor}`;
      if (!fresh.has(target)) fresh.set(target, hit);
    }
    const options = [...fresh.values()].map((hit) => optionOf(hit, words, (number += 1)));
    if (!title || !options.length) return options;
    return [make("div", { role: "group", "aria-label": title }, make("div", { class: "title", "aria-hidden": "true" }, title), ...options)];
  });
  results.replaceChildren(...shown.flat());
  results.hidden = number === 0;
  input.setAttribute("aria-expanded", String(number > 0));
  const options = [...results.querySelectorAll("a")];
  active = null;
  activate(options.find((option) => option.href === before) ?? options[0]);
  return number;
}

// A text hit lends its excerpt to the name that it belongs to.
function joined(names, texts) {
  const parts = texts.flatMap((text) => text.parts);
  const same = (name) => parts.find(({ place, anchor }) => place === name.place && anchor === name.anchor);
  return [...names.map((name) => ({ ...name, excerpt: same(name)?.excerpt })), ...texts];
}

// The volumes to search, and those to search besides while the reader has not chosen.
async function scope() {
  const { volumes } = await contents("all");
  const wanted = (one) => one.library === library.value && one.version === version.value;
  const own = volumes.filter(library.value ? wanted : (one) => one.latest);
  const others = chosen || !library.value ? [] : volumes.filter((one) => one.latest && !own.includes(one));
  return { own, others, texts: volumes.filter((one) => one.text) };
}

async function textIn({ own, others, texts }, query) {
  const find = (list, count) => {
    const folders = list.filter((one) => one.text).map(({ folder }) => folder);
    if (!folders.length) return [];
    return findText(query, folders.length < texts.length ? { volume: { any: folders } } : {}, count);
  };
  const [near, far] = await Promise.all([find(own, SHOWN), find(others, SHOWN / 2)]);
  return { near, far };
}

// Text with the query, else with its typos repaired; says what was done.
async function textOf(query, words, where) {
  const nothing = { near: [], far: [], marks: words, note: "" };
  try {
    const found = await textIn(where, query);
    if (found.near.length || found.far.length) return { ...nothing, ...found };
    const better = await repaired(query, where.own);
    const again = better === words.join(" ") ? nothing : await textIn(where, better);
    if (!again.near.length && !again.far.length) return nothing;
    return { ...again, marks: [...words, ...better.split(" ")], note: `No text has “${query}”; this one has “${better}”. ` };
  } catch {
    return { ...nothing, note: "Text cannot be searched in this browser; titles, headings and symbols are. " };
  }
}

async function answer() {
  const mine = (run += 1);
  results.setAttribute("aria-busy", "true"); // Until what was typed last is answered.
  await offered("page");
  if (mine !== run) return;
  const query = input.value.trim();
  const words = wordsOf(query);
  if (!words.length) {
    show([]);
    return say("Titles, headings, symbols and text. Several words narrow the result.");
  }
  const where = await scope();
  const { found: named, guessed } = await namesIn(where.own, words);
  if (mine !== run) return;
  show([["", named]], words);
  await new Promise((done) => setTimeout(done, 90)); // More letters may be on their way.
  if (mine !== run) return;
  const [elsewhere, text] = await Promise.all([namesBeside(where, words), textOf(query, words, where)]);
  if (mine !== run) return;
  const count = show([["", joined(named, text.near)], ["Elsewhere", joined(elsewhere, text.far)]], text.marks);
  const { name, version: number, text: whole } = where.own[0] ?? {};
  const guess = guessed ? `No name has “${query}”; these are like it. ` : "";
  const without = where.texts.length && name && !whole && library.value;
  const note = without ? `The text of ${name} ${number} is not indexed; titles, headings and symbols are. ` : text.note;
  say(guess + note + (count ? `${count} result${count === 1 ? "" : "s"}` : "Nothing found."));
}

// Names of other volumes, where those are few enough to be read beside.
const namesBeside = async ({ others }, words) =>
  others[0]?.bytes < ROOM_BESIDE ? (await namesIn(others, words, ROOM_BESIDE)).found : [];

function say(text) {
  status.textContent = text;
  results.setAttribute("aria-busy", "false");
}
const again = () => answer().catch(() => say("Search could not be loaded."));

const offered = once(async () => {
  const { volumes } = await contents("all");
  const within = (folder) => location.href.startsWith(new URL(folder, site).href);
  const around =
    volumes.find(({ folder }) => within(folder)) ??
    volumes.find(({ folder, latest }) => latest && within(folder.slice(0, folder.indexOf("/") + 1)));
  const names = new Map(volumes.map((one) => [one.library, one.name]));
  library.replaceChildren(new Option("All libraries", ""), ...[...names].map(([id, name]) => new Option(name, id)));
  const offerVersions = (wanted) => {
    const of = volumes.filter((one) => one.library === library.value);
    version.replaceChildren(...of.map((one) => new Option(one.version, one.version)));
    version.value = (wanted ?? of.find((one) => one.latest) ?? of[0])?.version ?? "";
    version.hidden = of.length < 1;
  };
  library.value = around?.library ?? "";
  offerVersions(around);
  library.addEventListener("change", () => (offerVersions(), (chosen = true), again()));
  version.addEventListener("change", () => ((chosen = true), again()));
});

function steer(event) {
  if (event.isComposing) return;
  const options = [...results.querySelectorAll("a")];
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step && options.length) {
    event.preventDefault();
    activate(options[(options.indexOf(active) + step + options.length) % options.length]);
  } else if (event.key === "Enter" && active) {
    event.preventDefault();
    active.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true, ctrlKey: event.ctrlKey, metaKey: event.metaKey }));
  }
}

const ready = once(async (dialog) => {
  const style = make("link", { rel: "stylesheet", href: new URL("./search.css", import.meta.url).href });
  await new Promise((done) => {
    style.onload = style.onerror = done;
    document.head.append(style);
  });
  input = dialog.querySelector("input");
  status = dialog.querySelector("[role=status]");
  status.before(make("div", { class: "within" }, library, version));
  status.after(results);
  input.addEventListener("input", again);
  input.addEventListener("keydown", steer);
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog || event.target.closest("a")) dialog.close();
  });
});

// Answer what stands in the field of an open dialog, now and whenever it changes.
export async function search(dialog) {
  await ready(dialog);
  await again();
}

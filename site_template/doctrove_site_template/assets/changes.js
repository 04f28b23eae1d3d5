// The page that compares any two versions of a library: reads what the site publishes of both.
import { compareTexts, compareVolumes } from "./comparing.js";
import { fragment } from "./page.js";

const LONGEST = 40_000; // Characters of two texts that are compared.
const besideIds = /[^0-9A-Za-z\-\u00c0-\u167f\u1681-\u1fff\u2070-\u2fff\u3001-\u{10ffff}]/gu;
const site = new URL("../", import.meta.url);
const panel = document.querySelector("[data-compare]");
const result = document.querySelector("[data-result]");
const said = document.querySelector("[data-said]");
const library = new URL("../", location.href.replace(/[?#].*/, ""));
const names = ["from", "to"];
const selects = names.map((name) => panel.querySelector(`[data-${name}]`));
let run = 0;

const make = (tag, attributes, ...children) => {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
};
const read = async (address) => {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`${address}: ${answer.status}`);
  return answer.json();
};

// A volume: its sections, and where its pages are.
async function volumeOf(catalog, option) {
  const entry = catalog.entries.find((one) => one.id === panel.dataset.compare);
  const root = new URL(option.dataset.place, library);
  const [volume, front] = await Promise.all([
    read(new URL(entry.volumes[option.value].url, site)),
    read(new URL("index.json", root)),
  ]);
  return { root, sections: volume.sections, places: new Map(front.pages?.map((page) => [page.page, page.href])) };
}

function addressOf(volume, section) {
  const page = section.page ?? "";
  const address = new URL(volume.places.get(page) ?? "./", volume.root);
  if (section.id !== page) address.hash = section.id.startsWith(`${page}/`) ? section.id.slice(page.length + 1) : section.id;
  return address.href;
}

const titleOf = (section) =>
  ["", "index"].includes(section.page ?? "") ? "Overview" : (section.trail?.[0] ?? section.heading);

function kindOf(old, now) {
  if (!old) return "added";
  if (!now) return "removed";
  if (old.id === now.id) return "changed";
  return old.page === now.page ? "renamed" : "moved";
}

function differences(old, now) {
  if (old === now) return [];
  if (old.length + now.length > LONGEST) return [make("p", { class: "gap" }, "The texts are too long to be compared here")];
  const rows = compareTexts(old, now);
  const differs = rows.some((row) => row.pieces.some(([kind]) => kind !== "same"));
  if (!differs) return [make("p", { class: "gap" }, "Only line breaks and spaces changed.")];
  const shown = [];
  let last = "";
  for (const row of rows) {
    if (row.folded) {
      shown.push(make("p", { class: "gap" }, `${row.folded} unchanged line${row.folded === 1 ? "" : "s"}`));
      last = "";
      continue;
    }
    const form = row.code ? "code" : "prose";
    if (form !== last) shown.push(row.code ? make("pre", {}, make("code", {})) : make("div", { class: "prose" }));
    const block = row.code ? shown.at(-1).firstChild : shown.at(-1);
    last = form;
    for (const [kind, text] of row.pieces) {
      const soft = row.code ? text : text.replace(/(?<![\n|])\n(?=[A-Za-z\u00c0-\u1fff`'"([])/g, " ");
      block.append(kind === "same" ? soft : make(kind === "added" ? "ins" : "del", {}, soft));
    }
  }
  return shown;
}

function entryOf([old, now], before, after) {
  const section = now ?? old;
  const kind = kindOf(old, now);
  const link = make("a", { href: addressOf(now ? after : before, section) }, section.heading);
  const id = `s-${section.id.replace(besideIds, (sign) => (sign === "/" ? "__" : `_${sign.codePointAt(0).toString(16)}_`))}`;
  const entry = make("section", { class: "change", id }, make("h4", {}, link, " ", make("small", { class: `tag ${kind}` }, kind)));
  if (old && now && kind !== "changed") {
    const was = make("a", { href: addressOf(before, old) }, old.heading);
    entry.append(make("p", { class: "facts" }, make("span", {}, "It was ", was)));
  } else if (old && now && old.heading !== now.heading) {
    entry.append(make("p", { class: "facts" }, make("span", {}, "Its heading was ", make("del", {}, old.heading))));
  }
  const rows = old && now ? differences(old.body, now.body) : [];
  if (rows.length) entry.append(make("div", { class: "diff" }, ...rows));
  return entry;
}

function tallyOf(changes, unchanged) {
  const line = make("p", { class: "facts" });
  for (const kind of ["added", "removed", "changed", "renamed", "moved"]) {
    const count = changes.filter((change) => kindOf(...change) === kind).length;
    if (count) line.append(make("span", { class: `tag ${kind}` }, `${count.toLocaleString("en")} ${kind}`));
  }
  line.append(make("span", {}, `${unchanged.toLocaleString("en")} unchanged`));
  return line;
}

// Shows the changes a few at a time, so that the page stays alive; a newer choice ends it.
async function show(changes, before, after, mine) {
  let block = null;
  let page = null;
  let until = performance.now() + 30;
  for (const change of changes) {
    const section = change[1] ?? change[0];
    if ((section.page ?? "") !== page) {
      page = section.page ?? "";
      block = make("section", { class: "changed-page" }, make("h3", {}, titleOf(section)));
      result.append(block);
    }
    block.append(entryOf(change, before, after));
    if (performance.now() < until) continue;
    await new Promise(requestAnimationFrame);
    if (mine !== run) return;
    until = performance.now() + 30;
  }
}

async function compare() {
  const mine = (run += 1);
  const [from, to] = selects.map((select) => select.selectedOptions[0]);
  result.hidden = false;
  document.querySelector("[data-neighbours]").hidden = true;
  result.replaceChildren(make("p", { class: "facts" }, "Reading both versions …"));
  try {
    const catalog = await read(new URL("catalog.json", site));
    const [before, after] = await Promise.all([from, to].map((option) => volumeOf(catalog, option)));
    if (mine !== run) return;
    const { changes, unchanged } = compareVolumes(before.sections, after.sections);
    result.replaceChildren(make("h2", {}, `From ${from.value} to ${to.value}`), tallyOf(changes, unchanged));
    if (!changes.length) result.append(make("p", {}, "No section of the documentation differs."));
    said.textContent = `${changes.length} sections differ`;
    await show(changes, before, after, mine);
    if (mine === run) document.getElementById(fragment(location))?.scrollIntoView();
  } catch {
    if (mine === run) result.replaceChildren(make("p", {}, "The two versions could not be read."));
  }
}

// Choose what the address asks for; returns what is wrong with it.
function choose(asked) {
  return names.flatMap((name, number) => {
    const given = asked.get(name);
    const wanted = given === "latest" ? panel.dataset.latest : given;
    const option = [...selects[number].options].find((one) => one.value === wanted);
    if (option) option.selected = true;
    if (option) return [];
    return given ? [`There is no version ${given} here.`] : [`The address does not say which version to compare ${name}.`];
  });
}

let shown = location.search;
panel.hidden = false;
panel.querySelector("button").addEventListener("click", () => {
  const query = new URLSearchParams({ from: selects[0].value, to: selects[1].value });
  history.pushState(null, "", `?${query}`);
  shown = location.search;
  compare();
});
addEventListener("popstate", () => location.search === shown || location.reload()); // Not for a mere fragment.

const asked = new URLSearchParams(shown);
if (names.some((name) => asked.has(name))) {
  const wrong = choose(asked);
  if (wrong.length) {
    result.hidden = false;
    result.replaceChildren(make("p", { role: "alert" }, [...new Set(wrong)].join(" ") + " Choose two of the versions above."));
  } else compare();
}

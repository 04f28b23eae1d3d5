// Search: a dialog over the page, loaded when it is first opened. Titles, headings and symbols are
// found by this script, text by Pagefind where the site has it; both read files, no server answers.
const site = new URL("../", import.meta.url);
const data = new URL("_search/", site);
const SHOWN = 6; // Results of one kind.
const ROOM = 150_000; // Bytes of names that are read beside those of the volume that is searched.
const wide = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Bopomofo}]/u;
const between = new RegExp(`(?<=${wide.source})(?=\\S)|(?<=\\S)(?=${wide.source})`, "gu");
const gap = new RegExp(`(?<=${wide.source}(?:</mark>)?) (?=(?:<mark>)?${wide.source})`, "gu");
const apart = (text) => text.replace(between, " ");
const together = (text) => text.replace(gap, "").replace(/<\/mark><mark>/g, "");
const fold = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();

// The words of a text; identifiers give their parts.
function wordsOf(text) {
  const humps = text.replace(/[\p{Ll}\d](?=\p{Lu})|\p{Lu}(?=\p{Lu}\p{Ll})/gu, "$& ");
  return fold(humps).match(/[\p{L}\p{N}]+/gu) ?? [];
}

// The fewest edits that make `word` of `other`, or of a beginning of it, up to `most`.
function edits(word, other, most) {
  if (word.length - other.length > most) return most + 1;
  let before = [];
  let row = Array.from({ length: other.length + 1 }, (_, column) => column);
  for (let i = 1; i <= word.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= other.length; j += 1) {
      const same = word[i - 1] === other[j - 1];
      next[j] = Math.min(row[j] + 1, next[j - 1] + 1, row[j - 1] + (same ? 0 : 1));
      const swapped = i > 1 && j > 1 && word[i - 1] === other[j - 2] && word[i - 2] === other[j - 1];
      if (swapped) next[j] = Math.min(next[j], before[j - 2] + 1);
    }
    if (Math.min(...next) > most) return most + 1;
    before = row;
    row = next;
  }
  return Math.min(...row.slice(-1), ...row.slice(word.length - 1));
}
const allowed = (word) => (word.length < 4 || wide.test(word) ? 0 : word.length < 8 ? 1 : 2);

// What can be searched, and the names of volumes, each read once.
const read = async (name, how) => {
  const answer = await fetch(new URL(name, data), how);
  if (!answer.ok) throw new Error(`${name}: ${answer.status}`);
  return answer;
};
const once = (make) => {
  const kept = new Map();
  return (key) => {
    if (!kept.has(key)) kept.set(key, make(key).catch((error) => (kept.delete(key), Promise.reject(error))));
    return kept.get(key);
  };
};
const contents = once(async () => (await read("entry.json", { cache: "no-cache" })).json());
const names = once(async (volume) => indexed(volume, await (await read(volume.names)).json()));
const spelling = once(async (volume) => (await (await read(volume.words)).text()).split("\n"));

const plainAnchor = (text) => text.toLowerCase().replace(/[^a-z0-9_ -]/g, "").replaceAll(" ", "-");

function* entriesOf(volume, list) {
  for (const [folder, ...pages] of list.folders) {
    for (const [title, address, ...sections] of pages) {
      const place = volume.folder + folder + (address === 0 ? `${plainAnchor(title)}/` : address);
      const lead = sections.find((section) => section[1] === "" && typeof section !== "string");
      yield { place, title, heading: title, anchor: "", further: lead?.slice(2) ?? [] };
      for (const section of sections) {
        const [heading, anchor, ...further] = typeof section === "string" ? [section, 0] : section;
        if (anchor === "") continue;
        yield { place, title, heading, further, anchor: anchor === 0 ? plainAnchor(heading) : anchor };
      }
    }
  }
}

function indexed(volume, list) {
  const vocabulary = new Map();
  const entries = [...entriesOf(volume, list)];
  entries.forEach((entry, number) => {
    const own = [entry.heading, ...entry.further];
    Object.assign(entry, { volume, flat: own.map((text) => wordsOf(text).join("")) });
    const count = (text, weight) => {
      for (const word of new Set(wordsOf(text))) {
        if (!vocabulary.has(word)) vocabulary.set(word, []);
        vocabulary.get(word).push([number, weight]);
      }
    };
    count(own.join(" "), 1);
    if (entry.anchor) count(entry.title, 0.4);
  });
  return { entries, vocabulary };
}

// The entries that have every word, best first; with `tolerant` also those a few letters off.
function findNames({ entries, vocabulary }, words, tolerant) {
  const total = new Map();
  words.forEach((word, place) => {
    const scores = new Map();
    const raise = (number, score) => scores.set(number, Math.max(score, scores.get(number) ?? 0));
    for (const [known, uses] of vocabulary) {
      let score = known === word ? 1 : known.startsWith(word) ? 0.6 + (0.3 * word.length) / known.length : 0;
      const most = tolerant && !score ? allowed(word) : 0;
      if (most && edits(word, known, most) <= most) score = 0.35;
      if (score) uses.forEach(([number, weight]) => raise(number, score * weight));
    }
    if (word.length > 2 || wide.test(word)) {
      entries.forEach(({ flat }, number) => flat.some((text) => text.includes(word)) && raise(number, 0.5));
    }
    for (const [number, score] of scores) {
      if (place === 0) total.set(number, score);
      else if (total.has(number)) total.set(number, total.get(number) + score);
    }
    for (const number of total.keys()) if (!scores.has(number)) total.delete(number);
  });
  const whole = words.join("");
  const rank = ([number, score]) => {
    const { flat, anchor, heading } = entries[number];
    const exact = flat.includes(whole) ? 2 : flat.some((text) => text.startsWith(whole)) ? 1 : 0;
    return score + exact + (anchor ? 0 : 0.2) - Math.min(heading.length, 80) / 400;
  };
  const ranked = [...total].map((found) => [rank(found), entries[found[0]]]);
  return ranked.sort((one, other) => other[0] - one[0]).map(([, entry]) => entry);
}

// Pagefind, where the site has it and the browser can run it.
const engine = once(async (script) => {
  new WebAssembly.Module(Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0)); // Throws where it may not run.
  const { createInstance } = await import(new URL(script, data));
  const made = createInstance({ noWorker: true, excerptLength: 20 });
  await made.init();
  return made;
});

async function findText(query, filters) {
  const { text, volumes } = await contents("all");
  if (!text || query.length < (wide.test(query) ? 1 : 3)) return [];
  const runs = query.split(/\s+/).filter((word) => wide.test(word));
  const phrase = runs.length && runs.join("") === query;
  const found = await (await engine(text)).search(phrase ? `"${apart(query)}"` : apart(query), { filters });
  const pages = await Promise.all(found.results.slice(0, SHOWN).map((result) => result.data()));
  return pages
    .filter((page) => runs.every((run) => together(page.raw_content).includes(run)))
    .map((page) => {
      const place = page.raw_url.slice(1).replaceAll("%", "%25");
      const weight = (part) => part.weighted_locations.reduce((sum, { balanced_score: score }) => sum + score, 0);
      const part = page.sub_results.reduce((best, one) => (weight(one) > weight(best) ? one : best));
      const title = together(page.meta.title);
      const heading = part.anchor ? together(part.anchor.text) : title;
      const volume = volumes.find(({ folder }) => place.startsWith(folder));
      return { place, title, heading, anchor: part.anchor?.id ?? "", volume, further: [], excerpt: together(part.excerpt) };
    });
}

// Words that occur nowhere, replaced by the nearest that do; the same query when all are known.
async function repaired(query, volumes) {
  const lists = await Promise.all(volumes.slice(0, 3).map((volume) => spelling(volume).catch(() => [])));
  const known = lists.flat();
  const repair = (word) => {
    const most = allowed(word);
    if (!most || known.some((one) => one.startsWith(word))) return word;
    const near = known.map((one) => [edits(word, one, most) + Math.abs(one.length - word.length) / 20, one]);
    const [distance, best] = near.reduce((one, other) => (other[0] < one[0] ? other : one), [99, word]);
    return distance < most + 1 ? best : word;
  };
  return wordsOf(query).map(repair).join(" ");
}

// The dialog.
const make = (tag, attributes, ...children) => {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
};
const results = make("div", { id: "DT-results", role: "listbox", "aria-label": "Results" });
const input = make("input", {
  type: "text", role: "combobox", "aria-label": "Search", "aria-autocomplete": "list", "aria-controls": "DT-results",
  "aria-expanded": "false", autocomplete: "off", autocapitalize: "off", spellcheck: "false", enterkeyhint: "go",
  placeholder: "Search", maxlength: "200",
}); // prettier-ignore
const library = make("select", { "aria-label": "Library" });
const version = make("select", { "aria-label": "Version" });
const status = make("p", { role: "status" });
const close = make("button", { type: "button", "aria-label": "Close" }, "Esc");
const dialog = make(
  "dialog",
  { class: "search", "aria-label": "Search" },
  make("div", { class: "ask" }, input, close),
  make("div", { class: "within" }, library, version),
  status,
  results,
);
let active = null;
let run = 0;
let chosen = false;

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
  const { name, version: number_ } = hit.volume;
  const above = hit.anchor ? `${name} ${number_} › ${hit.title}` : `${name} ${number_}`;
  const option = make("a", { role: "option", id: `DT-result-${number}`, href: target.href, tabindex: "-1", "aria-selected": "false" });
  option.append(make("b", {}, ...marked(hit.heading, words)), make("small", {}, above));
  const named = hit.further.find((text) => words.some((word) => fold(text).includes(word)));
  if (hit.excerpt) option.append(make("span", {}, ...excerptOf(hit.excerpt)));
  else if (named) option.append(make("code", {}, ...marked(named, words)));
  return option;
}

function show(groups, words) {
  const before = active?.href;
  let number = 0;
  const seen = new Set();
  const shown = groups.map(([title, hits]) => {
    const fresh = hits.filter((hit) => !seen.has(hit.place + "#" + hit.anchor) && seen.add(hit.place + "#" + hit.anchor));
    const options = fresh.map((hit) => optionOf(hit, words, (number += 1)));
    if (!title || !options.length) return options;
    return [make("div", { role: "group", "aria-label": title }, make("div", { class: "title", "aria-hidden": "true" }, title), ...options)];
  });
  results.replaceChildren(...shown.flat());
  input.setAttribute("aria-expanded", String(number > 0));
  const options = [...results.querySelectorAll("a")];
  active = null;
  activate(options.find((option) => option.href === before) ?? options[0]);
  return number;
}

// A text hit lends its excerpt to the name that it belongs to.
const joined = (found, texts) =>
  found.map((hit) => ({ ...hit, excerpt: texts.find((text) => text.place === hit.place && text.anchor === hit.anchor)?.excerpt }));

async function search() {
  const mine = (run += 1);
  const query = input.value.trim();
  const words = wordsOf(query);
  if (!words.length) {
    show([], []);
    return say("Titles, headings, symbols and text. Several words narrow the result.");
  }
  const { volumes, text } = await contents("all");
  const own = volumes.filter(({ library: id, version: number, latest }) =>
    library.value ? id === library.value && number === version.value : latest,
  );
  const others = chosen || !library.value ? [] : volumes.filter((one) => one.latest && !own.includes(one));
  const within = async (list, room) => {
    const near = list.filter(({ bytes }, place) => (room -= bytes) >= 0 || place === 0);
    const found = await Promise.all(near.map((volume) => names(volume).catch(() => null)));
    const lists = found.filter(Boolean);
    const search = (tolerant) => lists.flatMap((list) => findNames(list, words, tolerant).slice(0, SHOWN));
    const exact = search(false);
    return (exact.length ? exact : search(true)).slice(0, SHOWN);
  };
  const named = await within(own, ROOM);
  if (mine !== run) return;
  const elsewhere = others.length ? "Elsewhere" : "";
  show([["", named]], words);
  await new Promise((done) => setTimeout(done, 90)); // More letters may be on their way.
  const far = await within(others, others[0] && others[0].bytes > ROOM ? 0 : ROOM - 1).catch(() => []);
  if (mine !== run) return;
  const whole = own.filter((one) => one.text);
  const filters = !library.value ? {} : volumes.filter((one) => one.text).length > 1 ? { volume: own.map(({ folder }) => folder) } : {};
  const ask = async (term) => {
    const inside = whole.length ? findText(term, filters) : [];
    const outside = others.some((one) => one.text) ? findText(term, {}) : [];
    const [near, rest] = await Promise.all([inside, outside]);
    return [near, rest.filter((hit) => !own.includes(hit.volume))];
  };
  let note = "";
  let marks = words;
  let [near, rest] = [[], []];
  try {
    [near, rest] = await ask(query);
    if (!near.length && !rest.length) {
      const better = await repaired(query, own);
      if (better !== words.join(" ")) {
        [near, rest] = await ask(better);
        marks = [...words, ...better.split(" ")];
        if (near.length || rest.length) note = `Results for “${better}”. `;
      }
    }
  } catch {
    note = "Text cannot be searched in this browser; titles, headings and symbols are. ";
  }
  if (mine !== run) return;
  if (text && own.length && !whole.length) note = `The text of ${own[0].name} ${own[0].version} is not indexed; titles, headings and symbols are. `;
  const count = show([["", joined(named, near)], ["", near], [elsewhere, joined(far, rest)], [elsewhere, rest]], marks);
  say(note + (count ? `${count} result${count === 1 ? "" : "s"}` : "Nothing found."));
}

const say = (text) => (status.textContent = text);
const failed = () => say("Search could not be loaded.");
const again = () => search().catch(failed);

async function offer() {
  const { volumes } = await contents("all");
  const here = location.href.startsWith(site.href) ? location.href.slice(site.href.length) : "";
  const current = volumes.find(({ folder }) => here.startsWith(folder));
  const around = current ?? volumes.find(({ folder, latest }) => latest && here.startsWith(folder.slice(0, folder.indexOf("/") + 1)));
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
}

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

const ready = once(async () => {
  const style = make("link", { rel: "stylesheet", href: new URL("./search.css", import.meta.url).href });
  await new Promise((done) => {
    style.onload = style.onerror = done;
    document.head.append(style);
  });
  document.body.append(dialog);
  input.addEventListener("input", again);
  input.addEventListener("keydown", steer);
  close.addEventListener("click", () => dialog.close());
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog || event.target.closest("a")) dialog.close();
  });
});

// Open the dialog; what was typed before stays, selected.
export async function open() {
  await ready("page");
  if (!dialog.open) dialog.showModal();
  input.select();
  try {
    if (!library.length) await offer();
    await search();
  } catch {
    failed();
  }
}

// What search finds: titles, headings and symbols by this script, text by Pagefind where the site has
// it. Both read files below `_search/`, each once and when it is needed; no server answers.
export const site = new URL("../", import.meta.url);
const data = new URL("_search/", site);
export const SHOWN = 6; // Results of one kind.
const ROOM = 150_000; // Bytes of names that are read beside those of the first volume.
const wide = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Bopomofo}]/u;
const between = new RegExp(`(?<=${wide.source})(?=\\S)|(?<=\\S)(?=${wide.source})`, "gu");
const joining = `(?:${wide.source}|[\\u2018-\\u201d\\u3000-\\u303f\\uff01-\\uff65])`; // Wide letters and their punctuation.
const gap = new RegExp(`(?<=${joining}(?:</mark>)?) (?=(?:<mark>)?${joining})`, "gu");
const apart = (text) => text.replace(between, " ");
const together = (text) => text.replace(gap, "").replace(/<\/mark><mark>/g, "");
export const fold = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();

// The words of a text; identifiers give their parts, and C++ and C# are words of their own.
export function wordsOf(text) {
  const humps = text.replace(/[\p{Ll}\d](?=\p{Lu})|\p{Lu}(?=\p{Lu}\p{Ll})/gu, "$& ");
  return fold(humps).match(/[\p{L}\p{N}]+(?:\+\+|#(?![\p{L}\p{N}]))?/gu) ?? [];
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
export const once = (make) => {
  const kept = new Map();
  return (key) => {
    if (!kept.has(key)) kept.set(key, make(key).catch((error) => (kept.delete(key), Promise.reject(error))));
    return kept.get(key);
  };
};
export const contents = once(async () => (await read("entry.json", { cache: "no-cache" })).json());
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
      const whole = text.split(/\s+/).map((word) => wordsOf(word).join("")).filter(Boolean);
      for (const word of new Set([...wordsOf(text), ...whole])) {
        if (!vocabulary.has(word)) vocabulary.set(word, []);
        vocabulary.get(word).push([number, weight]);
      }
    };
    count(own.join(" "), 1);
    if (entry.anchor) count(entry.title, 0.4);
  });
  return { entries, vocabulary };
}

// The entries that have every word, best first; with `tolerant` also those a few letters off. A page's
// title counts for its sections, but not alone.
function findNames({ entries, vocabulary }, words, tolerant) {
  const total = new Map();
  const named = new Set();
  words.forEach((word, place) => {
    const scores = new Map();
    const raise = (number, score) => scores.set(number, Math.max(score, scores.get(number) ?? 0));
    for (const [known, uses] of vocabulary) {
      let score = known === word ? 1 : known.startsWith(word) ? 0.6 + (0.3 * word.length) / known.length : 0;
      const most = tolerant && !score ? allowed(word) : 0;
      if (most && edits(word, known, most) <= most) score = 0.35;
      if (!score) continue;
      for (const [number, weight] of uses) {
        raise(number, score * weight);
        if (weight === 1) named.add(number);
      }
    }
    if (word.length > 2 || wide.test(word)) {
      entries.forEach(({ flat }, number) => {
        if (!flat.some((text) => text.includes(word))) return;
        raise(number, 0.5);
        named.add(number);
      });
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
    const [first, ...further] = flat;
    const exact = first === whole ? 2 : first.startsWith(whole) ? 1 : further.includes(whole) ? 0.9 : 0;
    return score + exact + (anchor ? 0 : 0.2) - Math.min(heading.length, 80) / 400;
  };
  const ranked = [...total].filter(([number]) => named.has(number)).map((found) => [rank(found), entries[found[0]]]);
  return ranked.sort((one, other) => other[0] - one[0]).map(([, entry]) => entry);
}

// Names in some volumes, the first of them in any case; typos count only where nothing else is found.
export async function namesIn(volumes, words, room = ROOM) {
  const near = volumes.filter(({ bytes }, place) => (room -= bytes) >= 0 || place === 0);
  const lists = await Promise.all(near.map((volume) => names(volume).catch(() => null)));
  const find = (tolerant) =>
    lists.filter(Boolean).flatMap((list) => findNames(list, words, tolerant).slice(0, SHOWN));
  const exact = find(false);
  const found = (exact.length ? exact : find(true)).slice(0, SHOWN);
  return { found, guessed: !exact.length && found.length > 0 };
}

// Pagefind, where the site has it and the browser can run it.
const engine = once(async (script) => {
  new WebAssembly.Module(Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0)); // Throws where it may not run.
  const { createInstance } = await import(new URL(script, data));
  const made = createInstance({ noWorker: true, excerptLength: 20 });
  await made.init();
  return made;
});

// Pagefind falls back to ever shorter beginnings of a word, down to a letter; a result has its stem.
function stem(word) {
  if (wide.test(word)) return "";
  if (!document.documentElement.lang.startsWith("en")) return word.slice(0, Math.ceil(word.length / 2));
  const ending = /(?<=.{3})(?:[ai]?tions?|ions?|ings?|ed|e?s|ly|ers?|able|ments?|al|ity|ive|e|y)$/;
  return word.replace(ending, "").replace(ending, "").replace(/(.)\1$/, "$1");
}

function isMeant(page, words) {
  const all = page.raw_content.split(/\s+/);
  const matched = page.locations.map((place) => wordsOf(all[place] ?? "").join(""));
  return words.every((word) => matched.some((one) => one.includes(stem(word))));
}

// The excerpt without the heading that stands above it anyway.
function trimmed(excerpt, heading) {
  let [place, left] = [0, `${heading}.`];
  while (left) {
    const tag = /^<\/?mark>/.exec(excerpt.slice(place))?.[0];
    if (!tag && excerpt[place] !== left[0]) return excerpt;
    if (!tag) left = left.slice(1);
    place += tag ? tag.length : 1;
  }
  return excerpt.slice(place).replace(/^<\/mark>/, "").trim();
}

function hitOf(page, volumes) {
  const place = page.raw_url.slice(1).replaceAll("%", "%25");
  const title = together(page.meta.title);
  const volume = volumes.find(({ folder }) => place.startsWith(folder));
  const weight = (part) => part.weighted_locations.reduce((sum, { balanced_score: score }) => sum + score, 0);
  const parts = page.sub_results.map((part) => {
    const heading = together(part.anchor?.text || page.meta.title);
    const excerpt = trimmed(together(part.excerpt), heading);
    return { place, title, heading, anchor: part.anchor?.id ?? "", volume, further: [], excerpt, weight: weight(part) };
  });
  const best = parts.reduce((one, other) => (other.weight > one.weight ? other : one));
  return { ...best, parts };
}

// The pages whose text has the words, best first, each at its best section; `parts` are the others.
export async function findText(query, filters, count = SHOWN) {
  const { text, volumes } = await contents("all");
  if (!text || query.length < (wide.test(query) ? 1 : 3)) return [];
  const runs = query.split(/\s+/).filter((word) => wide.test(word));
  const phrase = runs.length && runs.join("") === query;
  const term = phrase ? `"${apart(query)}"` : apart(query);
  const found = await (await engine(text)).search(term, { filters });
  const pages = await Promise.all(found.results.slice(0, count).map((result) => result.data()));
  return pages
    .filter((page) => isMeant(page, wordsOf(query)))
    .filter((page) => runs.every((run) => together(page.raw_content).includes(run)))
    .map((page) => hitOf(page, volumes));
}

// Words that occur nowhere, replaced by the nearest that do; the same query when all are known.
export async function repaired(query, volumes) {
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

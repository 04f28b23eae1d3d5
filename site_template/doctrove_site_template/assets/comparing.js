// What differs between two volumes: the same rules as in the builder's package `changes`, which says why.
const [AROUND, MOST_LINES, MOST_WORDS, ALIKE, TELLING, MOVED, RENAMED, MOST_PAIRS] = [2, 400, 150, 50, 40, 50, 60, 2500];
const telling = /[0-9A-Za-z_]|[^\x00-\x7f]/u;

// The fewest edits that lead from one list to another, as [same, old begin, old end, new begin, new end].
export function editRuns(old, now, most) {
  let start = 0;
  const least = Math.min(old.length, now.length);
  while (start < least && old[start] === now[start]) start += 1;
  let end = 0;
  while (end < least - start && old.at(-1 - end) === now.at(-1 - end)) end += 1;
  const [a, b] = [old.slice(start, old.length - end), now.slice(start, now.length - end)];
  const pairs = [];
  for (let at = 0; at < start; at += 1) pairs.push([at, at]);
  for (const [x, y] of kept(a, b, most)) pairs.push([x + start, y + start]);
  for (let back = end; back > 0; back -= 1) pairs.push([old.length - back, now.length - back]);
  const runs = [];
  let [x, y, number] = [0, 0, 0];
  while (number < pairs.length) {
    const [left, right] = pairs[number];
    if (left !== x || right !== y) runs.push([false, x, left, y, right]);
    let length = 1;
    while (pairs[number + length]?.[0] === left + length && pairs[number + length][1] === right + length) length += 1;
    [x, y] = [left + length, right + length];
    runs.push([true, left, x, right, y]);
    number += length;
  }
  if (x !== old.length || y !== now.length) runs.push([false, x, old.length, y, now.length]);
  return runs;
}

function kept(old, now, most) {
  const reached = new Map([[1, 0]]);
  const trail = [];
  for (let edits = 0; edits <= Math.min(most, old.length + now.length); edits += 1) {
    trail.push(new Map(reached));
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      let [x] = entered(reached, diagonal, edits);
      while (x < old.length && x - diagonal < now.length && old[x] === now[x - diagonal]) x += 1;
      reached.set(diagonal, x);
      if (x >= old.length && x - diagonal >= now.length) return walked(trail, old.length, now.length);
    }
  }
  return [];
}

function entered(reached, diagonal, edits) {
  const [deleted, inserted] = [(reached.get(diagonal - 1) ?? -1) + 1, reached.get(diagonal + 1) ?? -1];
  const below = diagonal === -edits || (diagonal !== edits && deleted <= inserted);
  return below ? [inserted, true] : [deleted, false];
}

function walked(trail, x, y) {
  const found = [];
  for (let edits = trail.length - 1; edits >= 0; edits -= 1) {
    const [begin, isInsertion] = entered(trail[edits], x - y, edits);
    for (; x > begin; ) found.push([(x -= 1), (y -= 1)]);
    if (isInsertion) y -= 1;
    else x -= 1;
  }
  return found.reverse();
}

export const wordsOf = (text) => text.match(/[0-9A-Za-z_\u00c0-\u1fff]+|[ \t\n]+|[^ \t\n]/gu) ?? [];

function bagOf(text) {
  const bag = new Map();
  for (const word of wordsOf(text)) if (telling.test(word[0])) bag.set(word, (bag.get(word) ?? 0) + 1);
  return bag;
}

function likeness(old, now) {
  let [whole, shared] = [0, 0];
  for (const count of old.values()) whole += count;
  for (const [word, count] of now) {
    whole += count;
    shared += Math.min(count, old.get(word) ?? 0);
  }
  return whole ? Math.floor((200 * shared) / whole) : 100;
}

// The rows of two Markdown texts: {code, pieces: [[kind, text] ...], folded}.
export function compareTexts(old, now) {
  const [left, right] = [linesOf(old), linesOf(now)];
  const runs = editRuns(left, right, MOST_LINES);
  return runs.flatMap(([same, a, b, c, d], number) =>
    same
      ? unchanged(left.slice(a, b), number === 0, number === runs.length - 1)
      : replaced(left.slice(a, b), right.slice(c, d)),
  );
}

function linesOf(text) {
  let fence = "";
  return (text ? text.split("\n") : []).map((line) => {
    const found = line.match(/^[ >]*(`{3,}|~{3,})/);
    const isCode = fence || found;
    if (!fence && found) fence = found[1];
    else if (found?.[1].startsWith(fence) && /^ *$/.test(line.slice(found[0].length))) fence = "";
    return isCode ? `\0${line}` : line;
  });
}

function unchanged(lines, first, last) {
  const [before, after] = [first ? 0 : AROUND, last ? 0 : AROUND];
  if (lines.length <= before + after + 1) return rowsOf(marked("same", lines));
  return [
    ...rowsOf(marked("same", lines.slice(0, before))),
    { code: false, pieces: [], folded: lines.length - before - after },
    ...rowsOf(marked("same", lines.slice(lines.length - after))),
  ];
}

function replaced(old, now) {
  const isProse = ![...old, ...now].some((line) => line.startsWith("\0"));
  const [was, is] = [old, now].map((lines) => lines.map((line) => `${line}\n`).join(""));
  if (old.length && now.length && isProse && likeness(bagOf(was), bagOf(is)) >= ALIKE) {
    return [{ code: false, pieces: interleaved(was, is), folded: 0 }];
  }
  return rowsOf([...marked("removed", old), ...marked("added", now)]);
}

function interleaved(old, now) {
  const [left, right] = [wordsOf(old), wordsOf(now)];
  const level = (words) => words.map((word) => (" \t\n".includes(word[0]) ? " " : word));
  const pieces = [];
  let [removed, added] = ["", ""];
  const settle = () => {
    if (removed) pieces.push(["removed", removed]);
    if (added) pieces.push(["added", added]);
    [removed, added] = ["", ""];
  };
  for (const [same, a, b, c, d] of editRuns(level(left), level(right), MOST_WORDS)) {
    const [was, is] = [left.slice(a, b).join(""), right.slice(c, d).join("")];
    if (same && (telling.test(is) || !(removed || added))) {
      settle();
      pieces.push(["same", is]);
    } else {
      [removed, added] = [removed + was, added + is];
    }
  }
  settle();
  return pieces;
}

const marked = (kind, lines) =>
  lines.map((line) => ({ kind, code: line.startsWith("\0"), text: `${line.replace(/^\0/, "")}\n` }));

function rowsOf(lines) {
  const rows = [];
  for (const { kind, code, text } of lines) {
    let row = rows.at(-1);
    if (row?.code !== code) rows.push((row = { code, pieces: [], folded: 0 }));
    const piece = row.pieces.at(-1);
    if (piece?.[0] === kind) piece[1] += text;
    else row.pieces.push([kind, text]);
  }
  return rows;
}

// What became of each section: {changes: [[old or null, new or null] ...], unchanged}.
export function compareVolumes(old, now) {
  const [before, after] = [old, now].map((sections) => new Map(sections.map((section) => [section.id, section])));
  const gone = old.filter((section) => !after.has(section.id));
  const origin = origins(gone, now.filter((section) => !before.has(section.id)));
  const taken = new Set([...origin.values()].map((section) => section.id));
  const pages = new Map([...now, ...old].map((section) => [section.page ?? "", []]));
  let same = 0;
  for (const section of after.values()) {
    const was = before.get(section.id) ?? origin.get(section.id) ?? null;
    const stays = was?.id === section.id && was.heading === section.heading && was.body === section.body;
    if (stays) same += 1;
    else pages.get(section.page ?? "").push([was, section]);
  }
  for (const section of gone) if (!taken.has(section.id)) pages.get(section.page ?? "").push([section, null]);
  return { changes: [...pages.values()].flat(), unchanged: same };
}

function grouped(things, of) {
  const groups = new Map();
  for (const thing of things) {
    const group = groups.get(of(thing));
    if (group) group.push(thing);
    else groups.set(of(thing), [thing]);
  }
  return groups;
}

function origins(gone, fresh) {
  const found = new Map();
  const isLong = (text) => [...text.slice(0, 2 * TELLING)].length >= TELLING;
  pairAlike(gone, fresh, found, (section) => (isLong(section.body) ? section.body : ""), 100);
  pairAlike(gone, fresh, found, (section) => section.heading, MOVED);
  const taken = new Set([...found.values()].map((section) => section.id));
  const left = grouped(gone.filter((section) => !taken.has(section.id)), (section) => section.page ?? "");
  const coming = grouped(fresh.filter((section) => !found.has(section.id)), (section) => section.page ?? "");
  for (const [page, sections] of coming) {
    const others = left.get(page) ?? [];
    if (sections.length * others.length <= MOST_PAIRS) pairNearest(others, sections, found);
  }
  return found;
}

function pairAlike(gone, fresh, found, of, least) {
  const taken = new Set([...found.values()].map((section) => section.id));
  const before = only(of, gone.filter((section) => !taken.has(section.id)));
  for (const [feature, section] of only(of, fresh.filter((one) => !found.has(one.id)))) {
    const old = before.get(feature);
    if (!old) continue;
    if (old.body === section.body || likeness(bagOf(old.body), bagOf(section.body)) >= least) found.set(section.id, old);
  }
}

function only(of, sections) {
  const alike = grouped(sections.filter(of), of);
  return new Map([...alike].filter(([, all]) => all.length === 1).map(([feature, [section]]) => [feature, section]));
}

function pairNearest(gone, fresh, found) {
  const left = new Map(gone.map((section) => [section.id, [section, bagOf(section.body)]]));
  for (const section of fresh) {
    const bag = bagOf(section.body);
    let [best, most] = [null, RENAMED - 1];
    for (const [id, [, other]] of left) {
      const shared = likeness(other, bag);
      if (shared > most) [best, most] = [id, shared];
    }
    if (best === null) continue;
    found.set(section.id, left.get(best)[0]);
    left.delete(best);
  }
}

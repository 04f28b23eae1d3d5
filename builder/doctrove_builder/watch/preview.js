// Every page of the preview: renews what is old of it, keeps the reader's place, shows problems.
(() => {
  const script = document.currentScript;
  const key = "doctrove-preview";
  const find = (selector) => [...document.querySelectorAll(selector)];

  // The reader's place: what is open, and the section that is read with its distance from the top.
  function place() {
    const marks = find("main [id]").filter((mark) => mark.id && mark.getClientRects().length);
    const mark = marks.findLast((each) => each.getBoundingClientRect().top <= innerHeight * 0.25);
    return {
      page: location.pathname,
      scroll: scrollY,
      section: scrollY > 0 ? mark?.id : undefined,
      top: mark?.getBoundingClientRect().top,
      open: find("details").map((each) => each.open),
      chosen: find("input:checked").map((each) => each.id),
      overlay: closed,
    };
  }

  function returnTo(kept) {
    find("details").forEach((each, number) => (each.open = kept.open[number] ?? each.open));
    for (const id of kept.chosen) {
      const input = document.getElementById(id);
      if (input) input.checked = true;
    }
    scrollBack(kept);
  }

  function scrollBack(kept) {
    const mark = kept.section && document.getElementById(kept.section);
    const top = mark ? scrollY + mark.getBoundingClientRect().top - kept.top : kept.scroll;
    scrollTo({ top, behavior: "instant" });
  }

  let closed = "";
  let kept;
  try {
    kept = JSON.parse(sessionStorage.getItem(key));
    sessionStorage.removeItem(key);
  } catch {} // Storage is blocked: the browser's own memory of the place has to do.
  if (kept?.page === location.pathname) {
    closed = kept.overlay;
    returnTo(kept);
    const again = () => returnTo(kept);
    addEventListener("load", again, { once: true });
    for (const type of ["wheel", "touchmove", "keydown"]) {
      addEventListener(type, () => removeEventListener("load", again), { once: true, passive: true });
    }
  }
  // The browser's own way back to a place would undo this one; it is for other ways to the page.
  addEventListener("pagehide", () => (history.scrollRestoration = reloading ? "manual" : "auto"));

  let reloading = false;
  function reload() {
    if (reloading) return;
    reloading = true;
    try {
      sessionStorage.setItem(key, JSON.stringify(place()));
    } catch {} // As above.
    location.reload();
  }

  // A change of text is made in the page that is there: two of the page's versions, as they were
  // served, are compared, and what they differ in is done to the shown page. What a script of the
  // page may have to see to, is not done so: then the page is loaded again.
  const UNTOUCHED = "script, style, link, base, meta[http-equiv]";
  const BOUND = `${UNTOUCHED}, [id], [data-copy], [data-same], figure.code, button, input`;
  let served; // The page as it came, with its version.
  async function fetched() {
    const answer = await fetch(location.pathname + location.search, { cache: "no-store" });
    const root = new DOMParser().parseFromString(await answer.text(), "text/html").documentElement;
    const own = root.querySelector("script[data-version]");
    const { version } = own.dataset;
    delete own.dataset.version;
    return { root, version };
  }

  class Unclear extends Error {}

  // The steps that make `shown`, which came as `old`, into `next`; what scripts appended stays.
  function* steps(old, next, shown) {
    if (old.isEqualNode(next)) return;
    const kinds = new Set([old, next, shown].map((node) => node?.nodeName));
    if (kinds.size > 1) throw new Unclear();
    if (old.nodeType !== Node.ELEMENT_NODE) {
      yield () => (shown.data = next.data);
      return;
    }
    if (old.matches(UNTOUCHED)) throw new Unclear();
    for (const { name } of [...old.attributes, ...next.attributes]) {
      const value = next.getAttribute(name);
      if (value === old.getAttribute(name)) continue;
      if (name === "id" || value === null) throw new Unclear();
      yield () => shown.setAttribute(name, value);
    }
    yield* childSteps([...old.childNodes], [...next.childNodes], shown);
  }

  const isBound = (node) => node.matches?.(BOUND) || node.querySelector?.(BOUND);
  const placesOfBound = (nodes) => [...nodes.keys()].filter((at) => isBound(nodes[at]));
  const areAlike = (some, others) =>
    some.length === others.length && some.every((node, at) => node.nodeName === others[at].nodeName);

  // What scripts know is paired in its order, and what stands between is exchanged.
  function* childSteps(old, next, shown) {
    const live = [...shown.childNodes].slice(0, old.length);
    if (!areAlike(old, live)) throw new Unclear();
    const ends = [...placesOfBound(old), old.length];
    const nextEnds = [...placesOfBound(next), next.length];
    if (ends.length !== nextEnds.length) throw new Unclear();
    let [from, nextFrom] = [0, 0];
    for (const [number, to] of ends.entries()) {
      const nextTo = nextEnds[number];
      const between = [old, live].map((nodes) => nodes.slice(from, to));
      yield* exchange(...between, next.slice(nextFrom, nextTo), shown, shown.childNodes[to] ?? null);
      if (to < old.length) yield* steps(old[to], next[nextTo], live[to]);
      [from, nextFrom] = [to + 1, nextTo + 1];
    }
  }

  function* exchange(old, live, next, shown, after) {
    if (areAlike(old, next)) {
      for (const [at, node] of old.entries()) yield* steps(node, next[at], live[at]);
      return;
    }
    if (!shown.closest("article")) throw new Unclear();
    yield () => {
      for (const node of live) node.remove();
      for (const node of next) shown.insertBefore(document.importNode(node, true), after);
    };
  }

  let late = false;
  let renewing = false;
  async function renew() {
    late = renewing;
    if (renewing) return;
    renewing = true;
    try {
      do {
        late = false;
        const next = await fetched();
        const all = [...steps(served.root, next.root, document.documentElement)];
        const kept = place();
        for (const step of all) step();
        scrollBack(kept);
        script.dataset.version = next.version;
        served = next;
      } while (late);
    } catch {
      if (stream) reload(); // Else nobody looks; who comes back hears that the page is old.
    }
    renewing = false;
  }

  // What is shown of the build stands in a tree of its own, out of reach of the page's style.
  const host = document.createElement("div");
  host.id = "DT-preview";
  const view = host.attachShadow({ mode: "open" });
  // It is a strip below the page: the page ends above it, and what sticks to the window leaves room for it.
  new ResizeObserver(() => {
    const height = `${host.offsetHeight}px`;
    document.documentElement.style.setProperty("--below", height);
    document.documentElement.style.scrollPaddingBlockEnd = height;
    document.body.style.paddingBlockEnd = height;
  }).observe(host);
  const make = (tag, name, text) => {
    const element = document.createElement(tag);
    if (name) element.className = name;
    if (text) element.textContent = text;
    return element;
  };

  function entry(remark) {
    const item = make("li", remark.severity);
    const head = item.appendChild(make("p", "where"));
    const spot = [remark.file, remark.line, remark.column].filter((part) => part).join(":");
    head.append(make("b", "", remark.severity), make("code", "", spot), make("small", "", remark.rule));
    item.append(make("p", "", remark.message));
    if (remark.text) item.append(make("pre", "", remark.text));
    if (remark.hint) item.append(make("p", "hint", remark.hint));
    return item;
  }

  function counted(count, name) {
    return count ? `${count} ${name}${count === 1 ? "" : "s"}` : "";
  }

  let closePanel = () => {};
  function show(state) {
    closePanel = () => {};
    const said = [counted(state.errors, "error"), counted(state.warnings, "warning")];
    const text = said.filter(Boolean).join(", ");
    const same = JSON.stringify(state);
    const sheet = make("link");
    sheet.rel = "stylesheet";
    sheet.href = script.src.replace(/[^/]*$/, script.dataset.style);
    const bar = make("div", "bar");
    const card = "/_preview/report/";
    const isCard = location.pathname === card;
    const report = make("a", "", isCard ? "Site" : "Report card");
    report.href = isCard ? "/" : card;
    view.replaceChildren(sheet, bar);
    bar.append(report);
    if (!text) return;
    const panel = make("section", "panel");
    panel.setAttribute("aria-label", "Problems");
    panel.setAttribute("role", "alert");
    panel.append(make("h2", "", text));
    if (state.failed) panel.append(make("p", "note", "The page is that of the last good build."));
    panel.appendChild(make("ol")).append(...state.remarks.map(entry));
    const rest = state.errors + state.warnings - state.remarks.length;
    if (rest > 0) panel.append(make("p", "note", `${rest} more are named in the terminal.`));
    const close = make("button", "close", "Close");
    const button = make("button", state.errors ? "error" : "warning", text);
    const set = (open) => {
      if (!open && panel.contains(view.activeElement)) button.focus();
      panel.hidden = !open;
      button.setAttribute("aria-expanded", String(open));
      closed = open ? "" : same;
    };
    close.type = button.type = "button";
    close.addEventListener("click", () => set(false));
    button.addEventListener("click", () => set(panel.hidden));
    panel.append(close);
    bar.prepend(button);
    view.append(panel);
    set(state.errors > 0 && closed !== same);
    closePanel = () => set(false);
  }

  addEventListener("keydown", (event) => {
    if (event.key === "Escape" && !document.querySelector("dialog[open]")) closePanel();
  });

  // One stream for the page while it is seen; a page that is seen again hears what it missed.
  let stream;
  function listen() {
    if (document.hidden || stream || reloading) return;
    const query = new URLSearchParams({ page: location.pathname, version: script.dataset.version });
    stream = new EventSource(`/_preview/events?${query}`);
    stream.addEventListener("reload", renew);
    stream.addEventListener("state", (event) => show(JSON.parse(event.data)));
  }
  function leave() {
    stream?.close();
    stream = undefined;
  }
  document.addEventListener("visibilitychange", () => (document.hidden ? leave() : listen()));
  addEventListener("pagehide", leave);
  addEventListener("pageshow", listen);
  document.body.append(host);
  listen();
  fetched().then((page) => page.version === script.dataset.version && (served ??= page), () => {});
})();

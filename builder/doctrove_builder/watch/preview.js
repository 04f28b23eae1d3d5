// Every page of the preview: reloads when the page is old, keeps the reader's place, shows problems.
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

  // What is shown of the build stands in a tree of its own, out of reach of the page's style.
  const host = document.createElement("div");
  host.id = "DT-preview";
  const view = host.attachShadow({ mode: "open" });
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

  function show(state) {
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
    view.onkeydown = (event) => event.key === "Escape" && set(false);
  }

  // One stream for the page while it is seen; a page that is seen again hears what it missed.
  let stream;
  function listen() {
    if (document.hidden || stream || reloading) return;
    const query = new URLSearchParams({ page: location.pathname, version: script.dataset.version });
    stream = new EventSource(`/_preview/events?${query}`);
    stream.addEventListener("reload", reload);
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
})();

// What a page does beyond reading and sending forms: it stays up to date, and knows the keyboard.
// Everything here is an addition: without it every page can be read, and every decision taken.
"use strict";
(() => {
  const one = (selector, from = document) => from.querySelector(selector);
  const all = (selector, from = document) => [...from.querySelectorAll(selector)];

  // -- time: said by the server in UTC, shown in the time of the reader ------------------------
  const clock = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
  const full = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "medium" });
  function ago(seconds) {
    if (seconds < 60) return "just now";
    const [size, word] = seconds < 3600 ? [60, "min"] : seconds < 86400 ? [3600, "h"] : [86400, "d"];
    return `${Math.floor(seconds / size)} ${word} ago`;
  }
  function dress(root) {
    for (const node of all("[data-script]", root)) node.hidden = false;
    for (const time of all("time[datetime]", root)) {
      const at = new Date(time.dateTime);
      time.title = full.format(at);
      const left = (Date.now() - at) / 1000;
      if (time.className === "ago" && left >= 0) time.textContent = ago(left);
      if (time.className === "clock") time.textContent = clock.format(at);
    }
  }

  // -- one tree becomes like another: what is the same stays, with its focus and its scrolling --
  // What may come or go beside others, or is written in, has an id: so it is found again.
  function keyed(node) { return node.nodeType === 1 ? node.id : ""; }
  function isKept(node) { // what somebody is writing in is theirs
    return node.matches?.("form") && node.dataset.dirty === "yes";
  }
  function sync(old, fresh) {
    if (old.isEqualNode(fresh) || isKept(old)) return;
    if (old.nodeType !== fresh.nodeType || old.nodeName !== fresh.nodeName || keyed(old) !== keyed(fresh)) {
      old.replaceWith(fresh);
      mark(fresh);
      return;
    }
    if (old.nodeType !== 1) { old.nodeValue = fresh.nodeValue; return; }
    for (const { name } of [...old.attributes]) if (!fresh.hasAttribute(name) && name !== "open") old.removeAttribute(name);
    for (const { name, value } of [...fresh.attributes]) if (old.getAttribute(name) !== value && name !== "open") old.setAttribute(name, value);
    if (old.matches("input, textarea, select")) { if (document.activeElement !== old) old.value = fresh.value; return; }
    mark(old);
    const known = new Map([...old.childNodes].filter(keyed).map((node) => [node.id, node]));
    let place = old.firstChild;
    for (const child of [...fresh.childNodes]) {
      const same = keyed(child) ? known.get(child.id) : place && !keyed(place) ? place : null;
      if (!same) { old.insertBefore(child, place); mark(child); continue; }
      if (same === place) place = place.nextSibling; else old.insertBefore(same, place);
      sync(same, child);
    }
    while (place) { const next = place.nextSibling; if (!isKept(place)) place.remove(); place = next; }
  }
  function mark(node) {
    if (node.nodeType !== 1 || !node.matches("[data-mark]")) return;
    node.classList.remove("changed");
    requestAnimationFrame(() => node.classList.add("changed"));
  }

  // -- staying up to date: the stream says that something happened, the page is read again ------
  let isReading = false, isStale = false;
  async function refresh(address = location.href) {
    if (isReading) { isStale = true; return; }
    isReading = true;
    try {
      const answer = await fetch(address, { headers: { Accept: "text/html" }, cache: "no-store" });
      if (answer.redirected && new URL(answer.url).pathname === "/login") { location.reload(); return; }
      if (!answer.ok) return;
      const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
      dress(fresh);
      document.title = fresh.title;
      if (fresh.body.dataset.events) document.body.dataset.events = fresh.body.dataset.events;
      for (const id of ["nav", "main"]) {
        const [old, other] = [document.getElementById(id), fresh.getElementById(id)];
        if (old && other) sync(old, document.adoptNode(other));
      }
    } catch { /* the server is away; the stream says when it is back */ }
    finally {
      isReading = false;
      if (isStale) { isStale = false; refresh(); }
      else if (address === location.href) watch();
    }
  }
  let watched;
  function watch() { // something long is under way: the page says how often to look
    const every = one("[data-watch]")?.dataset.watch;
    clearTimeout(watched);
    if (every) watched = setTimeout(refresh, every * 1000);
  }
  function follow() {
    const offline = document.getElementById("offline");
    let stream, timer, away, isBack = false;
    const soon = () => { clearTimeout(timer); timer = setTimeout(refresh, 120); };
    const begin = () => {
      stream = new EventSource(document.body.dataset.events); // from where the page was read
      stream.onopen = () => {
        clearTimeout(away);
        away = 0;
        offline.hidden = true;
        if (isBack) refresh(); // whatever was missed meanwhile is on the page
        isBack = true;
      };
      stream.onmessage = soon;
      stream.onerror = () => {
        away = away || setTimeout(() => { offline.hidden = false; }, 1500);
        if (stream.readyState === EventSource.CLOSED) { again(); refresh(); }
      };
      stream.addEventListener("stop", again);
    };
    const again = () => { stream.close(); setTimeout(begin, 1000); };
    begin();
    // What happens elsewhere, such as the count of the inbox, may be a minute old.
    setInterval(() => document.hidden || refresh(), 60_000);
    addEventListener("pageshow", (event) => { if (event.persisted) refresh(); });
  }

  // -- the slider: the page as it was at any moment --------------------------------------------
  let dragged;
  document.addEventListener("input", (event) => {
    const form = event.target.form;
    if (form) form.dataset.dirty = "yes";
    if (!event.target.matches("input[type=range][data-past]")) return;
    form.dataset.dirty = "no";
    const slider = event.target, address = new URL(location.href);
    if (slider.value === slider.max) address.searchParams.delete("at");
    else address.searchParams.set("at", slider.value);
    clearTimeout(dragged);
    dragged = setTimeout(() => { history.replaceState(null, "", address); refresh(address); }, 80);
  });

  // -- the keyboard -----------------------------------------------------------------------------
  function step(by) {
    const rows = all("[data-row]"), at = rows.indexOf(document.activeElement);
    const next = rows[at < 0 ? (by > 0 ? 0 : rows.length - 1) : Math.min(Math.max(at + by, 0), rows.length - 1)];
    next?.focus();
    next?.scrollIntoView({ block: "nearest" });
  }
  const keys = {
    "/": () => one("input[type=search]")?.focus(),
    j: () => step(1),
    k: () => step(-1),
    o: () => document.activeElement.matches("[data-row]") && document.activeElement.click(),
    a: () => document.getElementById("confirm")?.showModal(),
    i: () => { location.href = "/"; },
    b: () => { location.href = "/board"; },
    "?": () => document.getElementById("keys")?.showModal(),
  };
  document.addEventListener("keydown", (event) => {
    const isWriting = event.target.matches("input, textarea, select, [contenteditable]");
    if (event.key === "Escape" && isWriting) { event.target.blur(); return; }
    if (isWriting || event.ctrlKey || event.metaKey || event.altKey || one("dialog[open]")) return;
    const act = keys[event.key];
    if (act) { event.preventDefault(); act(); }
  });
  document.addEventListener("click", (event) => {
    const copied = event.target.closest?.("[data-copy]");
    if (copied) navigator.clipboard.writeText(document.getElementById(copied.dataset.copy).textContent)
      .then(() => { copied.textContent = "Copied"; setTimeout(() => { copied.textContent = "Copy"; }, 1500); });
    const shown = event.target.closest?.("[data-show]");
    if (shown) document.getElementById(shown.dataset.show)?.showModal();
  });

  const here = document.body.dataset.here;
  if (here) history.replaceState(null, "", here); // the answer to a form has no address of its own
  const aimed = document.getElementById(location.hash.slice(1));
  if (aimed?.matches("details")) aimed.open = true; // a link to a form shows the form
  dress(document);
  watch();
  setInterval(() => dress(document), 30_000);
  if (document.body.dataset.events) follow();
})();

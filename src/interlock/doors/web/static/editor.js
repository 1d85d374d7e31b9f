// What is written in long forms survives a reload: it is kept in this browser, by what it was made
// of, until it is saved. The editor of documents is told what is wrong while somebody types.
// Everything here is an addition: without it a form is sent, and told what is wrong then.
"use strict";
(() => {
  const PREFIX = "interlock:draft:";
  const byId = (id) => document.getElementById(id);
  const store = { // a browser may forbid it, or have no room
    get(key) { try { return localStorage.getItem(PREFIX + key); } catch { return null; } },
    set(key, text) { try { localStorage.setItem(PREFIX + key, text); return true; } catch { return false; } },
    drop(key) { try { localStorage.removeItem(PREFIX + key); } catch { /* then there is none */ } },
    keys() { try { return Object.keys(localStorage).filter((key) => key.startsWith(PREFIX)).map((key) => key.slice(PREFIX.length)); } catch { return []; } },
  };
  const fields = (form) => [...form.elements].filter((one) => one.name && one.type !== "hidden" && one.type !== "submit");
  const isPick = (one) => one.type === "checkbox" || one.type === "radio";
  function held(form) { // what somebody has written, by the names of the fields
    const said = {};
    for (const one of fields(form)) {
      if (isPick(one)) { if (one.checked) said[one.name] = one.value; } else said[one.name] = one.value;
    }
    return JSON.stringify(said);
  }
  function put(form, kept) {
    const said = JSON.parse(kept);
    for (const one of fields(form)) {
      if (isPick(one)) one.checked = said[one.name] === one.value; else if (one.name in said) one.value = said[one.name];
    }
    form.dataset.dirty = "yes";
  }
  // A save is known to have come through when the page says which version it was made of.
  function forget(key) {
    const sent = store.get(`sent:${key}`);
    if (sent === null) return;
    store.drop(`sent:${key}`);
    store.drop(sent);
  }

  for (const form of document.querySelectorAll("form[data-draft]")) {
    const key = form.dataset.draft, about = key.slice(0, key.lastIndexOf(":"));
    const saved = new URL(location.href).searchParams.get("saved");
    const sent = store.get(`sent:${about}`);
    // Answers that were sent are known by the questions that wait now: they are others.
    if (form.id === "answers" ? sent !== key : saved && sent === `${about}:${saved}`) forget(about);
    const first = held(form), kept = store.get(key), note = byId("autosaved"), discard = byId("discard");
    const tell = (text) => { if (note) note.textContent = text; };
    const isRefused = Boolean(form.querySelector("[aria-invalid=true]")) || document.body.dataset.here;
    if (kept && kept !== first && !isRefused) {
      const said = JSON.parse(kept);
      // What was laid out otherwise is laid out so again; its fields come with it.
      if (form.id === "fields" && said.content !== form.elements.content.value) lay(form, "lay $", said, tell);
      else put(form, kept);
      tell("What you had not saved is here again.");
      if (discard) discard.hidden = false;
    }
    let timer;
    form.addEventListener("input", () => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        tell(store.set(key, held(form)) ? "Kept in this browser; not saved yet." : "This browser keeps nothing: save before you leave.");
        if (discard) discard.hidden = false;
      }, 250);
    });
    form.addEventListener("submit", (event) => {
      clearTimeout(timer);
      const isSent = !event.submitter?.formAction?.includes("/skip/") && event.submitter?.value !== "check";
      store.set(key, held(form));
      if (isSent) store.set(`sent:${about}`, key);
    });
    discard?.addEventListener("click", () => { store.drop(key); location.reload(); });
    form.addEventListener("click", (event) => {
      const button = event.target.closest?.("button[data-shape]");
      if (button) { event.preventDefault(); lay(form, button.value, {}, tell); }
    });
    if (form.matches("[data-check]")) { offer(form, key, about); watch(form, key); }
  }
  if (!document.querySelector("form[data-draft]")) {
    const unit = location.pathname.split("/")[2] ?? "";
    for (const key of store.keys()) if (unit && key.startsWith(`sent:${unit}:answers`)) forget(key.slice("sent:".length));
  }

  // -- one more, one less, another order: the server lays the fields out anew ------------------
  async function lay(form, order, said, tell) {
    const sent = new FormData(form);
    for (const [name, value] of Object.entries(said)) sent.set(name, value);
    sent.set("do", order);
    try {
      const answer = await fetch(location.href, {
        method: "POST", headers: { Accept: "text/html" }, body: new URLSearchParams(sent),
      });
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      const fresh = page.getElementById("laid"), old = byId("laid");
      if (!answer.ok || !fresh) throw new Error(answer.statusText);
      old.replaceWith(document.adoptNode(fresh));
    } catch { tell("The server does not answer; nothing was changed."); return; }
    const { at, said: told } = byId("laid").dataset, act = order.split(" ")[0];
    byId("shaped").textContent = told;
    store.set(form.dataset.draft, held(form));
    form.dispatchEvent(new Event("input"));
    if (!at) return;
    const item = byId(`item:${at}`), buttons = [...form.querySelectorAll("button[data-shape]")];
    const same = buttons.find((one) => one.value === `${act} ${at}`);
    const next = act === "add" ? item?.querySelector("input, textarea") : same ?? item?.querySelector("button");
    (next ?? buttons.at(-1))?.focus();
  }

  // -- an edit of another version: shown, never put in the place of the newest -----------------
  function offer(form, key, about) {
    const other = store.keys().find((one) => one.startsWith(`${about}:`) && one !== key);
    const box = byId("drafts");
    if (!other || !box) return;
    box.hidden = false;
    byId("draft-show").addEventListener("click", () => {
      const text = byId("draft-text");
      text.textContent = JSON.parse(store.get(other) ?? "{}").content ?? "";
      text.hidden = false;
    });
    byId("draft-forget").addEventListener("click", () => { store.drop(other); box.hidden = true; });
  }

  // -- what is wrong, while somebody types -----------------------------------------------------
  function watch(form, key) {
    const area = byId("content"), wrong = byId("wrong"), diff = byId("diff"), stale = byId("stale");
    const base = key.slice(key.lastIndexOf(":") + 1);
    const tell = (digest) => { stale.hidden = digest === base; };
    new MutationObserver(() => tell(byId("newest").dataset.digest)).observe(byId("newest"), { attributes: true });
    let timer, asked = 0;
    async function check() {
      const number = ++asked;
      try {
        const answer = await fetch(location.pathname, {
          method: "POST", headers: { Accept: "application/json" }, body: new URLSearchParams(new FormData(form)),
        });
        if (!answer.ok || number !== asked) return;
        show(await answer.json());
      } catch { /* the server is away; the text is kept */ }
    }
    function show({ mistakes, diff: rows, newest }) {
      tell(newest);
      area?.setAttribute("aria-invalid", mistakes.length ? "true" : "false");
      if (!area) mark(mistakes);
      const list = document.createElement("ul");
      list.className = "list";
      list.id = "mistakes";
      for (const one of mistakes) list.append(line(one));
      const head = document.createElement("p");
      head.className = mistakes.length ? "wrong" : "right";
      head.textContent = mistakes.length ? `${mistakes.length} ${mistakes.length === 1 ? "mistake" : "mistakes"}` : "No mistakes.";
      wrong.replaceChildren(head, ...(mistakes.length ? [list] : []));
      diff.replaceChildren(changes(rows));
    }
    function field(path) { // the field that a path leads to, or that holds what it leads to
      for (let way = path; way; way = way.replace(/(\.[^.[]*|\[[^[]*\])$|^\$$/, "")) {
        const found = byId(`at:${way}`) ?? byId(`item:${way}`)?.querySelector("input, textarea, button");
        if (found) return found;
      }
      return null;
    }
    function mark(mistakes) {
      const wrong = new Set(mistakes.map(({ path }) => field(path)));
      for (const one of fields(form)) if (one.id.startsWith("at:")) one.setAttribute("aria-invalid", wrong.has(one) ? "true" : "false");
    }
    function line({ path, message, line: number }) {
      const item = document.createElement("li");
      item.className = "wrong any";
      const aim = area ? null : field(path);
      if (aim || (area && number)) {
        const button = document.createElement("button");
        button.type = "button";
        button.className = "quiet";
        button.textContent = aim ? "Go there" : `Line ${number}`;
        button.addEventListener("click", () => { if (aim) aim.focus(); else go(number); });
        item.append(button, " ");
      }
      if (path) { const code = document.createElement("code"); code.textContent = path; item.append(code, " "); }
      item.append(message);
      return item;
    }
    function go(number) {
      const before = area.value.split("\n").slice(0, number - 1).join("\n").length + (number > 1 ? 1 : 0);
      const end = area.value.indexOf("\n", before);
      area.focus();
      area.setSelectionRange(before, end < 0 ? area.value.length : end);
    }
    function changes(rows) {
      const box = document.createElement("div");
      if (!rows.length) { box.className = "empty"; box.textContent = "Nothing yet."; return box; }
      box.className = "diff";
      box.tabIndex = 0;
      box.setAttribute("role", "region");
      box.setAttribute("aria-label", "What you change");
      for (const { kind, text } of rows) {
        const row = document.createElement("div"), sign = { ins: "+ ", del: "− " }[kind] ?? "\u00a0 ";
        row.className = kind === "skip" ? "skip-lines" : kind;
        const inner = kind === "ins" || kind === "del" ? document.createElement(kind) : row;
        inner.textContent = kind === "skip" ? text : sign + text;
        if (inner !== row) row.append(inner);
        box.append(row);
      }
      return box;
    }
    form.addEventListener("input", () => { clearTimeout(timer); timer = setTimeout(check, 400); });
    check();
  }
})();

// The card of a gate: it speaks JSON-RPC with the host that frames it, and shows text, only text.
// The server judges every decision; what it refuses is told here in its own words.
"use strict";

const VERSION = "2026-01-26";
const { read: READ, by: BY, decide: DECIDE, decisions: KNOWN } = document.body.dataset;
const ASKED = "questions";
const NAMES = ["gate_id", "step_id", "content_digest", "url", "command_line"];
// Characters that are not seen, or that turn the order of others around.
const UNSEEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;
const at = (id) => document.getElementById(id);
const waiting = new Map();
let last = 0;
let gate = null;

function send(message) {
  parent.postMessage({ jsonrpc: "2.0", ...message }, "*");
}

function ask(method, params) {
  const id = ++last;
  send({ id, method, params });
  return new Promise((done, failed) => waiting.set(id, { done, failed }));
}

addEventListener("message", ({ source, data }) => {
  if (source !== parent || data?.jsonrpc !== "2.0") return;
  if (data.method) return hear(data);
  const asked = waiting.get(data.id);
  waiting.delete(data.id);
  if (data.error) asked?.failed(new Error(String(data.error.message ?? "The host refused it.")));
  else asked?.done(data.result ?? {});
});

function hear({ id, method, params }) {
  if (method === "ui/notifications/tool-result") take(params ?? {});
  else if (method === "ui/notifications/tool-cancelled" && !gate) say("The call was cancelled.");
  else if (method === "ui/notifications/host-context-changed") dress(params);
  else if (id !== undefined) {
    const isKnown = method === "ui/resource-teardown" || method === "ping";
    send({ id, ...(isKnown ? { result: {} } : { error: { code: -32601, message: "Not found" } }) });
  }
}

function dress(context) {
  const theme = context?.theme;
  if (theme === "light" || theme === "dark") document.documentElement.style.colorScheme = theme;
}

function say(text) {
  at("status").textContent = text;
}

function refuse(text) {
  at("wrong").textContent = seen(text);
  at("wrong").hidden = !text;
}

// A document as the tool told it: without the marks that tell a model what was stored by others.
function told(result) {
  const doc = result.structuredContent ?? parsed(result.content?.[0]?.text) ?? {};
  const mark = /<(untrusted-[0-9a-z]+)>/.exec(doc.untrusted ?? "")?.[1];
  return mark ? bare(doc, [`<${mark}>`, `</${mark}>`]) : doc;
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function bare(value, marks) {
  if (typeof value === "string") return marks.reduce((text, one) => text.replaceAll(one, ""), value);
  if (Array.isArray(value)) return value.map((one) => bare(one, marks));
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, bare(one, marks)]));
}

function seen(text) {
  return String(text).replaceAll("\r\n", "\n").replace(UNSEEN, "\ufffd");
}

// What a document says of a gate: the gate itself, or how the whole stands with its open gate.
function found(data) {
  if (data?.gate) {
    const shown = Object.entries(data.gate).filter(([name]) => !NAMES.includes(name));
    return {
      ...data.gate, policy: data.review_policy, isOpen: true, decisions: KNOWN.split(" "),
      shown: shown.length ? Object.fromEntries(shown) : null,
    };
  }
  if (!data?.gate_id) return null;
  const decisions = (data.decisions ?? []).map((one) => one.decision);
  return { ...data, isOpen: data.is_open, decisions, shown: data.shown ?? {} };
}

function take(result) {
  const doc = told(result);
  // A host may tell the answers to our own calls this way, too.
  if (gate && (result.isError || !gate.isOpen)) return;
  if (result.isError) {
    say("");
    refuse(worded(doc));
    return;
  }
  const now = found(doc.data);
  if (!now) {
    if (!gate) say("Nothing waits for a decision here.");
    return;
  }
  if (gate && (now.gate_id !== gate.gate_id || !now.shown)) return;
  gate = now;
  show();
  if (!gate.shown) look();
}

function worded(doc) {
  return `${doc.message ?? "It was refused."} ${doc.fix ?? ""}`;
}

async function call(name, args) {
  const result = await ask("tools/call", { name, arguments: args });
  const doc = told(result);
  return result.isError ? { refusal: worded(doc) } : { doc };
}

// The gate as it stands now; one that is no longer told of waits no longer.
async function fresh() {
  const id = BY === "gate_id" ? gate.gate_id : gate.gate_id.split(".")[0];
  const { doc, refusal } = await call(READ, { [BY]: id });
  if (refusal) throw new Error(refusal);
  const now = found(doc.data);
  return now?.gate_id === gate.gate_id ? now : { ...gate, isOpen: false };
}

async function look() {
  try {
    gate = await fresh();
    show();
  } catch (error) {
    refuse(`What is to be decided could not be read: ${error.message}`);
    leave("Look at it there.");
  }
}

function show() {
  at("title").textContent = gate.shown?.summary ? "Your review is asked for" : seen(gate.title || "A decision");
  at("about").textContent = seen(gate.part_id ?? gate.step_id ?? gate.unit_id ?? "");
  at("digest").hidden = !gate.content_digest;
  at("digest").lastElementChild.textContent = seen(gate.content_digest ?? "");
  at("form").hidden = true;
  at("elsewhere").hidden = true;
  const isHere = gate.isOpen && gate.policy === "relay";
  const shown = Object.entries(gate.shown ?? {})
    .filter(([name, one]) => full(one) && !(isHere && name === ASKED))
    .sort(([one], [other]) => (other === "summary") - (one === "summary"));
  at("shown").replaceChildren(...shown.flatMap(([name, one]) => block(name, one)));
  if (!gate.isOpen) return close();
  if (!gate.shown) return;
  say("This waits for a decision.");
  if (isHere) offer();
  else leave("A person decides this on its own page; it cannot be decided here.");
}

function full(value) {
  return value !== null && value !== "" && !(Array.isArray(value) && !value.length);
}

function block(name, value) {
  const head = document.createElement("h2");
  head.textContent = seen(name[0].toUpperCase() + name.slice(1).replaceAll("_", " "));
  const body = document.createElement("pre");
  body.tabIndex = 0;
  body.textContent = seen(plain(value));
  return [head, body];
}

function plain(value) {
  if (Array.isArray(value) && value.every((one) => typeof one === "string")) return value.map((one) => `- ${one}`).join("\n");
  const data = typeof value !== "string" ? value : /^[[{]/.test(value) ? parsed(value) : null;
  return data === null ? value : JSON.stringify(data, null, 2);
}

function offer() {
  const asked = Array.isArray(gate.shown[ASKED]) ? gate.shown[ASKED] : [];
  at("questions").replaceChildren(...asked.flatMap((text, place) => {
    const [label, box] = [document.createElement("label"), document.createElement("textarea")];
    label.htmlFor = box.id = `answer-${place}`;
    label.textContent = seen(text);
    box.rows = 2;
    return [label, box];
  }));
  at("choices").replaceChildren(...gate.decisions.map((decision, place) => {
    const button = document.createElement("button");
    button.textContent = seen(decision);
    button.type = "button";
    button.className = place ? "second" : "";
    button.addEventListener("click", () => decide(decision));
    return button;
  }));
  at("form").hidden = false;
}

async function decide(decision) {
  const said = { gate_id: gate.gate_id, decision };
  if (gate.content_digest) said.content_digest = gate.content_digest;
  const answers = [...at("questions").querySelectorAll("textarea")].map((box) => box.value);
  if (answers.some(Boolean)) said.answers = answers;
  if (at("feedback").value) said.feedback = at("feedback").value;
  for (const one of at("choices").children) one.disabled = true;
  refuse("");
  try {
    const { doc, refusal } = await call(DECIDE, said);
    if (!refusal) return closed(decision, doc);
    refuse(refusal);
    const now = await fresh();
    // What somebody has not seen, or what was decided meanwhile, is shown; else what was typed stays.
    if (!now.isOpen || now.content_digest !== gate.content_digest) {
      gate = now;
      show();
    }
  } catch (error) {
    refuse(`It was not decided: ${error.message}`);
  }
  for (const one of at("choices").children) one.disabled = false;
}

function closed(decision, { next_action: next = "" }) {
  gate = { ...gate, isOpen: false, decision };
  close();
  at("status").focus();
  const text = `The person decided ${decision} at the gate ${gate.gate_id}. ${next}`;
  // The agent learns it from its next call, too: a host that takes no such word loses nothing.
  ask("ui/update-model-context", { content: [{ type: "text", text }] }).catch(() => {});
}

function close() {
  const by = gate.decided_by ? `, by ${gate.decided_by.kind} ${gate.decided_by.id}` : "";
  say(gate.decision ? seen(`This was decided: ${gate.decision}${by}.`) : "Nothing waits here any more.");
  at("form").hidden = true;
  at("elsewhere").hidden = true;
}

function leave(why) {
  const url = gate.url ?? "";
  at("why").textContent = why;
  at("url").textContent = seen(url);
  at("open").hidden = !/^https?:\/\//.test(url);
  at("elsewhere").hidden = false;
}

at("open").addEventListener("click", () => {
  ask("ui/open-link", { url: gate.url }).catch(() => refuse("Copy the address into a browser."));
});

const size = new ResizeObserver(() => {
  const { width, height } = document.documentElement.getBoundingClientRect();
  send({ method: "ui/notifications/size-changed", params: { width: Math.ceil(width), height: Math.ceil(height) } });
});

function begin({ hostContext }) {
  dress(hostContext);
  send({ method: "ui/notifications/initialized", params: {} });
  size.observe(document.documentElement);
}

ask("ui/initialize", {
  protocolVersion: VERSION,
  appInfo: { name: "interlock-gate", version: "1" },
  appCapabilities: { availableDisplayModes: ["inline"] },
}).then(begin, () => say("This host does not show cards."));

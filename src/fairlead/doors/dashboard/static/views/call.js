import { get, post } from "../parts/api.js";
import { announce, badge, card, el, facts, prose, svg, title } from "../parts/dom.js";
import { length, moment, ms, number } from "../parts/format.js";
import { callHref, href } from "../parts/place.js";
import { listHref, neighbour } from "../parts/kept_list.js";
import { judgedBy } from "./judged.js";
import { savedBefore } from "./saved.js";

const STOPPED = ["block", "halt"];
const LENGTHS = { while: "Allow for an hour", project: "Allow in this project" };

// One call as `fairlead explain` tells it, and what can be done about it.
export async function call(main, { rest }, about) {
  const record = await get(`/api/calls/${encodeURIComponent(rest[0] || "")}`);
  const verdict = record.verdict || {};
  main.replaceChildren(
    title([badge(verdict.decision), " ", headline(record)], el("a", { href: listHref(), class: "back" }, "Back to the list ", el("kbd", {}, "Esc"))),
    ran(record.effect, verdict),
    el("div", { class: "call-page" },
      el("div", {}, asked(record), decided(record), hooks(record), ...saves(record).map(savedBefore), sent(record)),
      el("div", {}, about_(record), actions(record, about))));
  scrollTo({ top: 0 });

  function keyed({ detail: key }) {
    const to = key === "Escape" ? listHref() : key === "j" ? neighbour(rest[0], 1) : key === "k" ? neighbour(rest[0], -1) : "";
    if (to) location.hash = to;
  }
  document.addEventListener("key", keyed);
  return { leave() { document.removeEventListener("key", keyed); } };
}

function headline({ verdict = {}, event, agent }) {
  const rule = verdict.rule || verdict.hook;
  if (rule) return `${rule}`;
  return STOPPED.includes(verdict.decision) ? `${agent} was stopped` : `${agent}: ${event}`;
}

function ran(effect, verdict) {
  if (!effect?.ran || !STOPPED.includes(verdict.decision)) return "";
  return el("div", { class: "ran", role: "alert" }, "The agent ran this call although it was refused. Its hooks may not be in force: see ", el("code", {}, "fairlead doctor"), ". ",
    effect.by ? el("a", { href: callHref(effect.by) }, "What it reported") : null);
}

function asked({ facts: told = {}, verdict = {} }) {
  const input = told.tool?.input || (told.prompt ? { prompt: told.prompt } : told.more) || {};
  const parts = Object.entries(input).map(([key, value]) => {
    const text = typeof value === "string" ? value : JSON.stringify(value, null, 2);
    return el("div", {}, el("span", { class: "muted small" }, key),
      el("pre", { tabindex: "0", class: key === "command" ? "command" : null }, key === "command" ? marked(text, verdict) : text));
  });
  return card("What it asked for", ...(parts.length ? parts : [el("p", { class: "muted" }, "Nothing but the event itself.")]));
}

// The parts of the command that are meant; offsets are bytes of its UTF-8.
function marked(text, { evidence = [], decision }) {
  const bytes = new TextEncoder().encode(text);
  const read = (start, end) => new TextDecoder().decode(bytes.slice(start, end));
  const spans = evidence.filter((proof) => !proof.source && Number.isInteger(proof.start) && proof.end > proof.start)
    .sort((one, other) => one.start - other.start);
  const parts = [];
  let at = 0;
  for (const { start, end, detail } of spans) {
    if (start < at) continue;
    parts.push(read(at, start), el("mark", { class: decision === "ask" ? "ask" : null, title: detail || null }, read(start, end)));
    at = end;
  }
  return [...parts, read(at, bytes.length)];
}

function decided({ verdict = {}, degraded, effect }) {
  const { would } = verdict;
  const details = [...new Set((verdict.evidence || []).map((proof) => [proof.text, proof.detail].filter(Boolean).join(": ")))];
  const box = card("Decision",
    el("p", { class: "verdict" }, badge(verdict.decision), " ", verdict.reason ? prose(verdict.reason) : "No hook objected."),
    facts([
      ["because of", details.join("\n")], ["instead", verdict.alternative ? prose(verdict.alternative) : ""],
      ["audit", would ? `${would.hook} only watches: it would have said ${would.decision}. ${[would.rule, would.reason].filter(Boolean).join(": ")}` : ""],
      ["degraded", degraded], ["then", effect?.text && !(effect.ran && STOPPED.includes(verdict.decision)) ? after(effect) : ""],
    ]));
  return box;
}

function after(effect) {
  return el("span", {}, effect.text, effect.by ? [" ", el("a", { href: callHref(effect.by) }, "see it")] : null);
}

// In the order in which they answered, each beside the time that it took.
function hooks({ outcomes = [], ms: took }) {
  if (!outcomes.length) return card("Hooks", el("p", { class: "muted" }, "No hook matched this event."));
  const whole = Math.max(took || 0, outcomes.reduce((sum, said) => sum + (said.ms || 0), 0), 0.001);
  let start = 0;
  const rows = outcomes.map((said) => {
    const line = el("tr", {}, el("td", {}, badge(said.decision)), el("td", { class: "name" }, said.hook), el("td", { class: "number muted" }, ms(said.ms)),
      el("td", { class: "wide" }, timeBar(start / whole, (said.ms || 0) / whole, said.decision)));
    start += said.ms || 0;
    return line;
  });
  return card("Hooks", el("p", { class: "muted small" }, `In the order in which they answered. The whole call took ${ms(took)}.`),
    el("table", { class: "waterfall" }, el("caption", { class: "unseen" }, "Hooks and their times"), el("tbody", {}, rows)),
    ...outcomes.map(outcome));
}

function timeBar(start, share, decision) {
  const kind = ["block", "ask", "approve"].find((name) => name === decision) || (decision === "halt" ? "block" : "pass");
  return svg("svg", { viewBox: "0 0 100 10", preserveAspectRatio: "none", "aria-hidden": "true" },
    svg("rect", { x: Math.min(start * 100, 99), y: 0, width: Math.max(share * 100, 1), height: 10, class: `fill-${kind}` }));
}

function outcome(said) {
  const told = [
    ["rule", said.rule], ["reason", said.reason],
    ["evidence", (said.evidence || []).map((proof) => `${proof.text} ${proof.detail || ""}`).join("; ")],
    ["rewrote", said.updated_input ? JSON.stringify(said.updated_input) : ""],
    ["metrics", said.metrics && Object.keys(said.metrics).length ? JSON.stringify(said.metrics) : ""],
    ["failed", said.failure?.message],
    ["output", (said.output || []).length ? el("pre", { tabindex: "0" }, said.output.map(([stream, line]) => `${stream}: ${line}`).join("\n")) : ""],
  ];
  if (!told.some(([, value]) => value)) return null;
  return el("details", { class: "outcome", open: Boolean(said.failure) }, el("summary", {}, badge(said.decision), el("strong", {}, said.hook), el("span", { class: "muted small" }, said.type)),
    facts(told));
}

function sent({ rendered = {} }) {
  const streams = ["stdout", "stderr"].filter((name) => rendered[name]).map((name) => el("div", {},
    el("span", { class: "muted small" }, `${name}, ${number(new TextEncoder().encode(rendered[name]).length)} bytes`), el("pre", { tabindex: "0" }, rendered[name])));
  return card(`What the agent was sent: exit ${rendered.exit ?? "–"}`,
    ...(streams.length ? streams : [el("p", { class: "muted" }, "No bytes: the agent's own way of asking for permission goes on.")]));
}

function about_(record) {
  const told = record.facts || {};
  const link = (page, name) => (name ? el("a", { href: page }, name) : "");
  return card("About this call", facts([
    ["when", `${moment(Date.parse(record.ts) / 1000)}`], ["agent", link(href("calls", [], { agent: record.agent }), record.agent)],
    ["event", [record.event, record.native_event].filter(Boolean).join(", sent as ")],
    ["tool", told.tool ? [told.tool.name, told.tool.kind].filter(Boolean).join(", ") : ""], ["subagent", told.subagent ? `${told.subagent.id} ${told.subagent.type}` : ""],
    ["session", link(href("session", [record.session || ""]), record.session)], ["project", record.root], ["folder", told.cwd],
    ["mode", told.permission_mode], ["policy", record.policy], ["took", ms(record.ms)],
    ["withheld", [record.redacted && `${record.redacted} redacted`, record.capped && `${record.capped} capped`].filter(Boolean).join(", ")],
    ["tool call", told.tool?.call], ["id", el("code", { class: "id" }, record.id)],
  ]));
}

function saves({ outcomes = [] }) {
  return [...new Set(outcomes.map((said) => said.metrics?.undo).filter((id) => id && typeof id === "string"))];
}

function actions(record, about) {
  const status = el("p", { class: "copied", role: "status" });
  const say = (text) => { status.textContent = text; announce(text); };
  const copy = (what, text) => el("button", { type: "button", onclick: async () => {
    try { await navigator.clipboard.writeText(text); say(`The ${what} is copied.`); } catch { say(text); }
  } }, `Copy ${what}`);
  return card("What you can do", judgedBy(record), excepted(record, about, say),
    el("div", { class: "act row" }, copy("address", location.href), copy("id", record.id)), status);
}

function excepted({ verdict = {}, root, id, exceptions }, about, say) {
  if (!verdict.rule || ![...STOPPED, "ask"].includes(verdict.decision)) return null;
  const make = async (until, button) => {
    button.disabled = true;
    try {
      const made = await post(`/api/calls/${encodeURIComponent(id)}/exception`, { for: until });
      say(`${made.rule} lets “${made.command}” pass${made.until ? ` for ${length(made.until - Date.now() / 1000)}` : ""}. \`fairlead allow --revoke ${made.id}\` takes it back.`);
    } catch (error) { say(error.message); button.disabled = false; }
  };
  const buttons = (exceptions || []).map((name) => {
    const button = el("button", { type: "button", disabled: !about.writable }, LENGTHS[name]);
    button.addEventListener("click", () => make(name, button));
    return button;
  });
  return el("div", { class: "act" }, el("h3", {}, "Make an exception"),
    buttons.length ? el("p", { class: "muted small" }, "For this very command in its folder, by this agent.") : null,
    buttons.length ? el("div", { class: "row" }, buttons) : null,
    about.writable && buttons.length ? null : el("p", { class: "small" }, "In a terminal: ", el("code", {}, `fairlead allow ${verdict.rule} --in ${root} --once`)));
}

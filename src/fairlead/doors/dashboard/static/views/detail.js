import { get } from "../api.js";
import { badge, el, ms } from "../dom.js";
import { savedBefore } from "./saved.js";

const dialog = () => document.getElementById("detail");

export function closeDetail() {
  if (dialog().open) dialog().close();
}

// One call as `fairlead explain` tells it.
export async function openDetail(id) {
  const shown = dialog();
  shown.replaceChildren(el("h2", { id: "detail-title" }, "Loading…"));
  if (!shown.open) shown.showModal();
  try {
    shown.replaceChildren(...story(await get(`/api/calls/${encodeURIComponent(id)}`)));
  } catch (error) {
    shown.replaceChildren(el("h2", { id: "detail-title" }, "Not found"), el("p", { role: "alert" }, error.message), close());
  }
  shown.querySelector("button")?.focus();
}

function close() {
  return el("button", { type: "button", onclick: closeDetail }, "Close");
}

function story(record) {
  const verdict = record.verdict || {};
  const facts = record.facts || {};
  const rendered = record.rendered || {};
  return [
    el("h2", { id: "detail-title" }, badge(verdict.decision), ` ${verdict.rule || record.event}`),
    verdict.reason ? el("p", {}, verdict.reason) : null,
    ...asked(facts, verdict),
    list([
      ["audit", verdict.would ? `${verdict.would.hook} only watches: it would have said ${verdict.would.decision}` : ""],
      ["would be", verdict.would ? [verdict.would.rule, verdict.would.reason].filter(Boolean).join(": ") : ""],
      ["hook", verdict.hook], ["instead", verdict.alternative], ["effect", record.effect?.text],
      ["degraded", record.degraded], ["when", record.ts], ["id", record.id],
      ["agent", `${record.agent} (${record.native_event || record.event})`],
      ["tool", facts.tool ? `${facts.tool.name} (${facts.tool.kind})` : ""], ["call", facts.tool?.call],
      ["subagent", facts.subagent ? `${facts.subagent.id} ${facts.subagent.type}` : ""],
      ["project", record.root], ["cwd", facts.cwd], ["session", record.session], ["mode", facts.permission_mode],
      ["policy", record.policy], ["took", ms(record.ms)],
      ["withheld", [record.redacted && `${record.redacted} redacted`, record.capped && `${record.capped} capped`].filter(Boolean).join(", ")],
    ]),
    el("h3", {}, "Hooks, in the order in which they answered"),
    ...(record.outcomes || []).map(outcome),
    ...saves(record).map(savedBefore),
    el("h3", {}, `Sent back: exit ${rendered.exit}`),
    ...["stdout", "stderr"].filter((name) => rendered[name]).map((name) =>
      el("div", {}, el("span", { class: "muted" }, name), el("pre", { tabindex: "0" }, rendered[name]))),
    verdict.rule && ["block", "ask", "halt"].includes(verdict.decision)
      ? el("p", {}, "To make an exception: ", el("code", {}, `fairlead allow ${verdict.rule} --in ${record.root} --once`))
      : null,
    close(),
  ].filter(Boolean);
}

function saves(record) {
  const named = (record.outcomes || []).map((said) => said.metrics?.undo);
  return [...new Set(named.filter((id) => id && typeof id === "string"))];
}

function asked(facts, verdict) {
  const input = facts.tool?.input || (facts.prompt ? { prompt: facts.prompt } : facts.more) || {};
  return Object.entries(input).map(([key, value]) => {
    const text = typeof value === "string" ? value : JSON.stringify(value, null, 2);
    const parts = key === "command" ? marked(text, verdict.evidence || []) : [text];
    return el("div", {}, el("span", { class: "muted" }, key), el("pre", { tabindex: "0" }, parts));
  });
}

// The parts of the command that are meant; offsets are bytes of its UTF-8.
function marked(text, evidence) {
  const bytes = new TextEncoder().encode(text);
  const read = (start, end) => new TextDecoder().decode(bytes.slice(start, end));
  const spans = evidence.filter((proof) => !proof.source && Number.isInteger(proof.start) && proof.end > proof.start)
    .sort((one, other) => one.start - other.start);
  const parts = [];
  let at = 0;
  for (const { start, end } of spans) {
    if (start < at) continue;
    parts.push(read(at, start), el("mark", {}, read(start, end)));
    at = end;
  }
  return [...parts, read(at, bytes.length)];
}

function outcome(said) {
  return el("div", { class: "card" },
    el("div", { class: "row" }, badge(said.decision), el("strong", {}, said.hook),
      el("span", { class: "muted" }, `${said.type}, ${ms(said.ms)}`)),
    list([
      ["rule", said.rule], ["reason", said.reason],
      ["evidence", (said.evidence || []).map((proof) => `${proof.text} ${proof.detail || ""}`).join("; ")],
      ["rewrote", said.updated_input ? JSON.stringify(said.updated_input) : ""],
      ["metrics", said.metrics && Object.keys(said.metrics).length ? JSON.stringify(said.metrics) : ""],
      ["failed", said.failure?.message],
      ["output", (said.output || []).map(([stream, line]) => `${stream}: ${line}`).join("\n")],
    ]));
}

function list(pairs) {
  return el("dl", {}, pairs.filter(([, value]) => value).flatMap(([name, value]) => [
    el("dt", {}, name), el("dd", {}, String(value))]));
}

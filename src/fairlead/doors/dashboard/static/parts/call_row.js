import { badge, chip, el } from "./dom.js";
import { ms, time } from "./format.js";
import { callHref } from "./place.js";

const STOPPED = ["block", "halt"];
export const HEADS = [["When", "when"], ["Decision", "said"], ["Agent", "agent"], ["Tool", "tool"], ["What it asked for", "asked"],
  ["Rule or result", "marks"], ["Took", "took"]];

// One call in one line, whatever is in it. What came after it is in the same line.
export function row(call) {
  const rule = call.rule || call.would_rule;
  return el("tr", { "data-id": call.id },
    el("td", { class: "when" }, time(call.ts)),
    el("td", { class: "said" }, badge(call.decision)),
    el("td", { class: "agent", title: call.subagent ? `${call.agent}, subagent ${call.subagent}` : null }, call.agent),
    el("td", { class: "tool" }, call.tool || call.event),
    el("td", { class: "asked", title: call.summary }, el("a", { href: callHref(call.id) }, call.summary || call.event)),
    el("td", { class: "marks", title: rule || null }, marks(call), rule),
    el("td", { class: "took" }, ms(call.milliseconds)));
}

export function callTable(label, body) {
  return el("table", { class: "calls" }, el("caption", { class: "unseen" }, label),
    el("thead", {}, el("tr", {}, HEADS.map(([text, kind]) => el("th", { scope: "col", class: kind }, text)))), body);
}

// The worst first: of several, the last may be cut off.
function marks(call) {
  const { after } = call;
  const found = [];
  if (after?.ran && STOPPED.includes(call.decision)) found.push(chip("ran anyway", "alarm", "The agent ran it although it was refused"));
  if (call.failures) found.push(chip("hook failed", "warn"));
  if (call.degraded) found.push(chip("degraded", "warn", call.degraded));
  if (call.would) found.push(chip(`audit: ${call.would}`, "", `Audit kept back: ${call.would} by ${call.would_rule}`));
  if (after && !after.ran) found.push(chip("did not run"));
  else if (after && after.event === "ToolFailure") found.push(chip("failed", "", "The tool failed"));
  else if (after && !STOPPED.includes(call.decision)) found.push(chip("ran"));
  if (call.canary) found.push(chip("by doctor"));
  if (call.attempts > 1) found.push(chip("answered again"));
  return found.flatMap((each) => [each, " "]);
}

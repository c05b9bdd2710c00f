import { get } from "/static/parts/api.js";
import { card, chip, el, empty, facts, table, title } from "/static/parts/dom.js";
import { ago, moment, number } from "/static/parts/format.js";
import { href } from "/static/parts/place.js";
import { decisionTable } from "../parts/decision_table.js";
import { lastWord, policyWord, states } from "../parts/states.js";

const LATEST = 50;

// One machine: what it tells of itself, what its calls were told, and what is wrong with its lines.
export async function machine(main, { rest }) {
  const [found, { decisions }] = await Promise.all([
    get(`/api/fleet/machines/${encodeURIComponent(rest[0])}`), get("/api/fleet/decisions", { machine: rest[0], limit: LATEST })]);
  const told = found.heartbeat || {};
  main.replaceChildren(
    title(found.host || found.machine, found.listed ? null : chip("not on the list", "alarm"), states(found.troubles)),
    el("p", {}, el("a", { class: "back", href: "#/machines" }, "← Machines")),
    el("div", { class: "machine-page" },
      el("div", {}, marks(found), found.contact ? card("What doctor says there", rows(told.rows || [])) : silence(found),
        !found.contact ? null : card("Latest decisions", decisions.length ? decisionTable(decisions, { alone: true }) : el("p", { class: "muted" }, "None has come yet."),
          decisions.length === LATEST ? el("p", {}, el("a", { href: href("decisions", [], { machine: found.machine }) }, "All of them")) : null)),
      el("div", {},
        card("The machine", facts([
          ["Name", found.machine], ["Group", found.group], ["Last word", lastWord(found)], ["Known since", found.since ? moment(found.since) : ""],
          ["Fairlead", [found.version, told.fairlead?.build].filter(Boolean).join(", build ")], ["Mode", found.mode],
          ["Switched off", found.off ? "yes" : ""], ["Not yet sent", found.behind ? `${number(found.behind)} bytes of its journal` : ""]])),
        ...(!found.contact ? [] : [card("Its policy", facts([["Bundle", policyWord(found)], ["Since", told.bundle?.since], ["Why", told.bundle?.reason], ["Hash", told.bundle?.sha256?.slice(0, 16)]])),
        card("Its agents", agents(told.agents || [])),
        card("Calls since its last word", counts(told.counts || {}))]))));
}

function silence({ machine: name }) {
  return empty("It is expected, and was never heard of", "It is on the list of machines, and no heartbeat has come. Enrol it, and start its agent; on the machine itself:", `fairlead fleet enrol --machine ${name} ...; fairlead fleet start`);
}

function rows(found) {
  if (!found.length) return el("p", { class: "muted" }, "It has not said.");
  return el("ul", { class: "health" }, found.map((row) => {
    const { well } = row;
    return el("li", {}, el("span", { class: well ? "ok" : "bad", "aria-hidden": "true" }, well ? "✓" : "!"),
      el("span", {}, `${row.name}: `, el("span", { class: well ? "" : "bad" }, row.state)));
  }));
}

function agents(found) {
  if (!found.length) return el("p", { class: "muted" }, "None was found on it.");
  return el("ul", { class: "health" }, found.map((agent) => {
    const bad = agent.seen_without_calls;
    const text = bad ? "seen, and no hook call came" : [agent.installed ? "installed" : "not installed", agent.proved ? "proved" : "not proved"].join(", ");
    return el("li", {}, el("span", { class: bad ? "bad" : "ok", "aria-hidden": "true" }, bad ? "!" : "✓"), el("span", {}, `${agent.agent}: `, el("span", { class: bad ? "bad" : "" }, text)),
      agent.calls ? el("span", { class: "detail" }, `${number(agent.calls)} calls`) : null);
  }));
}

function counts(found) {
  return facts([["Calls", number(found.calls)], ["Blocked", number(found.blocks)], ["Asked", number(found.asks)], ["Failed", number(found.failures)], ["Audit kept back", number(found.would)]]);
}

function marks({ gaps, forks, incidents }) {
  const made = [
    ...forks.map((fork) => ["Fork", `number ${fork.seq} of writer ${fork.writer} stands on ${fork.ids.split(" ").length} lines`, fork.found, true]),
    ...gaps.map((gap) => [gap.why === "missing" ? "Lines missing" : "Lines not written", `${number(gap.last - gap.first + 1)} of writer ${gap.writer}, from ${gap.first} on`, gap.found, gap.why === "missing"]),
    ...incidents.map((each) => [`Incident: ${each.kind}`, each.detail, each.found, true]),
  ];
  if (!made.length) return [];
  return [el("section", { class: "card" }, el("header", {}, el("h2", {}, "What is wrong with its lines")),
    table("What is wrong with its lines", [["What"], ["Which"], ["Found"]], made.map(([what, which, at, grave]) => el("tr", {},
      el("td", {}, chip(what, grave ? "alarm" : "warn")), el("td", { class: "name" }, which), el("td", { class: "switch", title: moment(at) }, ago(at))))))];
}

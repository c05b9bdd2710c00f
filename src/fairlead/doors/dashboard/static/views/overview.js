import { get } from "../parts/api.js";
import { card, el, empty, problem, segments, table, title } from "../parts/dom.js";
import { ago, folder, moment, ms, number, percent } from "../parts/format.js";
import { callHref, href } from "../parts/place.js";
import { shares } from "../parts/shares.js";
import { stackedChart } from "../parts/stacked_chart.js";

const SPANS = { "1h": "1 h", "24h": "24 h", "7d": "7 d", "30d": "30 d", "90d": "90 d", all: "all" };
const AGAIN = 15000, SOON = 1500;

// What happened, who did it, what needs a person, and whether all is well.
export async function overview(main, place) {
  let span = "", soon = 0;
  const shown = el("div");
  const spans = el("div");
  const healthy = el("div", {}, el("p", { class: "muted" }, "Looking…"));

  async function load() {
    const found = await get("/api/overview", { span, zone: -new Date().getTimezoneOffset() });
    shown.replaceChildren(...parts(found, healthy));
    if (found.indexed < 1 && !soon) soon = setTimeout(() => { soon = 0; load().catch(() => {}); }, SOON);
  }

  async function update({ query }) {
    span = Object.hasOwn(SPANS, query.get("span")) ? query.get("span") : "24h";
    spans.replaceChildren(segments("Time", SPANS, span, (value) => { location.hash = href("overview", [], { span: value }); }));
    await load();
  }

  main.replaceChildren(title("Overview", spans), shown);
  await update(place);
  get("/api/health").then((rows) => healthy.replaceChildren(health(rows)), (error) => healthy.replaceChildren(problem(error)));
  const busy = () => shown.contains(document.activeElement) || shown.querySelector(".chart:hover");
  const clock = setInterval(() => { if (!document.hidden && !busy()) load().catch(() => {}); }, AGAIN);
  return { update, leave() { clearInterval(clock); clearTimeout(soon); soon = 1; } };
}

function parts(found, healthy) {
  const { total, since } = found;
  if (found.first === null && found.indexed === 1) {
    return [strip(found), empty("Nothing has happened yet", "Fairlead writes down every call that it judges. Guard the agents of this machine, and prove that it holds:",
      "fairlead install\nfairlead doctor"), card("Health of the installation", healthy)];
  }
  const narrowed = (more) => href("calls", [], { since: since === null ? "" : String(since), ...more });
  const drawn = stackedChart(found.timeline, (from, to) => { location.hash = href("calls", [], { since: String(from), until: String(to) }); });
  return [
    strip(found), tiles(found, narrowed),
    el("section", { class: "card" }, el("header", {}, el("h2", {}, "Decisions"), drawn.legend), drawn.box),
    el("div", { class: "grid" },
      el("div", { class: "whole" }, card("Agents", agents(found.agents, narrowed))),
      card("Rules that fire", shares(found.rules, (name) => narrowed({ rule: name }), (name) => name, "No rule had to object.")),
      card("Projects", shares(found.projects, (name) => narrowed({ root: name }), folder, "No call named its project.")),
      card("Health of the installation", healthy)),
    found.looked_at ? el("p", { class: "muted small" }, `So many calls in so little time: numbers are of the newest ${number(found.looked_at)} events.`) : null,
  ].filter(Boolean);
}

function strip({ alarms, waiting, indexed }) {
  const made = alarms.map(alarm);
  if (indexed < 1) {
    made.unshift(el("div", { class: "alarm" }, el("strong", {}, `The journal is being read: ${Math.floor(indexed * 100)} %`), el("span", {}, "What is shown is of what was read so far."),
      el("progress", { value: indexed, max: 1, "aria-label": "How much of the journal was read" })));
  }
  if (waiting) {
    made.push(el("div", { class: "alarm" }, el("strong", {}, waiting === 1 ? "A call waits for your answer" : `${waiting} calls wait for your answer`),
      el("a", { href: "#/asks" }, "Answer")));
  }
  return made.length ? el("section", { class: "alarms", "aria-label": "What needs you" }, made)
    : el("p", { class: "calm" }, el("span", { class: "ok", "aria-hidden": "true" }, "✓ "), "Nothing needs you: no refused call ran, nothing is missing from the journal, no hook failed.");
}

function alarm(said) {
  const fix = said.fix ? el("code", {}, said.fix) : null;
  const box = (grave, heading, ...rest) => el("div", { class: `alarm ${grave ? "grave" : ""}` }, el("strong", {}, heading), ...rest);
  if (said.kind === "ran") {
    const many = `${said.number}${said.number >= said.most ? " or more" : ""}`;
    return box(true, `${many} ${said.number === 1 ? "call" : "calls"} ran although refused`,
      el("span", {}, "The agent did not heed the answer. See whether its hooks are still in force: ", fix),
      el("ul", {}, said.calls.slice(0, 5).map((call) => el("li", {}, el("a", { href: callHref(call.id), class: "mono" }, call.summary || call.id), ` ${call.agent}, ${ago(call.ts)}`))));
  }
  if (said.kind === "off") return box(true, "Nothing is guarded", el("span", {}, `${said.text}. Switch it on: `, fix));
  if (said.kind === "gap") return box(true, `${number(said.number)} ${said.number === 1 ? "line is" : "lines are"} missing from the journal`, el("span", {}, `${said.text}. Check the chain: `, fix));
  if (said.kind === "failure") return box(false, `Hooks failed in ${number(said.number)} ${said.number === 1 ? "call" : "calls"}`, el("a", { href: "#/calls?trouble=1" }, "See them"));
  return box(false, "An off-switch that does not count", el("span", {}, `${said.text} `, fix));
}

function tiles({ total }, narrowed) {
  const { decisions } = total;
  const tile = (name, value, to) => el(to ? "a" : "div", { class: "tile", href: to },
    el("span", { class: "name" }, name), el("span", { class: "value" }, value));
  return el("div", { class: "tiles" },
    tile("calls", number(total.calls), narrowed({})),
    tile(`blocked ${percent(decisions.block, total.calls)}`, number(decisions.block), narrowed({ decision: ["block", "halt"] })),
    tile(`asked ${percent(decisions.ask, total.calls)}`, number(decisions.ask), narrowed({ decision: "ask" })),
    tile("median time", ms(total.p50)), tile("p95", ms(total.p95)), tile("p99", ms(total.p99)));
}

function agents(found, narrowed) {
  if (!found.length) return el("p", { class: "muted" }, "No agent called in this time.");
  return table("Agents", [["Agent"], ["Calls", "number"], ["Blocked", "number"], ["Asked", "number wide"], ["Median", "number wide"], ["p95", "number"], ["p99", "number wide"], ["Last call", "number"]],
    found.map((agent) => el("tr", {},
      el("td", { class: "name" }, el("a", { href: narrowed({ agent: agent.name }) }, agent.name)),
      el("td", { class: "number" }, number(agent.calls)),
      el("td", { class: "number" }, number(agent.decisions.block)),
      el("td", { class: "number wide" }, number(agent.decisions.ask)),
      ...[["p50", " wide"], ["p95", ""], ["p99", " wide"]].map(([name, wide]) => el("td", { class: `number${wide}` }, ms(agent[name]))),
      el("td", { class: "number", title: agent.last ? moment(agent.last) : null }, agent.last ? ago(agent.last) : ""))));
}

function health(rows) {
  if (!rows.length) return el("p", { class: "muted" }, "Nobody has looked; ", el("code", {}, "fairlead status"), " does.");
  return el("ul", { class: "health" }, rows.map((row) => el("li", {},
    el("span", { class: row.well ? "ok" : "bad", "aria-hidden": "true" }, row.well ? "✓" : "!"),
    el("span", {}, `${row.name}: `, el("span", { class: row.well ? "" : "bad" }, row.state)),
    row.detail || row.fix ? el("span", { class: "detail" }, row.detail, row.fix ? [row.detail ? " " : "", el("code", {}, row.fix)] : null) : null)));
}

import { get } from "../api.js";
import { el, field, ms, number, svg, table, time } from "../dom.js";

const SPANS = { "1 hour": 3600, "1 day": 86400, "7 days": 604800, "30 days": 2592000, everything: 0 };
const QUIET = 86400 * 7;

// Counts, latency, and how each agent, rule and hook is doing.
export async function stats(main) {
  const shown = el("div");
  const span = el("select", { onchange: load }, Object.keys(SPANS).map((name) =>
    el("option", { value: name, selected: name === "7 days" }, name)));

  async function load() {
    const seconds = SPANS[span.value];
    const found = await get("/api/stats", { since: seconds ? Date.now() / 1000 - seconds : "" });
    shown.replaceChildren(...parts(found));
  }

  main.replaceChildren(el("h2", {}, "Statistics"), el("div", { class: "filters" }, field("time", span)), shown);
  await load();
}

function parts(found) {
  const { total } = found;
  const blocked = (total.decisions.block || 0) + (total.decisions.halt || 0);
  const tiles = [
    ["calls", number(total.calls) || "0"], ["blocked", number(blocked) || "0"],
    ["asked", number(total.decisions.ask) || "0"], ["degraded", number(total.degraded) || "0"],
    ["with failures", number(total.failed) || "0"], ["p50", ms(total.p50)], ["p95", ms(total.p95)], ["p99", ms(total.p99)],
    ["tokens", number(found.tokens.total) || "0"],
    ["calls of doctor, left out", number(found.canaries_left_out) || "0"],
  ];
  return [
    el("div", { class: "tiles" }, tiles.map(([name, value]) =>
      el("div", { class: "tile" }, el("span", { class: "muted" }, name), el("strong", {}, value)))),
    el("h3", {}, found.trend_step_seconds > 3600 ? "Calls per day" : "Calls per hour"),
    bars(found.trend),
    el("div", { class: "columns" },
      shares("Agents", found.agents, true, true), shares("Rules", found.rules), shares("Hooks, slowest first", found.hooks, true),
      shares("Tools", found.tools), shares("Events", found.events), shares("Projects", found.projects)),
  ];
}

function bars(values) {
  const width = 1000, height = 140;
  const top = Math.max(...values, 1);
  const step = width / Math.max(values.length, 1);
  const chart = svg("svg", { class: "chart", viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: "none", role: "img",
    "aria-label": `${values.length} bars, at most ${top} calls, at last ${values.at(-1) ?? 0}` });
  values.forEach((value, index) => {
    const size = value / top * (height - 10);
    chart.append(svg("rect", { x: index * step + step * .1, y: height - size, width: Math.max(step * .8, .5), height: size },
      svg("title", {}, String(value))));
  });
  return chart;
}

function shares(title, found, timed = false, seen = false) {
  const heads = [["Name"], ["Calls", "number"], ["Block", "number"], ["Ask", "number"], ["Failed", "number"],
    ...(timed ? [["p50", "number"], ["p95", "number"]] : []), ...(seen ? [["Last seen"], ["Health"]] : [])];
  return el("section", {}, el("h3", {}, title), table(title, heads, found.slice(0, 12).map((share) => el("tr", {},
    el("td", {}, share.name),
    ...[share.calls, (share.decisions.block || 0) + (share.decisions.halt || 0), share.decisions.ask, share.failed]
      .map((value) => el("td", { class: "number" }, number(value))),
    ...(timed ? [share.p50, share.p95].map((value) => el("td", { class: "number" }, ms(value))) : []),
    ...(seen ? [el("td", {}, share.last ? time(share.last) : ""), el("td", {}, health(share))] : []))), false));
}

function health(share) {
  if (share.failed) return el("span", { class: "trouble" }, "hooks fail");
  if (share.degraded) return "some answers degraded";
  return share.last && Date.now() / 1000 - share.last > QUIET ? "not seen for a week" : "well";
}

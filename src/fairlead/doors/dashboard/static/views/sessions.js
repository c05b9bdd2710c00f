import { get } from "../api.js";
import { el, number, svg, table, time } from "../dom.js";
import { openDetail } from "./detail.js";
import { row } from "./live.js";

const LANE = 34;
const WIDTH = 1000;
const LEFT = 130;

// All sessions, or the timeline of one with a lane per subagent.
export async function sessions(main, { rest }) {
  if (rest[0]) return one(main, rest[0]);
  const found = await get("/api/sessions", { limit: 100 });
  main.replaceChildren(el("h2", {}, "Sessions"), table("Sessions, the one with the newest call first",
    [["Last call"], ["Agent"], ["Project"], ["Calls", "number"], ["Blocked", "number"], ["Asked", "number"],
      ["Subagents", "number wide"], ["Tokens", "number wide"], ["Session"]],
    found.map((session) => el("tr", {},
      el("td", {}, time(session.last)), el("td", {}, session.agent), el("td", {}, session.root),
      ...["calls", "blocked", "asked"].map((name) => el("td", { class: "number" }, number(session[name]))),
      ...["subagents", "tokens"].map((name) => el("td", { class: "number wide" }, number(session[name]))),
      el("td", {}, el("a", { href: `#/sessions/${encodeURIComponent(session.session)}` }, session.session || "(none)"))))));
  return null;
}

async function one(main, session) {
  const calls = await get("/api/calls", { session, limit: 500 });
  const heads = [["When"], ["Decision"], ["Agent"], ["Tool", "wide"], ["Asked"], ["Rule"], ["Took", "number wide"]];
  main.replaceChildren(
    el("h2", {}, `Session ${session}`),
    el("p", {}, el("a", { href: "#/sessions" }, "All sessions")),
    lanes([...calls].reverse()),
    table("Calls, the newest first", heads, calls.map((call) => row(call))));
  return null;
}

function lanes(calls) {
  if (!calls.length) return el("p", { class: "muted" }, "No calls.");
  const names = [...new Set(calls.map((call) => call.subagent))];
  const first = calls[0].ts;
  const span = Math.max(calls.at(-1).ts - first, 0.001);
  const height = names.length * LANE + 10;
  const chart = svg("svg", { class: "lanes", viewBox: `0 0 ${WIDTH} ${height}`, role: "img",
    "aria-label": `Timeline of ${calls.length} calls in ${names.length} lanes; the table below has the same calls` });
  names.forEach((name, lane) => {
    const y = lane * LANE + LANE / 2 + 5;
    chart.append(svg("line", { x1: LEFT, x2: WIDTH - 12, y1: y, y2: y }),
      svg("text", { x: 10, y: y + 4 }, (name || "main").slice(0, 16)));
  });
  for (const call of calls) {
    const x = LEFT + (call.ts - first) / span * (WIDTH - LEFT - 20);
    const y = names.indexOf(call.subagent) * LANE + LANE / 2 + 5;
    chart.append(svg("circle", { cx: x, cy: y, r: call.decision === "continue" || call.decision === "allow" ? 5 : 8,
      class: call.decision, onclick: () => openDetail(call.id) }, svg("title", {}, `${call.decision} ${call.summary}`)));
  }
  return chart;
}


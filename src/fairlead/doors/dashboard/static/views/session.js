import { get } from "../parts/api.js";
import { callTable, row } from "../parts/call_row.js";
import { card, el, empty, title } from "../parts/dom.js";
import { length, moment, number } from "../parts/format.js";
import { lanes } from "../parts/lanes.js";
import { callHref, href } from "../parts/place.js";

const MOST = 500;

// One session: a lane for the agent and for each of its subagents, and all of its calls.
export async function session(main, { rest }) {
  const found = (await get("/api/calls", { session: rest[0] || "", limit: MOST, canaries: "1" }));
  const back = el("a", { href: "#/sessions", class: "back" }, "All sessions ", el("kbd", {}, "Esc"));
  const { calls } = found;
  if (!calls.length) {
    main.replaceChildren(title("Session", back), empty("No call of this session is in the journal", "It may have been pruned since."));
    return undefined;
  }
  const first = calls.at(-1), last = calls[0];
  const names = [...new Set(calls.map((each) => each.subagent))].sort();
  const rows = names.map((name) => ({ name: name || first.agent, items: calls.filter((each) => each.subagent === name).map((each) => ({
    from: each.ts, to: each.ts, decision: each.decision, title: `${each.decision}: ${each.summary || each.event}`, href: callHref(each.id) })) }));
  main.replaceChildren(title(`Session ${rest[0]}`, back),
    el("p", { class: "lead" }, `${first.agent} in ${first.root}, ${moment(first.ts)}, for ${length(last.ts - first.ts)}. `,
      found.more ? [`Its newest ${number(MOST)} calls; `, el("a", { href: href("calls", [], { session: rest[0] }) }, "all of them")] : `${number(calls.length)} calls.`),
    card("Over time", lanes(`${calls.length} calls in ${names.length} lanes; the table below has the same calls`, rows)),
    el("div", { class: "card calls-card" }, callTable("Calls, the newest first", el("tbody", {}, calls.map(row)))));
  const keyed = ({ detail: key }) => { if (key === "Escape") location.hash = "#/sessions"; };
  document.addEventListener("key", keyed);
  return { leave() { document.removeEventListener("key", keyed); } };
}

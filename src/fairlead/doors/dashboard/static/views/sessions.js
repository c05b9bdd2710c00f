import { get } from "../parts/api.js";
import { card, el, empty, table, title } from "../parts/dom.js";
import { ago, folder, length, moment, number } from "../parts/format.js";
import { lanes } from "../parts/lanes.js";
import { href } from "../parts/place.js";

const MOST = 100, LANES = 24;

// Sessions side by side over time, and what each of them did.
export async function sessions(main) {
  const found = await get("/api/sessions", { limit: MOST });
  if (!found.length) {
    main.replaceChildren(title("Sessions"), empty("No sessions yet", "A session is one conversation with an agent. Each appears here with its first call, with a lane for every subagent. See what Fairlead would say to a call:", "fairlead check 'git push --force'"));
    return;
  }
  main.replaceChildren(title("Sessions", el("span", { class: "muted" }, found.length === MOST ? `the last ${MOST}` : `${number(found.length)} ${found.length === 1 ? "session" : "sessions"}`)),
    card("Over time", lanes("Sessions over time; the table below has the same sessions", found.slice(0, LANES).map(lane))),
    el("div", { class: "card" }, table("Sessions, the one with the newest call first",
      [["Session"], ["Last call"], ["Agent"], ["Project", "wide"], ["Lasted", "number wide"], ["Calls", "number"], ["Blocked", "number"], ["Asked", "number wide"], ["Subagents", "number wide"], ["Tokens", "number wide"]],
      found.map(line))));
}

const to = (session) => href("session", [session.session]);

function lane(session) {
  const decision = session.blocked ? "block" : session.asked ? "ask" : "";
  const told = `${session.agent} in ${folder(session.root)}: ${number(session.calls)} calls, ${number(session.blocked)} blocked, ${number(session.asked)} asked`;
  return { name: `${session.agent} ${session.session.slice(0, 8)}`,
    items: [{ from: session.first, to: Math.max(session.last, session.first + .001), decision: "pass", mark: decision, title: told, href: to(session) }] };
}

function line(session) {
  const cell = (name, wide = "") => el("td", { class: `number ${wide}` }, number(session[name]));
  return el("tr", {},
    el("td", { class: "mono switch" }, el("a", { href: to(session), title: session.session }, session.session.slice(0, 8) || "(none)")),
    el("td", { class: "switch", title: moment(session.last) }, ago(session.last)), el("td", {}, session.agent), el("td", { class: "name wide", title: session.root }, folder(session.root)),
    el("td", { class: "number wide" }, length(session.last - session.first)), cell("calls"), cell("blocked"), cell("asked", "wide"), cell("subagents", "wide"), cell("tokens", "wide"));
}

import { get } from "/static/parts/api.js";
import { card, chip, el, empty, segments, table, title } from "/static/parts/dom.js";
import { ago, moment, number } from "/static/parts/format.js";
import { href } from "/static/parts/place.js";
import { pages, searchBox } from "../parts/pages.js";

const SPANS = { "24h": "24 h", "7d": "7 d", "30d": "30 d", "90d": "90 d" };
const KINDS = { forged: "said that it was another machine", secret: "sent a secret that had to be taken out here", changed: "sent a line again with another place",
  unreadable: "sent what cannot be read", group: "named a group that is not its own", duplicate: "found its id used by somebody else" };

// Each kind: its heading, what it means, and of a row what, which, and whether it is grave.
const CARDS = {
  glass: ["Broken glass", "", (each) => [each.rule.includes("wrong") ? "a code was wrong" : "a code was used", `group ${each.fleet_group || "–"}${each.person ? `, person ${each.person}` : ""}`, true]],
  forks: ["Forks", "Two lines have one number of one writer: the machine was copied or restored, or somebody wrote in its name.",
    (each) => [`number ${number(each.seq)}`, `writer ${each.writer}`, true]],
  gaps: ["Gaps", "Numbers that no line came for. Those that are only late close by themselves.",
    (each) => [`${number(each.last - each.first + 1)} ${each.why === "missing" ? "missing" : "not written"}`, `from ${number(each.first)} on, writer ${each.writer}`, each.why === "missing"]],
  incidents: ["Incidents", "", (each) => [each.kind, `${KINDS[each.kind] || ""}: ${each.detail}`, true]],
};

// What must not be: broken glass, lines that are missing or doubled, messages that nobody honest sends.
export async function alarms(main, place) {
  const shown = el("div"), spans = el("div");
  const search = searchBox("Search by machine", "Beginning of a machine's name", (text) => {
    const next = href("alarms", [], { span: chosen.span, text });
    history.replaceState(null, "", next);
    update({ query: new URLSearchParams(next.split("?")[1] || "") });
  });
  let chosen = {}, ticket = 0;

  async function update({ query }) {
    chosen = { span: Object.hasOwn(SPANS, query.get("span")) ? query.get("span") : "90d", text: query.get("text") || "" };
    if (document.activeElement !== search) search.value = chosen.text;
    spans.replaceChildren(segments("Time", SPANS, chosen.span, (span) => { location.hash = href("alarms", [], { ...chosen, span }); }));
    const mine = ++ticket;
    const found = await get("/api/fleet/alarms", chosen);
    if (mine !== ticket) return;
    const made = Object.keys(CARDS).filter((kind) => found[kind].total).map((kind) => alarmCard(kind, found[kind], chosen));
    shown.replaceChildren(...(made.length ? made : [nothing(chosen)]));
  }

  main.replaceChildren(title("Alarms", spans), el("div", { class: "search" }, search), shown);
  await update(place);
  return { update };
}

function alarmCard(kind, first, chosen) {
  const [heading, meaning] = CARDS[kind], list = el("div"), total = el("span", { class: "muted small" }, number(first.total));
  const draw = (found, offset) => list.replaceChildren(rows(kind, found.rows), pages({ found: found.total, shown: found.rows.length, size: found.page, offset }, async (start) => {
    draw((await get("/api/fleet/alarms", { ...chosen, kind, offset: start }))[kind], start);
  }, `Pages of ${heading}`));
  draw(first, 0);
  const made = card(heading, meaning ? el("p", { class: "muted small" }, meaning) : null, list);
  made.querySelector("header").append(total);
  return made;
}

function rows(kind, found) {
  const [heading, , told] = CARDS[kind];
  return table(heading, [["Machine"], ["What"], ["Which", "wide"], ["When"]], found.map((each) => {
    const [what, which, grave] = told(each);
    return el("tr", {}, el("td", { class: "name" }, el("a", { href: href("machine", [each.machine]) }, each.machine)), el("td", {}, chip(what, grave ? "alarm" : "warn")),
      el("td", { class: "name wide" }, which), el("td", { class: "switch", title: moment(each.found) }, ago(each.found)));
  }));
}

function nothing({ text }) {
  return text ? empty("No alarm of such a machine", "Look at a longer time, or search for another name.")
    : empty("No alarm", "Here appear glass that was broken, lines of a journal that are missing or doubled, and messages that no honest machine sends. The machine's own record is checked there:", "fairlead log verify");
}

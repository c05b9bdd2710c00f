import { get } from "/static/parts/api.js";
import { card, chip, el, empty, table, title } from "/static/parts/dom.js";
import { ago, moment, number } from "/static/parts/format.js";
import { href } from "/static/parts/place.js";

const KINDS = { forged: "said that it was another machine", secret: "sent a secret that had to be taken out here", changed: "sent a line again with another place",
  unreadable: "sent what cannot be read" };

// What must not be: broken glass, lines that are missing or doubled, messages that nobody honest sends.
export async function alarms(main) {
  const { glass, gaps, forks, incidents } = await get("/api/fleet/overview", { span: "90d" });
  const made = [
    glass.length ? card("Broken glass", list("Broken glass", glass.map((each) => [each.machine, each.rule.includes("wrong") ? "a code was wrong" : "a code was used", `group ${each.group}${each.person ? `, person ${each.person}` : ""}`, each.moment, true]))) : null,
    forks.length ? card("Forks", el("p", { class: "muted small" }, "Two lines have one number of one writer: the machine was copied or restored, or somebody wrote in its name."),
      list("Forks", forks.map((each) => [each.machine, `number ${number(each.seq)}`, `writer ${each.writer}`, each.found, true]))) : null,
    gaps.length ? card("Gaps", el("p", { class: "muted small" }, "Numbers that no line came for. Those that are only late close by themselves."),
      list("Gaps", gaps.map((each) => [each.machine, `${number(each.last - each.first + 1)} ${each.why === "missing" ? "missing" : "not written"}`, `from ${number(each.first)} on, writer ${each.writer}`, each.found, each.why === "missing"]))) : null,
    incidents.length ? card("Incidents", list("Incidents", incidents.map((each) => [each.machine, each.kind, `${KINDS[each.kind] || ""}: ${each.detail}`, each.found, true]))) : null,
  ].filter(Boolean);
  main.replaceChildren(title("Alarms"), ...(made.length ? made : [empty("No alarm",
    "Here appear glass that was broken, lines of a journal that are missing or doubled, and messages that no honest machine sends. The machine's own record is checked there:", "fairlead log verify")]));
}

function list(name, rows) {
  return table(name, [["Machine"], ["What"], ["Which", "wide"], ["When"]], rows.map(([machine, what, which, at, grave]) => el("tr", {},
    el("td", { class: "switch" }, el("a", { href: href("machine", [machine]) }, machine)), el("td", {}, chip(what, grave ? "alarm" : "warn")),
    el("td", { class: "name wide" }, which), el("td", { class: "switch", title: moment(at) }, ago(at)))));
}

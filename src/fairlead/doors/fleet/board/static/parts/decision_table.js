import { badge, chip, el } from "/static/parts/dom.js";
import { time } from "/static/parts/format.js";
import { href } from "/static/parts/place.js";

// Decisions of machines, one line each. `alone` leaves out what is the same in all of them: the machine.
export function decisionTable(found, { alone = false } = {}) {
  const told = found.some(({ about }) => about);
  const heads = [["When"], ["Decision"], ...(alone ? [] : [["Machine"], ["Group", "wide"]]), ["Agent"], ["What", "wide"], ["Rule"], ...(told ? [["Command or path", "wide"]] : [])];
  return el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Decisions, the newest first" },
    el("table", { class: "decisions" }, el("caption", { class: "unseen" }, "Decisions, the newest first"),
      el("thead", {}, el("tr", {}, heads.map(([text, kind]) => el("th", { scope: "col", class: kind }, text)))),
      el("tbody", {}, found.map((each) => line(each, { alone, told })))));
}

function line(each, { alone, told }) {
  const rule = each.rule || each.would_rule;
  return el("tr", {},
    el("td", { class: "switch" }, time(each.moment)),
    el("td", {}, badge(each.decision || "pass"), each.would ? [" ", chip(`audit: ${each.would}`)] : null, each.failure ? [" ", chip("hook failed", "warn")] : null),
    alone ? null : el("td", { class: "name" }, el("a", { href: href("machine", [each.machine]) }, each.machine)),
    alone ? null : el("td", { class: "wide" }, each.group),
    el("td", {}, each.agent), el("td", { class: "wide muted" }, each.kind || each.event),
    el("td", { class: "name" }, rule), told ? el("td", { class: "asked wide" }, each.about) : null);
}

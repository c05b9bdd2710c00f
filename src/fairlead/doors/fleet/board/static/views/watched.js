import { get } from "/static/parts/api.js";
import { badge, el, empty, segments, table, title } from "/static/parts/dom.js";
import { number } from "/static/parts/format.js";
import { href } from "/static/parts/place.js";

const SPANS = { "24h": "24 h", "7d": "7 d", "30d": "30 d", "90d": "90 d" };

// What would have been stopped if what only watches had been in force: the dry run of a rule.
export async function watched(main, place) {
  const shown = el("div"), spans = el("div");

  async function update({ query }) {
    const span = Object.hasOwn(SPANS, query.get("span")) ? query.get("span") : "7d", group = query.get("group") || "";
    spans.replaceChildren(segments("Time", SPANS, span, (value) => { location.hash = href("watched", [], { span: value, group }); }));
    const { would, total } = await get("/api/fleet/overview", { span, group });
    if (!would.length) {
      shown.replaceChildren(empty("Nothing was kept back", "Where a group or a rule is in audit mode, its objections are written down and the call goes on. They are counted here, so that you see what enforcing would stop. Write into the bundle:", "mode: audit"));
      return;
    }
    shown.replaceChildren(el("p", { class: "lead" }, `Of ${number(total.calls)} calls, ${number(total.would)} went on only because a rule watches and does not enforce.`),
      el("div", { class: "card" }, table("Rules that only watch", [["Rule"], ["Would have said"], ["Calls", "number"], ["Groups", "wide"]],
        would.map((each) => el("tr", {}, el("td", { class: "name" }, el("a", { href: href("decisions", [], { rule: each.rule, only: "would", group }) }, each.rule || "(no rule)")),
          el("td", {}, badge(each.decision)), el("td", { class: "number" }, number(each.calls)), el("td", { class: "wide" }, each.groups.join(", "), each.in_groups > each.groups.length ? ` and ${number(each.in_groups - each.groups.length)} more` : null))))));
  }

  main.replaceChildren(title("Only watched", spans), shown);
  await update(place);
  return { update };
}

import { lines } from "../parts/api.js";
import { badge, el, field, table, title } from "../parts/dom.js";
import { number } from "../parts/format.js";
import { callHref, href } from "../parts/place.js";
import { policyChoice } from "./policy_choice.js";

const CHANGES = { "newly blocked": "newly blocked", "newly asked": "newly asked", "newly allowed": "newly allowed",
  "by another rule": "by another rule", undecidable: "cannot be told", same: "unchanged" };

// What another policy would decide otherwise of the newest calls.
export async function compare(main, { query }) {
  const chosen = policyChoice(query.get("policy") || "");
  const number_ = el("select", { name: "calls" }, ["1000", "5000", "20000"].map((value) => el("option", { value, selected: value === (query.get("calls") || "5000") }, number(Number(value)))));
  const shown = el("div");
  const bar = el("progress", { max: 1, value: 0, "aria-label": "Calls that were judged" });
  const said = el("p", { class: "muted small", role: "status" });
  const button = el("button", { type: "button", class: "primary", onclick: start }, "Compare");
  let running = null;

  async function start() {
    if (running) { running.abort(); return; }
    running = new AbortController();
    button.textContent = "Stop";
    history.replaceState(null, "", href("compare", [], { policy: chosen.value, calls: number_.value }));
    shown.replaceChildren(bar, said);
    try {
      for await (const step of lines("/api/compare", { policy: chosen.value, calls: number_.value }, running.signal)) {
        if (step.error) throw new Error([step.error, step.hint].filter(Boolean).join("; "));
        bar.max = Math.max(step.of, 1);
        bar.value = step.done;
        said.textContent = `${number(step.done)} of ${number(step.of)} calls`;
        if (step.counts) shown.replaceChildren(...result(step));
      }
    } catch (error) {
      shown.replaceChildren(el("p", { class: "note", role: "status" }, error.name === "AbortError" ? "Stopped." : error.message));
    }
    running = null;
    button.textContent = "Compare";
  }

  main.replaceChildren(title("Compare policies"),
    el("p", { class: "lead" }, "Judge recorded calls again, by today's policy or another one. Nothing runs: for hooks with code of their own, what they said at the time counts. Calls that the record cannot decide are counted apart."),
    el("div", { class: "card" }, el("div", { class: "row" }, field("policy", chosen), field("newest calls", number_), button)), el("div", { class: "card" }, shown));
  shown.append(el("p", { class: "muted" }, "Choose a commit to see what a change of the project's policy did, or another project's policy to see what it would stop here. A folder in ",
    el("code", {}, "policies/"), " of this project or of your own configuration can be chosen, too."));
  return { leave() { running?.abort(); } };
}

function reason(each) {
  return each.why || each.now_rule || each.was_rule;
}

function result({ counts, changed, of: total }) {
  const tiles = Object.entries(CHANGES).filter(([name]) => counts[name] || name === "same").map(([name, shown]) => el("div", { class: "tile" },
    el("span", { class: "name" }, shown), el("span", { class: "value" }, number(counts[name]))));
  const rows = changed.map((each) => el("tr", {},
    el("td", { class: "wide" }, CHANGES[each.change]), el("td", { class: "switch" }, badge(each.was), " → ", badge(each.now)),
    el("td", { class: "name mono" }, el("a", { href: callHref(each.id) }, each.summary || each.id), el("span", { class: "muted small narrow" }, reason(each))),
    el("td", { class: "name wide" }, reason(each))));
  return [el("div", { class: "tiles" }, tiles),
    rows.length ? table("Calls that would be decided otherwise", [["Change", "wide"], ["Decision"], ["What it asked for"], ["Rule or reason", "wide"]], rows)
      : el("p", {}, total ? "Every call would be decided the same way." : "There are no calls to judge yet.")];
}

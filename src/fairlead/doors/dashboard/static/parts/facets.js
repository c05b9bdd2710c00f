import { el } from "./dom.js";
import { folder, number } from "./format.js";

const FLAGS = { trouble: "Something failed", would: "Kept back by audit", canaries: "Calls of doctor, too" };
const NAMES = { decision: "Decision", agent: "Agent", tool: "Tool", rule: "Rule", root: "Project" };

// What the calls could be narrowed down to, each with how many there are. `choose(facet, value)` turns one on or off.
export function facetList({ facets, looked_at: lookedAt }, chosen, choose) {
  const groups = Object.entries(NAMES).filter(([facet]) => facets[facet]?.values.length).map(([facet, name]) =>
    el("fieldset", {}, el("legend", {}, name),
      facets[facet].values.map(([value, count]) => {
        const on = [chosen[facet]].flat().includes(value);
        return el("button", { type: "button", "aria-pressed": String(on), title: value, "data-facet": facet, "data-value": value,
          onclick: () => choose(facet, value) },
        el("span", {}, facet === "root" ? folder(value) : value), el("span", {}, number(count)));
      }),
      facets[facet].more ? el("span", { class: "muted" }, `and ${number(facets[facet].more)} more`) : null));
  const flags = el("fieldset", {}, el("legend", {}, "Only, or also"), Object.entries(FLAGS).map(([flag, name]) =>
    el("button", { type: "button", "aria-pressed": String(chosen[flag] === "1"), "data-facet": flag, onclick: () => choose(flag, "1") }, el("span", {}, name))));
  return [...groups, flags, lookedAt ? el("p", { class: "muted" }, `Counted over the newest ${number(lookedAt)} events.`) : null].filter(Boolean);
}

import { get } from "../parts/api.js";
import { badge, chip, el, empty, prose, title } from "../parts/dom.js";
import { number } from "../parts/format.js";
import { href } from "../parts/place.js";
import { source } from "./hooks.js";

// Every rule: how often it decided, what its tests stop and let pass, and where it is written.
export async function rules(main, { query }) {
  const found = await get("/api/rules");
  const all = [{ id: "", rules: found.own }, ...found.packs];
  const shown = el("div", { class: "rules" });
  const search = el("input", { type: "search", "aria-label": "Search the rules", placeholder: "Search rules and examples", value: query.get("text") || "" });
  const fired = el("input", { type: "checkbox", checked: query.get("fired") === "1" });

  function draw() {
    const text = search.value.trim().toLowerCase();
    const fits = (rule) => (!fired.checked || rule.hits) && JSON.stringify([rule.id, rule.about, rule.stops]).toLowerCase().includes(text);
    history.replaceState(null, "", href("rules", [], { text, fired: fired.checked ? "1" : "" }));
    const packs = all.map((pack) => [pack, pack.rules.filter(fits)]);
    const own = packs[0][1].length || text || fired.checked ? [] : [ownNone()];
    shown.replaceChildren(...own, ...packs.filter(([, left]) => left.length).map(([pack, left]) => group(pack, left, Boolean(text))));
    if (!shown.children.length) shown.append(empty("No rule is like that", "Search for another word, or show rules that never fired, too."));
  }

  search.addEventListener("input", draw);
  fired.addEventListener("change", draw);
  main.replaceChildren(title("Rules", el("a", { href: "#/hooks" }, "Hooks")), el("div", { class: "search" }, search, el("label", { class: "check" }, fired, "only those that fired")), shown);
  draw();
}

function ownNone() {
  return empty("No rules of your own yet", "A rule says what it stops and what it lets pass; both are its tests. Begin a policy for this project:", "fairlead init");
}

function group(pack, rules, open) {
  const hits = rules.reduce((sum, rule) => sum + rule.hits, 0);
  const told = [rules.length === 1 ? "1 rule" : `${number(rules.length)} rules`, hits ? `${number(hits)} hits` : ""].filter(Boolean).join(", ");
  return el("section", { class: "card" }, el("details", { class: "pack", open: open || hits > 0 || !pack.id },
    el("summary", {}, el("h2", {}, pack.id || "Your own"), el("span", { class: "muted small" }, pack.summary || ""), el("span", { class: "muted small" }, told)),
    [...rules].sort((one, other) => other.hits - one.hits).map(line)));
}

function line(rule) {
  const inside = el("div", { class: "inside" });
  const box = el("details", { class: "rule" }, el("summary", {}, badge(rule.decision), el("span", { class: "name" }, rule.id, rule.enabled === false ? [" ", chip("off")] : null, rule.mode === "audit" ? [" ", chip("audit")] : null, rule.broken ? [" ", chip("broken", "alarm")] : null),
    el("span", { class: "hits" }, rule.hits ? number(rule.hits) : "")), inside);
  box.addEventListener("toggle", () => { if (box.open && !inside.children.length) inside.append(...story(rule)); });
  return box;
}

function story(rule) {
  const examples = (word, list) => (list.length ? [el("h3", { class: "small" }, word), el("ul", { class: "examples mono" }, list.map((each) => el("li", {}, each)))] : []);
  return [rule.broken ? el("p", { class: "bad" }, rule.broken) : null, el("p", {}, prose(rule.about)),
    ...examples("Stops", rule.stops), ...examples("Lets pass", rule.passes),
    el("p", { class: "muted small" }, rule.tests ? `${rule.tests} examples, which are its tests. ` : "", `Written in ${rule.origin}. `, rule.hits ? el("a", { href: href("calls", [], { rule: rule.id }) }, "See its hits") : "It never decided a call."),
    rule.source ? source(rule.source) : null].filter(Boolean);
}

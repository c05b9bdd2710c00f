import { get } from "/static/parts/api.js";
import { card, chip, el, empty, segments, table, title } from "/static/parts/dom.js";
import { number, percent } from "/static/parts/format.js";
import { href } from "/static/parts/place.js";
import { bar, shares } from "/static/parts/shares.js";
import { stackedChart } from "/static/parts/stacked_chart.js";
import { isGrave, listTrouble } from "../parts/states.js";

const SPANS = { "24h": "24 h", "7d": "7 d", "30d": "30 d", "90d": "90 d" };
const AGAIN = 20000;

// What needs somebody, what happened, and how each group is.
export async function overview(main, place) {
  let span = "", group = "";
  const shown = el("div"), late = el("div"), head = el("div", { class: "row" });

  async function load() {
    const found = await get("/api/fleet/overview", { span, group, zone: -new Date().getTimezoneOffset() });
    shown.replaceChildren(...parts(found, { span, group }).filter(Boolean));
    late.replaceChildren();
  }

  async function update({ query }) {
    span = Object.hasOwn(SPANS, query.get("span")) ? query.get("span") : "24h";
    group = query.get("group") || "";
    const off = group ? el("button", { type: "button", class: "chip", "aria-label": `Remove group ${group}`, onclick: () => { location.hash = href("overview", [], { span }); } },
      `group: ${group}`, el("span", { "aria-hidden": "true" }, "×")) : null;
    head.replaceChildren(...[off, segments("Time", SPANS, span, (value) => { location.hash = href("overview", [], { span: value, group }); })].filter(Boolean));
    await load();
  }

  main.replaceChildren(title("Fleet", head), late, shown);
  await update(place);
  const busy = () => shown.contains(document.activeElement) || shown.querySelector(".chart:hover");
  const old = (error) => late.replaceChildren(el("p", { class: "note problem", role: "status" }, `These figures are not renewed: ${error.message}`));
  const clock = setInterval(() => { if (!document.hidden && !busy()) load().catch(old); }, AGAIN);
  return { update, leave() { clearInterval(clock); } };
}

function parts(found, chosen) {
  if (!found.machines && !found.list.unknown) {
    return [empty("No machine has been heard of", "A machine appears here with its first heartbeat or decision. Start the collector beside the broker, then enrol a machine:",
      "fairlead fleet collect --source nats://... --database postgresql://...")];
  }
  const drawn = stackedChart(found.timeline, (from, to) => { location.hash = href("decisions", [], { group: chosen.group, since: String(Math.floor(from)), until: String(Math.floor(to)) }); });
  return [
    listTrouble(found.list), troubles(found, chosen.group), tiles(found, chosen.group),
    el("section", { class: "card" }, el("header", {}, el("h2", {}, "Decisions"), drawn.legend), drawn.box),
    el("div", { class: "grid" },
      chosen.group ? null : el("div", { class: "whole" }, card("Groups", groups(found.groups, chosen.span), found.more_groups > 0 ? el("p", {}, el("a", { href: "#/rollouts" }, `and ${number(found.more_groups)} smaller ones`)) : null)),
      card("Rules that fire", shares(found.rules, (rule) => href("decisions", [], { rule, group: chosen.group }), (name) => name, "No rule had to object.")),
      card("What audit mode would have stopped", watched(found.would, chosen.group))),
  ];
}

function troubles({ troubles: found, glass, list }, group) {
  const made = found.map(({ kind, text, machines }) => el("li", {}, el("a", { class: isGrave(kind) ? "grave" : "", href: href("machines", [], { state: kind, group }) },
    el("strong", {}, number(machines)), el("span", {}, text))));
  if (list.unknown) made.unshift(el("li", {}, el("a", { class: "grave", href: href("machines", [], { list: "unknown" }) }, el("strong", {}, number(list.unknown)), el("span", {}, "not on the list of machines"))));
  if (glass) made.unshift(el("li", {}, el("a", { class: "grave", href: "#/alarms" }, el("strong", {}, number(glass)), el("span", {}, glass === 1 ? "break of glass" : "breaks of glass"))));
  return made.length ? el("ul", { class: "troubles", "aria-label": "What needs somebody" }, made)
    : el("p", { class: "calm" }, el("span", { class: "ok", "aria-hidden": "true" }, "✓ "), "Nothing needs you: every machine is heard of, guarded and up to date, and no line is missing.");
}

function tiles({ machines, shown, total, absent, list }, group) {
  const tile = (name, value, to) => el(to ? "a" : "div", { class: "tile", href: to }, el("span", { class: "name" }, name), el("span", { class: "value" }, value));
  return el("div", { class: "tiles" },
    tile(list.given ? "machines expected" : "machines", group ? `${number(shown)} of ${number(machines)}` : number(machines), href("machines", [], { group })),
    tile("heard of lately", number(shown - absent), href("machines", [], { group })),
    tile("calls", number(total.calls), href("decisions", [], { group })),
    tile(`blocked ${percent(total.block, total.calls)}`, number(total.block), href("decisions", [], { group, only: "objections" })),
    tile(`asked ${percent(total.ask, total.calls)}`, number(total.ask), href("decisions", [], { group, only: "objections" })),
    tile("audit kept back", number(total.would), href("watched", [], { group })));
}

function groups(found, span) {
  const most = Math.max(...found.map(({ decisions }) => sum(decisions)), 1);
  return table("Groups", [["Group"], ["Machines", "number"], ["Need somebody", "number"], ["Newest policy", "number wide"], ["Mode", "wide"], ["Calls", "number"], ["Decisions", "wide"]],
    found.map((group) => el("tr", {},
      el("td", { class: "name" }, el("a", { href: href("overview", [], { span, group: group.name }) }, group.name || "(none)")),
      el("td", { class: "number" }, el("a", { href: href("machines", [], { group: group.name }) }, number(group.machines))),
      el("td", { class: "number" }, group.troubled ? chip(number(group.troubled), "warn") : "0"),
      el("td", { class: "number wide" }, group.bundle || "–"),
      el("td", { class: "wide" }, group.audit ? `${number(group.audit)} only watch` : "enforces"),
      el("td", { class: "number" }, number(sum(group.decisions))),
      el("td", { class: "wide" }, bar(group.decisions, most)))));
}

function watched(found, group) {
  if (!found.length) return el("p", { class: "muted" }, "Nothing was kept back: no rule only watches, or none of them had to object.");
  return el("ul", { class: "shares" }, found.slice(0, 8).map((each) => el("li", {}, el("div", { class: "line" },
    el("a", { href: href("decisions", [], { rule: each.rule, only: "would", group }) }, each.rule || "(no rule)"),
    el("span", {}, `${number(each.calls)} ${each.decision}`)))));
}

const sum = (decisions) => Object.values(decisions).reduce((one, other) => one + other, 0);

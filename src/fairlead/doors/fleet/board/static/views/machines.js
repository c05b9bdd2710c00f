import { get } from "/static/parts/api.js";
import { el, empty, segments, title } from "/static/parts/dom.js";
import { ago, moment, number } from "/static/parts/format.js";
import { href } from "/static/parts/place.js";
import { pages, searchBox } from "../parts/pages.js";
import { listTrouble, policyWord, stateWord, worst } from "../parts/states.js";

const FACETS = { state: "State", group: "Group", bundle: "Policy", version: "Fairlead", mode: "Mode" };
const PAGE = 100;

// Every machine that is expected, or was heard of; those that need somebody come first. What narrows them is in
// the address.
export async function machines(main, place) {
  let chosen = {}, ticket = 0;
  const search = searchBox("Search the machines", "Search names and hosts", (text) => go({ text }, true));
  const facets = el("div", { class: "all" }), list = el("div"), counted = el("span", { class: "muted", role: "status" }), which = el("div");
  const narrow = matchMedia("(max-width: 1100px)");

  function go(changes, replace = false) {
    const next = href("machines", [], { ...chosen, offset: "", ...changes });
    if (!replace) { location.hash = next; return; }
    history.replaceState(null, "", next);
    update({ query: new URLSearchParams(next.split("?")[1] || "") });
  }

  async function update({ query }) {
    chosen = Object.fromEntries([...Object.keys(FACETS), "list", "text", "offset"].map((name) => [name, query.get(name) || ""]));
    if (document.activeElement !== search) search.value = chosen.text;
    const mine = ++ticket, offset = Number(chosen.offset) || 0;
    const found = await get("/api/fleet/machines", { ...chosen, limit: PAGE });
    if (mine !== ticket) return;
    counted.textContent = found.found === found.total ? `${number(found.total)} machines` : `${number(found.found)} of ${number(found.total)} machines`;
    which.replaceChildren(...listed(found.list, chosen, go));
    facets.replaceChildren(...narrowed(found.facets, chosen, go));
    list.replaceChildren(found.machines.length ? table(found.machines) : nothing(found, chosen),
      pages({ found: found.found, shown: found.machines.length, size: PAGE, offset }, (start) => { go({ offset: start ? String(start) : "" }); scrollTo({ top: 0 }); }));
    if (query.get("find")) { search.focus(); history.replaceState(null, "", href("machines", [], chosen)); }
  }

  function keyed({ detail: key }) { if (key === "/") { search.focus(); search.select(); } }

  main.replaceChildren(title("Machines", counted), which, el("div", { class: "search" }, search),
    el("div", { class: "list-page" },
      el("aside", { class: "facets", "aria-label": "Narrow down" }, el("details", { open: !narrow.matches }, el("summary", {}, "Narrow down"), facets)),
      el("div", { class: "card calls-card" }, list)));
  document.addEventListener("key", keyed);
  await update(place);
  return { update, leave() { document.removeEventListener("key", keyed); } };
}

// Those that are on the list of machines, and those that are not: only where there is a list.
function listed(list, chosen, go) {
  if (!list.given) return [];
  const choices = { "": "On the list", unknown: `Not on the list: ${number(list.unknown)}` };
  return [el("p", {}, segments("Which machines", choices, chosen.list, (value) => go({ list: value, state: "", group: "", bundle: "", version: "", mode: "" }))), listTrouble(list)].filter(Boolean);
}

function narrowed(facets, chosen, go) {
  return Object.entries(FACETS).filter(([facet]) => facets[facet].length).map(([facet, name]) => el("fieldset", {}, el("legend", {}, name),
    facets[facet].map(([value, count]) => {
      const on = chosen[facet] === value;
      return el("button", { type: "button", "aria-pressed": String(on), title: value, "data-facet": facet, "data-value": value, onclick: () => go({ [facet]: on ? "" : value }) },
        el("span", {}, facet === "state" ? stateWord(value) : value), el("span", {}, number(count)));
    })));
}

function table(found) {
  const heads = [["Machine", "what"], ["Group", "group"], ["State", "shape"], ["Policy", "policy"], ["Fairlead", "version"], ["Last word", "contact"]];
  return el("table", { class: "machines" }, el("caption", { class: "unseen" }, "Machines, those that need somebody first"),
    el("thead", {}, el("tr", {}, heads.map(([text, kind]) => el("th", { scope: "col", class: kind }, text)))),
    el("tbody", {}, found.map((each) => el("tr", { "data-machine": each.machine },
      el("td", { class: "what", title: each.machine }, el("a", { href: href("machine", [each.machine]) }, each.host || each.machine)),
      el("td", { class: "group", title: each.group }, each.group || "–"),
      el("td", { class: "shape" }, worst(each.troubles)),
      el("td", { class: "policy" }, each.contact ? policyWord(each) : "–"),
      el("td", { class: "version" }, each.version || "–"),
      el("td", { class: "contact", title: each.contact ? moment(each.contact) : null }, each.contact ? ago(each.contact) : "never")))));
}

function nothing({ total, list }, chosen) {
  if (chosen.list === "unknown" && !list.unknown) return empty("Every machine that was heard of is on the list", "One that is not would appear here: somebody enrolled it, and nobody wrote it down.");
  return total ? empty("No machine is like that", "Take a filter away.")
    : empty("No machine has been heard of", "A machine appears here with its first heartbeat. Enrol one:", "fairlead fleet enrol --help");
}

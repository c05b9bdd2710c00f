import { get } from "/static/parts/api.js";
import { el, empty, title } from "/static/parts/dom.js";
import { ago, moment, number } from "/static/parts/format.js";
import { href } from "/static/parts/place.js";
import { policyWord, stateWord, worst } from "../parts/states.js";

const FACETS = { state: "State", group: "Group", bundle: "Policy", version: "Fairlead", mode: "Mode" };
const PAGE = 100, PAUSE = 200;

// Every machine that was heard of; those that need somebody come first. What narrows them is in the address.
export async function machines(main, place) {
  let chosen = {}, ticket = 0;
  const search = el("input", { type: "search", name: "text", "aria-label": "Search the machines", placeholder: "Search names and hosts" });
  const facets = el("div", { class: "all" }), list = el("div"), counted = el("span", { class: "muted", role: "status" });
  const narrow = matchMedia("(max-width: 1100px)");
  let typing = 0;
  search.addEventListener("input", () => { clearTimeout(typing); typing = setTimeout(() => go({ text: search.value.trim() }, true), PAUSE); });

  function go(changes, replace = false) {
    const next = href("machines", [], { ...chosen, offset: "", ...changes });
    if (!replace) { location.hash = next; return; }
    history.replaceState(null, "", next);
    update({ query: new URLSearchParams(next.split("?")[1] || "") });
  }

  async function update({ query }) {
    chosen = Object.fromEntries([...Object.keys(FACETS), "text", "offset"].map((name) => [name, query.get(name) || ""]));
    if (document.activeElement !== search) search.value = chosen.text;
    const mine = ++ticket;
    const found = await get("/api/fleet/machines", { ...chosen, limit: PAGE });
    if (mine !== ticket) return;
    counted.textContent = found.found === found.total ? `${number(found.total)} machines` : `${number(found.found)} of ${number(found.total)} machines`;
    facets.replaceChildren(...narrowed(found.facets, chosen, go));
    list.replaceChildren(found.machines.length ? table(found.machines) : nothing(found.total), pages(found, Number(chosen.offset) || 0, go));
    if (query.get("find")) { search.focus(); history.replaceState(null, "", href("machines", [], chosen)); }
  }

  function keyed({ detail: key }) { if (key === "/") { search.focus(); search.select(); } }

  main.replaceChildren(title("Machines", counted), el("div", { class: "search" }, search),
    el("div", { class: "list-page" },
      el("aside", { class: "facets", "aria-label": "Narrow down" }, el("details", { open: !narrow.matches }, el("summary", {}, "Narrow down"), facets)),
      el("div", { class: "card calls-card" }, list)));
  document.addEventListener("key", keyed);
  await update(place);
  return { update, leave() { document.removeEventListener("key", keyed); } };
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
      el("td", { class: "group" }, each.group),
      el("td", { class: "shape" }, worst(each.troubles)),
      el("td", { class: "policy" }, policyWord(each)),
      el("td", { class: "version" }, each.version || "–"),
      el("td", { class: "contact", title: moment(each.contact) }, ago(each.contact))))));
}

function pages({ found, machines: shown }, offset, go) {
  if (found <= PAGE) return el("span");
  const to = (start, text, usable) => el("button", { type: "button", disabled: !usable, onclick: () => { go({ offset: start ? String(start) : "" }); scrollTo({ top: 0 }); } }, text);
  return el("div", { class: "pages" }, to(Math.max(offset - PAGE, 0), "Before", offset > 0), to(offset + PAGE, "Next", offset + shown.length < found),
    el("span", { class: "muted small" }, `${number(offset + 1)} to ${number(offset + shown.length)}`));
}

function nothing(total) {
  return total ? empty("No machine is like that", "Take a filter away.")
    : empty("No machine has been heard of", "A machine appears here with its first heartbeat. Enrol one:", "fairlead fleet enrol --help");
}

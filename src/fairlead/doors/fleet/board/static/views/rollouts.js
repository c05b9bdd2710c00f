import { get } from "/static/parts/api.js";
import { card, chip, el, empty, facts, svg, title } from "/static/parts/dom.js";
import { ago, length, moment, number, percent } from "/static/parts/format.js";
import { href } from "/static/parts/place.js";
import { pages, searchBox } from "../parts/pages.js";
import { machinesWord } from "../parts/states.js";

const AGAIN = 20000;
const SAID = { signed: "", unchecked: "not checked", forged: "not to be believed", unreadable: "cannot be read", nothing: "nothing published" };
const STANDINGS = [["has", "have it", ""], ["leaves", "are to leave it and have it still", "warn"], ["refuses", "refuse it", "alarm"],
  ["lags", "should have it and have not", "warn"], ["waits", "wait for their turn", ""], ["absent", "are silent", "warn"]];

// What is published for each group, which policy its machines have, and how calls fare under each version.
export async function rollouts(main, place) {
  let chosen = {}, ticket = 0;
  const search = searchBox("Search the groups", "Search groups", (text) => go({ text }));
  const head = el("div"), shown = el("div");

  function go(changes) {
    const next = href("rollouts", [], { ...chosen, offset: "", ...changes });
    history.replaceState(null, "", next);
    update({ query: new URLSearchParams(next.split("?")[1] || "") });
  }

  async function update({ query }) {
    chosen = { text: query.get("text") || "", offset: query.get("offset") || "" };
    if (document.activeElement !== search) search.value = chosen.text;
    const mine = ++ticket, offset = Number(chosen.offset) || 0;
    const found = await get("/api/fleet/rollouts", { span: "7d", ...chosen });
    if (mine !== ticket) return;
    head.replaceChildren(...said(found.source));
    shown.replaceChildren(
      found.groups.length ? el("div", { class: "grid" }, found.groups.map((each) => group(each, found.source))) : nothing(found),
      pages({ found: found.found, shown: found.groups.length, size: found.page, offset }, (start) => { go({ offset: start || "" }); scrollTo({ top: 0 }); }));
  }

  main.replaceChildren(title("Rollouts"), head, el("div", { class: "search" }, search), shown);
  await update(place);
  const again = () => { if (!document.hidden && !shown.contains(document.activeElement)) update({ query: new URLSearchParams(chosen) }).catch(() => {}); };
  const clock = setInterval(again, AGAIN);
  return { update, leave() { clearInterval(clock); } };
}

function said(source) {
  if (!source) {
    return [el("p", { class: "lead" }, "The versions that machines say they have, with what their calls of the last 7 days were told under each. To see what is published, start the dashboard with ", el("code", {}, "--source"), " and ", el("code", {}, "--roles"), ".")];
  }
  const made = [el("p", { class: "lead" }, `What ${source.address} has for each group, the versions that machines say they have, and what their calls of the last 7 days were told under each.`)];
  if (!source.checks) made.push(el("p", { class: "note" }, "Nobody has checked who signed this: start the dashboard with ", el("code", {}, "--roles"), "."));
  if (source.trouble) made.push(el("p", { class: "note problem", role: "status" }, `Nothing new is known of what is published: ${source.trouble}`));
  return made;
}

function nothing({ total }) {
  return total ? empty("No group is called that", "Search for another name.")
    : empty("No group yet", "Publish a bundle for a group; its machines say when they have it:", "fairlead bundle publish --help");
}

function group({ group: name, machines, states, published, standing, bundles }, source) {
  const late = Object.entries(states).filter(([state]) => state !== "current");
  return card(name || "(none)", el("p", {}, el("a", { href: href("machines", [], { group: name }) }, machinesWord(machines)), " ",
    late.map(([state, count]) => [chip(`${number(count)} ${state}`, state === "none" ? "" : "warn"), " "])),
  published ? word(published, standing) : source && name ? el("p", { class: "muted small" }, "What is published for it is not known yet.") : null,
  el("ul", { class: "versions" }, bundles.map((each) => version(each, machines, name))));
}

// What is said for the group by the address of the fleet, and how its machines stand to it.
function word(published, standing) {
  const { state, why } = published;
  if (!published.version) return el("p", {}, chip(SAID[state], state === "nothing" ? "" : "alarm"), why ? ` ${why}` : "");
  return el("div", { class: "word" },
    el("p", {}, el("strong", {}, `Version ${published.version} `), how(published), " ", SAID[state] ? chip(SAID[state], "warn") : el("span", { class: "ok" }, "✓ signed")),
    published.halted ? el("p", { class: "note problem" }, published.halt ? `Stopped: ${published.halt}` : "Stopped; nobody has said why.") : null,
    facts([["Published", `${moment(published.published)}`], ["Before it", published.previous ? `version ${published.previous}` : ""], ["Said to be current", fresh(published)], ["Its manifest", published.sha256.slice(0, 16)]]),
    el("ul", { class: "standing" }, STANDINGS.filter(([kind]) => standing[kind]).map(([kind, text, grave]) => el("li", {}, chip(number(standing[kind]), grave), ` ${text}`))));
}

function how({ percent: share, halted, back, previous }) {
  if (back) return `is taken back: machines return to ${previous}`;
  if (halted) return `is stopped at ${share} % of the machines`;
  return share === 100 ? "goes to all machines" : `goes to ${share} % of the machines`;
}

function fresh({ at, expires }) {
  const left = expires - Date.now() / 1000;
  return left > 0 ? `${ago(at)}, for another ${length(left)}` : el("span", { class: "bad" }, `until ${moment(expires)}: nobody has said so since. Is fairlead fleet watch running?`);
}

function version({ version: which, machines: having, calls }, machines, name) {
  const told = (calls.block || 0) + (calls.ask || 0) + (calls.approve || 0) + (calls.pass || 0);
  const shares = told ? [`${number(told)} calls`, `${percent(calls.block, told) || "0 %"} blocked`, `${percent(calls.failed, told) || "0 %"} failed`, calls.would ? `${percent(calls.would, told)} kept back` : ""].filter(Boolean).join(", ") : "no calls";
  return el("li", {}, el("div", { class: "line" },
    el("a", { href: href("machines", [], { group: name, bundle: which ? `${which} current` : "none" }) }, which ? `version ${which}` : "no bundle"),
    el("span", {}, `${machinesWord(having)} ${percent(having, machines)}`)),
  svg("svg", { viewBox: "0 0 100 4", preserveAspectRatio: "none", "aria-hidden": "true" }, svg("rect", { class: "mine", width: having / machines * 100, height: 4 })),
  el("span", { class: "muted small" }, shares));
}

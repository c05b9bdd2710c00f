import { get } from "../parts/api.js";
import { callTable, row } from "../parts/call_row.js";
import { announce, el, empty, field, title } from "../parts/dom.js";
import { facetList } from "../parts/facets.js";
import { folder, moment } from "../parts/format.js";
import { callHref, href } from "../parts/place.js";

const PAGE = 100, MOST = 2000, REST = 1000;
const FACETS = ["decision", "agent", "tool", "rule", "root"];
const WORDS = [...FACETS, "hook", "event", "text", "session", "since", "until", "last", "would", "canaries", "trouble"];
const LAST = { "": "any time", "3600": "the last hour", "86400": "the last 24 hours", "604800": "the last 7 days", custom: "between…" };
let kept = { hash: "", calls: [], more: "", scroll: 0, selected: "" }; // so that the way back leads to the same line

// The newest calls, live. What narrows them is in the address.
export async function calls(main, place) {
  let chosen = read(place.query);
  let paused = false, more = "", asked = 0, held = 0, wait = 0;
  const body = el("tbody");
  const status = el("span", { class: "live", role: "status" }, "live");
  const end = el("div", { class: "end" });
  const nothing = el("div");
  const chips = el("div", { class: "chips" });
  const facets = el("div", { class: "all" });
  const narrow = matchMedia("(max-width: 1100px)");
  const folded = el("details", { open: !narrow.matches }, el("summary", {}, "Narrow down"), facets);
  const text = el("input", { type: "search", name: "text", placeholder: "Search commands, paths, addresses", "aria-label": "Search the calls" });
  const last = el("select", { name: "last", "aria-label": "Time", onchange: timed },
    Object.entries(LAST).map(([value, name]) => el("option", { value }, name)));
  const from = el("input", { type: "datetime-local", name: "since", onchange: ranged });
  const to = el("input", { type: "datetime-local", name: "until", onchange: ranged });
  const custom = el("span", { class: "custom", hidden: true }, field("from", from), field("to", to));
  const pause = el("button", { type: "button", class: "quiet", "aria-pressed": "false", onclick: toggle }, "Pause");
  const fresh = el("button", { type: "button", class: "primary held", hidden: true, onclick: toTop });
  let typing = 0;
  text.addEventListener("input", () => { clearTimeout(typing); typing = setTimeout(() => go({ text: text.value.trim() }, true), 200); });

  function asFilters() {
    const { last: seconds, ...rest } = chosen;
    return seconds && seconds !== "custom" ? { ...rest, since: String(Date.now() / 1000 - Number(seconds)) } : rest;
  }

  function go(changes, replace = false) {
    const next = href("calls", [], { ...chosen, ...changes });
    if (!replace) { location.hash = next; return; }
    history.replaceState(null, "", next);
    update({ query: new URLSearchParams(next.split("?")[1] || "") });
  }

  function choose(facet, value) {
    const now = [chosen[facet]].flat().filter(Boolean);
    if (facet !== "decision") return go({ [facet]: now.includes(value) ? "" : value });
    return go({ decision: now.includes(value) ? now.filter((each) => each !== value) : [...now, value] });
  }

  function timed() {
    const between = last.value === "custom";
    custom.hidden = !between;
    if (!between) go({ last: last.value, since: "", until: "" });
  }

  function ranged() {
    const seconds = (input) => (input.value ? String(new Date(input.value).getTime() / 1000) : "");
    go({ last: "", since: seconds(from), until: seconds(to) });
  }

  function showChosen() {
    if (document.activeElement !== text) text.value = chosen.text;
    const between = Boolean(chosen.since || chosen.until);
    last.value = between ? "custom" : chosen.last;
    custom.hidden = !between && last.value !== "custom";
    from.value = local(chosen.since);
    to.value = local(chosen.until);
    const off = (name, value, shown) => el("button", { type: "button", class: "chip", "aria-label": `Remove ${name} ${shown}`,
      onclick: () => (FACETS.includes(name) ? choose(name, value) : go({ [name]: "" })) }, `${name === "root" ? "project" : name}: ${shown}`, el("span", { "aria-hidden": "true" }, "×"));
    const set = WORDS.filter((name) => !["text", "last"].includes(name)).flatMap((name) => [chosen[name]].flat().filter(Boolean).map((value) =>
      off(name, value, name === "root" ? folder(value) : ["since", "until"].includes(name) ? moment(Number(value)) : value === "1" ? "yes" : value)));
    chips.replaceChildren(...set, ...(set.length > 1 ? [el("a", { href: "#/calls", class: "small" }, "Clear all")] : []));
  }

  async function load() {
    const ticket = ++asked;
    const filters = asFilters();
    const found = await get("/api/calls", { ...filters, limit: PAGE });
    if (ticket !== asked) return;
    more = found.more;
    held = 0;
    fresh.hidden = true;
    body.replaceChildren(...found.calls.map(row));
    tell();
    if (!found.calls.length && more) await older(ticket);
    await count();
  }

  // What a filter finds may lie far back: each answer looks at a bounded part, and says where the next begins.
  async function older(ticket = asked) {
    const start = more;
    if (!start || end.dataset.busy) return;
    end.dataset.busy = "1";
    end.textContent = "Looking further back…";
    try {
      const found = await get("/api/calls", { ...asFilters(), limit: PAGE, before: start });
      if (ticket !== asked) return;
      more = found.more;
      body.append(...found.calls.map(row));
      while (body.children.length > MOST) { body.firstElementChild.remove(); setPaused(true); }
    } finally {
      delete end.dataset.busy;
      tell();
    }
    if (ticket === asked && more && nearEnd()) setTimeout(() => older(ticket).catch(failed));
  }

  const nearEnd = () => end.getBoundingClientRect().top < innerHeight + 600;

  function tell() {
    const any = body.children.length > 0;
    nothing.replaceChildren(...(any || more ? [] : [teach(chosen)]));
    table.hidden = !any;
    end.textContent = more ? "" : any ? "That is all." : "";
  }

  async function count() {
    const ticket = asked;
    const found = await get("/api/facets", asFilters());
    if (ticket === asked) facets.replaceChildren(...facetList(found, chosen, choose));
  }

  function arrived(event) {
    const call = JSON.parse(event.data);
    if (paused || chosen.until || wait) return;
    if (["block", "halt", "ask"].includes(call.decision)) announce(`${call.decision}: ${call.agent} ${call.summary}`);
    wait = setTimeout(() => { wait = 0; merge().catch(failed); }, body.dataset.just ? REST : 60);
    body.dataset.just = "1";
  }

  // Not the call that was told of, but what the index has by now: so it is folded and filtered as any other.
  async function merge() {
    const ticket = asked;
    const found = await get("/api/calls", { ...asFilters(), limit: PAGE });
    if (ticket !== asked) return;
    const fromTop = scrollY < 200;
    for (const call of [...found.calls].reverse()) {
      const known = body.querySelector(`[data-id="${CSS.escape(call.id)}"]`);
      if (known) { renew(known, call); continue; }
      if (body.lastElementChild && call.id < body.lastElementChild.dataset.id) continue;
      if (!fromTop) { held += 1; continue; }
      const made = row(call);
      made.classList.add("fresh");
      setTimeout(() => made.classList.remove("fresh"), 1500);
      body.prepend(made);
    }
    fresh.hidden = fromTop || !held;
    fresh.textContent = `${held} new: back to the newest`;
    while (body.children.length > MOST) body.lastElementChild.remove();
    tell();
    await count();
  }

  function renew(known, call) {
    const marks = row(call).querySelector(".marks");
    if (known.querySelector(".marks").textContent !== marks.textContent) known.querySelector(".marks").replaceWith(marks);
  }

  function toTop() { scrollTo({ top: 0 }); load().catch(failed); }

  function setPaused(value) {
    paused = value;
    pause.setAttribute("aria-pressed", String(paused));
    pause.textContent = paused ? "Go on" : "Pause";
    status.textContent = paused ? "paused" : "live";
    status.classList.toggle("on", !paused);
  }

  function toggle() { setPaused(!paused); if (!paused) load().catch(failed); }
  function failed(error) { status.textContent = error.message; }

  function keyed({ detail: key }) {
    if (key === "/") { text.focus(); text.select(); }
    if (key === "p") toggle();
    if (key !== "j" && key !== "k") return;
    const rows = [...body.children], now = rows.findIndex((each) => each.classList.contains("selected"));
    select(rows[Math.min(Math.max(now + (key === "j" ? 1 : -1), 0), rows.length - 1)]);
  }

  function select(line) {
    for (const each of body.querySelectorAll(".selected")) each.classList.remove("selected");
    line?.classList.add("selected");
    line?.querySelector("a").focus({ preventScroll: true });
    line?.scrollIntoView({ block: "nearest" });
  }

  async function update({ query }) {
    chosen = read(query);
    if (query.get("find")) { text.focus(); history.replaceState(null, "", "#/calls"); }
    showChosen();
    scrollTo({ top: 0 });
    await load();
  }

  const table = callTable("Calls, the newest first", body);
  table.hidden = true;
  main.replaceChildren(title("Calls", el("span", { class: "row" }, status, pause)),
    el("div", { class: "search" }, text, last, custom), chips,
    el("div", { class: "list-page" },
      el("aside", { class: "facets", "aria-label": "Narrow down" }, folded),
      el("div", {}, fresh, el("div", { class: "card calls-card" }, table, nothing, end))));
  const seen = new IntersectionObserver((entries) => { if (entries.some((each) => each.isIntersecting)) older().catch(failed); }, { rootMargin: "600px" });
  document.addEventListener("key", keyed);
  setPaused(false);
  showChosen();
  if (kept.hash === location.hash && kept.calls.length) {
    body.append(...kept.calls);
    ({ more } = kept);
    tell();
    scrollTo({ top: kept.scroll });
    select([...body.children].find((each) => each.dataset.id === kept.selected));
    if (kept.scroll < 200) merge().catch(failed); else count().catch(failed);
  } else {
    await load();
    if (place.query.get("find")) { text.focus(); history.replaceState(null, "", "#/calls"); }
  }
  seen.observe(end);
  const stream = new EventSource("/api/stream");
  stream.onmessage = arrived;
  stream.onerror = () => { status.textContent = "not connected, trying again"; status.classList.remove("on"); };
  stream.onopen = () => setPaused(paused);
  const hash = () => href("calls", [], chosen);
  body.addEventListener("click", (event) => keep(event.target.closest("tr")));
  const keep = (line) => { kept = { hash: hash(), calls: [...body.children], more, scroll: scrollY, selected: line?.dataset.id || "" }; };
  return { update, leave() { stream.close(); seen.disconnect(); clearTimeout(wait); document.removeEventListener("key", keyed); } };
}

// The neighbours of a call in the list that it was opened from.
export function neighbour(id, step) {
  const index = kept.calls.findIndex((each) => each.dataset.id === id);
  const next = index < 0 ? null : kept.calls[index + step];
  if (next) kept.selected = next.dataset.id;
  return next ? callHref(next.dataset.id) : "";
}

export const listHref = () => kept.hash || "#/calls";

function read(query) {
  return Object.fromEntries(WORDS.map((name) => [name, name === "decision" ? query.getAll(name) : query.get(name) || ""]));
}

function local(seconds) {
  if (!seconds) return "";
  const date = new Date(Number(seconds) * 1000);
  return new Date(date.getTime() - date.getTimezoneOffset() * 60000).toISOString().slice(0, 19);
}

function teach(chosen) {
  const narrowed = WORDS.some((name) => [chosen[name]].flat().some(Boolean));
  if (narrowed) return empty("No call is like that", "Take a filter away, or look at a longer time.");
  return empty("No calls yet", "Every call of a guarded agent appears here as it is answered. Guard the agents of this machine, then let one work:", "fairlead install");
}

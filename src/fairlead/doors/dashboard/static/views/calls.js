import { get } from "../parts/api.js";
import { CallList } from "../parts/call_list.js";
import { announce, el, empty, title } from "../parts/dom.js";
import { facetList } from "../parts/facets.js";
import { asked, flipped, isNarrowed, read } from "../parts/filters.js";
import { keep, keptAt } from "../parts/kept_list.js";
import { href } from "../parts/place.js";
import { searchBar } from "../parts/search_bar.js";

const AT_TOP = 200, SOON = 60, REST = 1000;
const OBJECTIONS = ["block", "halt", "ask"];

// The newest calls, live. What narrows them is in the address.
export async function calls(main, place) {
  let chosen = read(place.query);
  const filters = () => asked(chosen);
  const bar = searchBar(go);
  const live = liveSwitch(() => refresh());
  const list = new CallList({ filters, teach: () => teach(chosen), grown: () => live.pause(true) });
  const facets = el("div", { class: "all" });
  const held = el("button", { type: "button", class: "primary held", hidden: true, onclick: () => { scrollTo({ top: 0 }); refresh(); } });

  function go(changes, replace = false) {
    const next = href("calls", [], { ...chosen, ...changes });
    if (!replace) { location.hash = next; return; }
    history.replaceState(null, "", next);
    update({ query: new URLSearchParams(next.split("?")[1] || "") });
  }

  async function count() {
    const { ticket } = list;
    const found = await get("/api/facets", filters());
    if (ticket === list.ticket) facets.replaceChildren(...facetList(found, chosen, (facet, value) => go(flipped(chosen, facet, value))));
  }

  async function refresh() {
    held.hidden = true;
    try {
      if (await list.load()) await count();
    } catch (error) {
      live.say(error.message);
    }
  }

  async function merge() {
    const kept = await list.merge(scrollY >= AT_TOP);
    held.hidden = !kept;
    held.textContent = `${kept} new: back to the newest`;
    await count();
  }

  async function update({ query }) {
    chosen = read(query);
    bar.show(chosen);
    find(query);
    scrollTo({ top: 0 });
    await refresh();
  }

  function find(query) {
    if (!query.get("find")) return;
    bar.focus();
    history.replaceState(null, "", "#/calls");
  }

  function keyed({ detail: key }) {
    if (key === "/") bar.focus();
    if (key === "p") live.toggle();
    if (key === "j") list.step(1);
    if (key === "k") list.step(-1);
  }

  function back(kept) {
    list.put(kept.rows, kept.more);
    scrollTo({ top: kept.scroll });
    list.select(list.rows.find((each) => each.dataset.id === kept.selected));
    return kept.scroll < AT_TOP ? merge() : count();
  }

  const narrow = matchMedia("(max-width: 1100px)");
  main.replaceChildren(title("Calls", live.parts), ...bar.parts,
    el("div", { class: "list-page" },
      el("aside", { class: "facets", "aria-label": "Narrow down" }, el("details", { open: !narrow.matches }, el("summary", {}, "Narrow down"), facets)),
      el("div", {}, held, list.card)));
  bar.show(chosen);
  list.body.addEventListener("click", (event) => keep({ hash: href("calls", [], chosen), rows: list.rows, more: list.more, scroll: scrollY,
    selected: event.target.closest("tr")?.dataset.id || "" }));
  document.addEventListener("key", keyed);
  const kept = keptAt(location.hash);
  await (kept ? back(kept) : refresh());
  find(place.query);
  const seen = new IntersectionObserver((entries) => {
    if (entries.some((each) => each.isIntersecting)) list.older().catch((error) => live.say(error.message));
  }, { rootMargin: "600px" });
  seen.observe(list.end);
  const stop = live.listen(() => !chosen.until, () => merge().catch((error) => live.say(error.message)));
  return { update, leave() { stop(); seen.disconnect(); document.removeEventListener("key", keyed); } };
}

// Whether new calls come by themselves, and the button that stops them.
function liveSwitch(resume) {
  const status = el("span", { class: "live on", role: "status" }, "live");
  const button = el("button", { type: "button", class: "quiet", "aria-pressed": "false", onclick: toggle }, "Pause");
  let paused = false, wait = 0, rest = SOON;

  function say(text, on = false) {
    status.textContent = text;
    status.classList.toggle("on", on);
  }

  function pause(value) {
    paused = value;
    button.setAttribute("aria-pressed", String(paused));
    button.textContent = paused ? "Go on" : "Pause";
    say(paused ? "paused" : "live", !paused);
  }

  function toggle() { pause(!paused); if (!paused) resume(); }

  // Many may come at once, and are fetched together.
  function listen(wanted, came) {
    const stream = new EventSource("/api/stream");
    stream.onmessage = (event) => {
      const call = JSON.parse(event.data);
      if (paused || !wanted()) return;
      if (OBJECTIONS.includes(call.decision)) announce(`${call.decision}: ${call.agent} ${call.summary}`);
      wait ||= setTimeout(() => { wait = 0; came(); }, rest);
      rest = REST;
    };
    stream.onerror = () => say("not connected, trying again");
    stream.onopen = () => pause(paused);
    return () => { stream.close(); clearTimeout(wait); };
  }

  return { parts: el("span", { class: "row" }, status, button), say, pause, toggle, listen };
}

function teach(chosen) {
  if (isNarrowed(chosen)) return empty("No call is like that", "Take a filter away, or look at a longer time.");
  return empty("No calls yet", "Every call of a guarded agent appears here as it is answered. Guard the agents of this machine, then let one work:", "fairlead install");
}

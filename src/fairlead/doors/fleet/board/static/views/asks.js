import { get, post } from "/static/parts/api.js";
import { announce, card, chip, el, empty, facts, field, table, title } from "/static/parts/dom.js";
import { ago, length, moment, number } from "/static/parts/format.js";
import { href } from "/static/parts/place.js";
import { searchBox } from "../parts/pages.js";

const AGAIN = 2000;
const STATES = { granted: ["granted", ""], denied: ["denied", ""], refused: ["not taken", "alarm"], expired: ["nobody answered", "warn"] };

// What agents on other machines want to do, and wait for. A question is answered as it was shown, byte for byte.
export async function asks(main, place, about) {
  const list = el("div"), lately = el("div"), trouble = el("div"), counted = el("span", { class: "muted", role: "status" });
  const status = el("p", { role: "status", class: "copied" });
  const cards = new Map();
  let text = "";
  const search = searchBox("Search the questions", "Search machines, rules, commands", (value) => { text = value; load(); });

  async function load() {
    const found = await get("/api/fleet/asks", { text });
    counted.textContent = found.total ? (found.asks.length < found.total ? `${number(found.asks.length)} of ${number(found.total)}, the oldest first` : `${number(found.total)} waiting`) : "";
    trouble.replaceChildren(...(found.trouble ? [el("p", { class: "note problem" }, `Nothing new is heard: ${found.trouble}`)] : []));
    search.parentElement.hidden = found.total < 5 && !text;
    show(found);
    lately.replaceChildren(...(found.outcomes.length ? [card("Answered lately", outcomes(found.outcomes))] : []));
  }

  // A card stays the same element while its question waits, with what was typed into it.
  function show({ asks: open, total, connected }) {
    const now = new Set(open.map((each) => each.request));
    for (const [request, shown] of cards) if (!now.has(request)) { shown.remove(); cards.delete(request); dispatchEvent(new Event("waiting")); }
    list.querySelector(".empty")?.remove();
    for (const each of open) {
      if (cards.has(each.request)) continue;
      cards.set(each.request, question(each, about, answer));
      list.append(cards.get(each.request));
    }
    for (const each of open) cards.get(each.request).querySelector(".left").textContent = left(each);
    if (!open.length) list.append(nothing(connected, total));
  }

  async function answer(each, word, reason) {
    try {
      await post(`/api/fleet/asks/${encodeURIComponent(each.request)}`, { answer: word, reason, ask: each.ask });
      status.textContent = `The ${word === "approve" ? "yes" : "no"} to ${each.machine} is on its way. What the machine makes of it appears below.`;
    } catch (error) {
      status.textContent = error.message;
    }
    announce(status.textContent);
    await load().catch(() => {});
  }

  main.replaceChildren(title("Questions", counted), el("p", { class: "lead" }, ...lead(about)), trouble, el("div", { class: "search" }, search), status, list, lately);
  await load();
  const clock = setInterval(() => load().catch((error) => { status.textContent = error.message; }), AGAIN);
  return { leave() { clearInterval(clock); } };
}

function lead(about) {
  if (about.writable) return ["What you answer is signed with your key ", el("code", {}, about.key), ". A yes lets this one call through, once, if the machine's policy lets you say so. What nobody answers is a no."];
  return ["What nobody answers is a no. To answer here, start the dashboard with your key: ", el("code", {}, "--key ana.key"), "."];
}

function left({ expires }) {
  const seconds = expires - Date.now() / 1000;
  return seconds > 0 ? `${length(seconds)} left` : "over";
}

function question(each, about, answer) {
  const reason = el("input", { name: "reason", maxlength: 300, autocomplete: "off", placeholder: "For the records of both machines" });
  const buttons = [["approve", "Let it through once", "primary"], ["deny", "Deny", null]].map(([word, label, kind]) => el("button", { type: "button", class: kind, disabled: true,
    "aria-label": `${label}: ${each.agent} on ${each.machine}`, onclick: () => given(word) }, label));
  const usable = (on) => buttons.forEach((button) => { button.disabled = !on; });
  reason.addEventListener("input", () => usable(reason.value.trim()));

  async function given(word) {
    usable(false);
    await answer(each, word, reason.value.trim());
    usable(reason.value.trim());
  }

  return el("article", { class: "card question", "data-request": each.request, "aria-label": `${each.agent} on ${each.machine} asks` },
    el("header", {}, el("h2", {}, `${each.agent} on ${each.machine}`), el("span", { class: "muted", title: moment(each.asked) }, ago(each.asked)), el("span", { class: "muted left" }, left(each))),
    el("pre", { tabindex: "0" }, each.summary || `${each.tool}: what it would do does not leave the machine`),
    facts([["rule", each.rule], ["group", each.group], ["tool", each.tool], ["question", each.request.slice(0, 12)]]),
    about.writable ? el("div", { class: "row answer" }, field("Why", reason), buttons) : null);
}

function outcomes(found) {
  return table("Answered lately", [["Machine"], ["What became of it"], ["By, or why", "wide"], ["When"]], found.map((each) => {
    const [word, kind] = STATES[each.state] || [each.state, "warn"];
    return el("tr", { "data-request": each.request }, el("td", { class: "name" }, el("a", { href: href("machine", [each.machine]) }, each.machine)), el("td", {}, chip(word, kind)),
      el("td", { class: "name wide" }, each.by), el("td", { class: "switch", title: moment(each.at) }, ago(each.at)));
  }));
}

function nothing(connected, total) {
  if (!connected) return empty("This dashboard hears no questions", "They come from a broker. Start it with its address, and the credentials of somebody who answers:", "fairlead fleet dashboard --source tls://broker.example:4222 --credentials approver --key ana.key");
  return total ? empty("No question is like that", "Search for something else.")
    : empty("Nothing waits for an answer", "Where a rule asks and nobody sits at the machine, its agent sends the question here, if the bundle names people who may answer. In a terminal:", "fairlead fleet asks --follow");
}

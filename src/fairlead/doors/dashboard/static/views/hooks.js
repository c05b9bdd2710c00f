import { get, post } from "../parts/api.js";
import { announce, card, chip, el, empty, table, title } from "../parts/dom.js";
import { ms, number } from "../parts/format.js";
import { href } from "../parts/place.js";

// Every hook of the policy that applies here: what it said so far, where it is written, and its switch.
export async function hooks(main, place, about) {
  const shown = el("div");
  const problem = el("p", { class: "bad", role: "alert" });

  async function load() {
    const found = await get("/api/hooks");
    shown.replaceChildren(
      ...found.problems.map((text) => el("p", { class: "note problem" }, text)), problem,
      el("div", { class: "card" }, table("Hooks", [["Hook"], ["Events", "wide"], ["State"], ["Answers", "number wide"], ["Hits", "number"], ["p95", "number wide"], ["Written in", "wide"], ["Switch"]],
        together(found.hooks).map((hook) => line(hook, about, flip)))),
      card("Tests of your policy", tests(found.tests)),
      el("p", { class: "muted small" }, `Policy ${found.policy} of ${found.root} (${found.trust}).`));
  }

  async function flip(hook) {
    try {
      await post(`/api/hooks/${encodeURIComponent(hook.id)}`, { enabled: !hook.enabled });
      announce(`${hook.id} is ${hook.enabled ? "off" : "on"}`);
      problem.textContent = "";
      await load();
    } catch (error) {
      problem.textContent = error.message;
    }
  }

  main.replaceChildren(title("Hooks", el("a", { href: "#/rules" }, "Rules")),
    el("p", { class: "lead" }, "A hook is asked about each event that it names. Guards judge by rules; your own hooks run a function, a file, a program or an address."), shown);
  await load();
}

// A hook is often asked about several events, and is switched for all of them.
function together(all) {
  const found = new Map();
  for (const hook of all) {
    const key = JSON.stringify([hook.id, hook.origin === "built-in", hook.enabled, hook.broken]);
    const known = found.get(key);
    if (known) known.events.push(hook.event);
    else found.set(key, { ...hook, events: [hook.event] });
  }
  return [...found.values()];
}

function line(hook, about, flip) {
  const objected = (hook.stats?.decisions.block || 0) + (hook.stats?.decisions.ask || 0) + (hook.stats?.decisions.halt || 0);
  const state = hook.broken ? chip("broken", "alarm", hook.broken) : !hook.enabled ? chip("off") : hook.mode === "audit" ? chip("audit") : "on";
  return el("tr", {},
    el("td", { class: "name" }, hook.id, hook.source ? source(hook.source) : null, hook.broken ? el("div", { class: "bad small" }, hook.broken) : null),
    el("td", { class: "wide small" }, hook.events.join(", ")), el("td", {}, state, hook.stats?.failed ? [" ", chip(`failed ${number(hook.stats.failed)}×`, "warn")] : null),
    el("td", { class: "number wide" }, hook.stats?.calls ? number(hook.stats.calls) : "never"),
    el("td", { class: "number" }, objected ? el("a", { href: href("calls", [], { hook: hook.id }) }, number(objected)) : ""),
    el("td", { class: "number wide" }, ms(hook.stats?.p95)), el("td", { class: "name wide muted small" }, hook.origin),
    el("td", { class: "switch" }, el("button", { type: "button", disabled: !about.writable || hook.locked || !hook.trusted, onclick: () => flip(hook),
      "aria-label": `${hook.enabled ? "Turn off" : "Turn on"} ${hook.id}` }, hook.enabled ? "Turn off" : "Turn on")));
}

export function source(text) {
  return el("details", {}, el("summary", { class: "muted small" }, "lines"), el("pre", { tabindex: "0" }, text));
}

function tests(found) {
  if (!found.length) {
    return empty("No tests yet", "Write down what your policy should say in hook.test.yaml beside it, and let your CI ask:", "tests:\n  - command: git push --force\n    expect: block\n\nfairlead test");
  }
  return table("Tests", [["Test"], ["Expected"], ["Rule", "wide"], ["Written in"]], found.map((test) => el("tr", {},
    el("td", { class: "name mono" }, test.name), el("td", {}, test.expect), el("td", { class: "wide" }, test.rule), el("td", { class: "name muted small" }, test.origin))));
}

import { get } from "/static/parts/api.js";
import { el, empty, segments, title } from "/static/parts/dom.js";
import { moment } from "/static/parts/format.js";
import { href } from "/static/parts/place.js";
import { decisionTable } from "../parts/decision_table.js";

const ONLY = { "": "all", objections: "objections", would: "kept back by audit" };
const WORDS = ["group", "machine", "agent", "rule", "since", "until", "only"];
const PAGE = 100, ANSWERS = 10;

// What machines told the centre, the newest first.
export async function decisions(main, place) {
  let chosen = {}, shown = [], more = "", looked = null, ticket = 0;
  const kind = el("div"), chips = el("div", { class: "chips" }), list = el("div"), end = el("div", { class: "end" });

  // One answer looks at so many lines at most: for what is rare, the next ones are asked for, too.
  async function load(before = "") {
    const mine = ++ticket;
    if (!before) shown = [];
    const wanted = shown.length;
    more = before;
    for (let answers = 0; answers < ANSWERS && (!answers || (more && shown.length === wanted)); answers += 1) {
      const found = await get("/api/fleet/decisions", { ...chosen, limit: PAGE, before: more });
      if (mine !== ticket) return;
      shown.push(...found.decisions);
      ({ more, looked } = found);
      tell();
    }
  }

  function tell() {
    list.replaceChildren(shown.length ? decisionTable(shown) : more ? el("span") : empty("No decision is like that", "Take a filter away, or look at a longer time. Machines send decisions where their enrolment says so:", "decisions: true"));
    const back = looked ? `Looked at all since ${moment(looked)}. ` : "";
    end.replaceChildren(...(more ? [back, el("button", { type: "button", onclick: () => load(more) }, "Older ones")] : [shown.length ? "That is all." : ""]));
  }

  async function update({ query }) {
    chosen = Object.fromEntries(WORDS.map((name) => [name, query.get(name) || ""]));
    kind.replaceChildren(segments("Which", ONLY, chosen.only, (only) => { location.hash = href("decisions", [], { ...chosen, only }); }));
    const set = WORDS.filter((name) => name !== "only" && chosen[name]);
    chips.replaceChildren(...set.map((name) => el("button", { type: "button", class: "chip", "aria-label": `Remove ${name}`, onclick: () => { location.hash = href("decisions", [], { ...chosen, [name]: "" }); } },
      `${name}: ${name === "since" || name === "until" ? moment(Number(chosen[name])) : chosen[name]}`, el("span", { "aria-hidden": "true" }, "×"))));
    await load();
  }

  main.replaceChildren(title("Decisions", kind), chips, el("div", { class: "card" }, list, end));
  await update(place);
  return { update };
}

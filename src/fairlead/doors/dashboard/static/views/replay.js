import { get } from "../api.js";
import { badge, el, field, number, table } from "../dom.js";
import { openDetail } from "./detail.js";

// What the policy of now, or with another folder added, would decide otherwise of the newest calls.
export async function replay(main) {
  const folder = el("input", { size: "40", name: "policy" });
  const shown = el("div", { role: "status" });

  async function run() {
    shown.replaceChildren(el("p", { class: "muted" }, "Judging the newest 5,000 calls again…"));
    try {
      shown.replaceChildren(...result(await get("/api/replay", { policy: folder.value.trim() })));
    } catch (error) {
      shown.replaceChildren(el("p", { class: "trouble" }, error.message));
    }
  }

  main.replaceChildren(el("h2", {}, "Policy diff"),
    el("p", {}, "Recorded calls are judged again. Nothing is run; what cannot be decided from the record is told apart."),
    el("div", { class: "filters" }, field("another policy folder (may be empty)", folder),
      el("button", { type: "button", onclick: run }, "Compare")), shown);
}

function result({ counts, changed }) {
  const tiles = Object.entries(counts).map(([name, value]) =>
    el("div", { class: "tile" }, el("span", { class: "muted" }, name), el("strong", {}, number(value))));
  const rows = changed.map((each) => el("tr", {},
    el("td", {}, each.change), el("td", {}, badge(each.was), " → ", badge(each.now)),
    el("td", { class: "asked" }, el("button", { type: "button", class: "open", onclick: () => openDetail(each.id) }, each.summary || "(nothing)")),
    el("td", {}, each.why || each.now_rule || each.was_rule)));
  return [el("div", { class: "tiles" }, tiles),
    rows.length ? table("Calls that would be decided otherwise", [["Change"], ["Decision"], ["Asked"], ["Rule, or why not"]], rows)
      : el("p", {}, "Everything would be decided as it was.")];
}

import { get } from "../parts/api.js";
import { badge, el } from "../parts/dom.js";
import { policyChoice } from "./policy_choice.js";

// What another policy would say of one recorded call. Nothing is run.
export function judgedBy(record) {
  const said = el("p", { class: "small", role: "status" });
  const chosen = policyChoice();
  const button = el("button", { type: "button", onclick: judge }, "Judge it again");

  async function judge() {
    button.disabled = true;
    said.textContent = "Judging…";
    try {
      const found = await get(`/api/calls/${encodeURIComponent(record.id)}/judge`, { policy: chosen.value });
      said.replaceChildren(badge(found.was), " → ", badge(found.now), ` ${found.change}`, found.now_rule ? ` (${found.now_rule})` : "", found.why ? `: ${found.why}` : "");
    } catch (error) {
      said.textContent = error.message;
    }
    button.disabled = false;
  }

  return el("div", { class: "act" }, el("h3", {}, "Judge it by another policy"), el("div", { class: "row" }, chosen, button), said);
}

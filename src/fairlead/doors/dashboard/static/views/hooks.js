import { get, post } from "../api.js";
import { announce, el, ms, number, table } from "../dom.js";

// Every hook of the policy that applies here, what it said so far, and its switch.
export async function hooks(main, { about }) {
  const found = await get("/api/hooks");
  const problem = el("p", { class: "trouble", role: "alert" });

  async function flip(hook) {
    try {
      await post(`/api/hooks/${encodeURIComponent(hook.id)}`, { enabled: !hook.enabled });
      announce(`${hook.id} is ${hook.enabled ? "off" : "on"}`);
      await hooks(main, { about });
    } catch (error) {
      problem.textContent = error.message;
    }
  }

  main.replaceChildren(
    el("h2", {}, "Hooks"),
    el("p", { class: "muted" }, `Policy ${found.policy} of ${found.root}`),
    ...found.problems.map((text) => el("pre", { class: "trouble" }, text)), problem,
    table("Hooks", [["Id"], ["Event"], ["Type"], ["State"], ["Calls", "number"], ["Objected", "number"], ["p95", "number"],
      ["From"], ["Switch"]],
    found.hooks.map((hook) => el("tr", {},
      el("td", {}, hook.id), el("td", {}, hook.event), el("td", {}, hook.type),
      el("td", {}, hook.broken ? el("span", { class: "trouble", title: hook.broken }, "broken") : hook.enabled ? (hook.mode === "audit" ? "audit" : "on") : "off"),
      el("td", { class: "number" }, number(hook.stats?.calls) || (hook.enabled ? "never" : "")),
      el("td", { class: "number" }, number((hook.stats?.decisions.block || 0) + (hook.stats?.decisions.ask || 0))),
      el("td", { class: "number" }, ms(hook.stats?.p95)),
      el("td", {}, hook.origin),
      el("td", {}, el("button", { type: "button", disabled: !about.writable || hook.locked, onclick: () => flip(hook),
        "aria-label": `${hook.enabled ? "Turn off" : "Turn on"} ${hook.id} for ${hook.event}` },
      hook.enabled ? "Turn off" : "Turn on"))))));
}

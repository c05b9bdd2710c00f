import { get } from "/static/parts/api.js";
import { card, chip, el, empty, svg, title } from "/static/parts/dom.js";
import { number, percent } from "/static/parts/format.js";
import { href } from "/static/parts/place.js";

// Which policy each group's machines have, and how calls fare under each version.
export async function rollouts(main) {
  const found = await get("/api/fleet/rollouts", { span: "7d" });
  main.replaceChildren(title("Rollouts"), el("p", { class: "lead" }, "The versions that machines say they have, with what their calls of the last 7 days were told under each."),
    ...(found.length ? [el("div", { class: "grid" }, found.map(group))] : [empty("No group yet", "Publish a bundle for a group; its machines say when they have it:", "fairlead bundle publish --help")]));
}

function group({ group: name, machines, states, bundles }) {
  const late = Object.entries(states).filter(([state]) => state !== "current");
  return card(name || "(none)", el("p", {}, el("a", { href: href("machines", [], { group: name }) }, `${number(machines)} ${machines === 1 ? "machine" : "machines"}`), " ",
    late.map(([state, count]) => [chip(`${number(count)} ${state}`, state === "none" ? "" : "warn"), " "])),
  el("ul", { class: "versions" }, bundles.map((each) => version(each, machines, name))));
}

function version({ version: which, machines: having, calls }, machines, name) {
  const told = (calls.block || 0) + (calls.ask || 0) + (calls.approve || 0) + (calls.pass || 0);
  const shares = told ? [`${number(told)} calls`, `${percent(calls.block, told) || "0 %"} blocked`, `${percent(calls.failed, told) || "0 %"} failed`, calls.would ? `${percent(calls.would, told)} kept back` : ""].filter(Boolean).join(", ") : "no calls";
  return el("li", {}, el("div", { class: "line" },
    el("a", { href: href("machines", [], { group: name, bundle: which ? `${which} current` : "none" }) }, which ? `version ${which}` : "no bundle"),
    el("span", {}, `${number(having)} ${having === 1 ? "machine" : "machines"} ${percent(having, machines)}`)),
  svg("svg", { viewBox: "0 0 100 4", preserveAspectRatio: "none", "aria-hidden": "true" }, svg("rect", { class: "mine", width: having / machines * 100, height: 4 })),
  el("span", { class: "muted small" }, shares));
}

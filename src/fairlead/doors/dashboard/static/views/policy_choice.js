import { get } from "../parts/api.js";
import { el } from "../parts/dom.js";

// The policies that a call can be judged by: today's, folders that Fairlead knows, and commits.
export function policyChoice(name = "") {
  const select = el("select", { name: "policy", "aria-label": "Policy" }, el("option", { value: "now" }, "today's policy"));
  get("/api/policies").then((known) => {
    const group = (label, values, kind) => (values.length ? [el("optgroup", { label }, values.map((value) =>
      el("option", { value }, value.slice(kind.length))))] : []);
    select.append(...group("this project's, at the commit", known.revisions, "git:"), ...group("today's, and this folder", known.folders, "folder:"));
    if (name) select.value = name;
    if (!select.value) select.value = "now";
    select.dispatchEvent(new Event("known"));
  }, () => {});
  return select;
}

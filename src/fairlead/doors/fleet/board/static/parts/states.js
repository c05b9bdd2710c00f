import { chip, el } from "/static/parts/dom.js";
import { ago, moment, number } from "/static/parts/format.js";

// What can be wrong with a machine, in a word or two. The server says which.
const WORDS = { missing: "never heard of", silent: "silent", fork: "fork", gap: "lines missing", incident: "incident", off: "switched off",
  unguarded: "no hook calls", bundle: "old policy", unwell: "doctor objects", well: "well" };
const GRAVE = ["missing", "fork", "gap", "incident", "off"];

export const stateWord = (kind) => WORDS[kind] || kind;

export const isGrave = (kind) => GRAVE.includes(kind);

export function states(troubles) {
  if (!troubles.length) return el("span", { class: "ok" }, "✓ well");
  return el("span", { class: "state" }, troubles.map((kind) => chip(stateWord(kind), isGrave(kind) ? "alarm" : "warn")));
}

// The worst, and how many more there are: a line has room for one.
export function worst(troubles) {
  if (troubles.length < 2) return states(troubles);
  return el("span", { class: "state" }, states(troubles.slice(0, 1)), chip(`+${troubles.length - 1}`, "warn", troubles.map(stateWord).join(", ")));
}

export const policyWord = ({ bundle, bundle_state: state }) => (bundle ? `${bundle}${state === "current" ? "" : `, ${state}`}` : "none");

export const lastWord = ({ contact }) => (contact ? `${ago(contact)} (${moment(contact)})` : "never");

export const machinesWord = (count) => `${number(count)} ${count === 1 ? "machine" : "machines"}`;

// What is to be said of the list of machines that there should be.
export function listTrouble({ trouble }) {
  return trouble ? el("p", { class: "note problem", role: "status" }, `The list of machines: ${trouble}`) : null;
}

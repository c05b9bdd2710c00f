import { el, field } from "./dom.js";
import { flipped, set } from "./filters.js";
import { folder, moment } from "./format.js";

const LAST = { "": "any time", "3600": "the last hour", "86400": "the last 24 hours", "604800": "the last 7 days", custom: "between…" };
const PAUSE = 200;

// Text, time, and what else is set, each to be taken away. `go(changes, replace)` leads to another address.
export function searchBar(go) {
  const text = el("input", { type: "search", name: "text", placeholder: "Search commands, paths, addresses", "aria-label": "Search the calls" });
  const last = el("select", { name: "last", "aria-label": "Time", onchange: timed },
    Object.entries(LAST).map(([value, name]) => el("option", { value }, name)));
  const from = el("input", { type: "datetime-local", name: "since", onchange: ranged });
  const to = el("input", { type: "datetime-local", name: "until", onchange: ranged });
  const custom = el("span", { class: "custom", hidden: true }, field("from", from), field("to", to));
  const chips = el("div", { class: "chips" });
  let typing = 0;
  text.addEventListener("input", () => { clearTimeout(typing); typing = setTimeout(() => go({ text: text.value.trim() }, true), PAUSE); });

  function timed() {
    custom.hidden = last.value !== "custom";
    if (custom.hidden) go({ last: last.value, since: "", until: "" });
  }

  function ranged() {
    go({ last: "", since: seconds(from.value), until: seconds(to.value) });
  }

  function show(chosen) {
    if (document.activeElement !== text) text.value = chosen.text;
    custom.hidden = !(chosen.since || chosen.until);
    last.value = custom.hidden ? chosen.last : "custom";
    from.value = local(chosen.since);
    to.value = local(chosen.until);
    const made = set(chosen).map(({ name, value }) => chip(name, value, () => go(flipped(chosen, name, value))));
    chips.replaceChildren(...made, ...(made.length > 1 ? [el("a", { href: "#/calls", class: "small" }, "Clear all")] : []));
  }

  function focus() { text.focus(); text.select(); }

  return { parts: [el("div", { class: "search" }, text, last, custom), chips], show, focus };
}

function chip(name, value, remove) {
  const shown = name === "root" ? folder(value) : name === "since" || name === "until" ? moment(Number(value)) : value === "1" ? "yes" : value;
  return el("button", { type: "button", class: "chip", "aria-label": `Remove ${name} ${shown}`, onclick: remove },
    `${name === "root" ? "project" : name}: ${shown}`, el("span", { "aria-hidden": "true" }, "×"));
}

function seconds(text) {
  return text ? String(new Date(text).getTime() / 1000) : "";
}

function local(text) {
  if (!text) return "";
  const date = new Date(Number(text) * 1000);
  return new Date(date.getTime() - date.getTimezoneOffset() * 60000).toISOString().slice(0, 19);
}

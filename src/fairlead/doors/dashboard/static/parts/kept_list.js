import { callHref } from "./place.js";

// The list that was left last, so that the way back leads to the same line, and a call has neighbours.
let kept = { hash: "", rows: [], more: "", scroll: 0, selected: "" };

export function keep(list) { kept = list; }

export function keptAt(hash) { return kept.hash === hash && kept.rows.length ? kept : null; }

export function listHref() { return kept.hash || "#/calls"; }

export function neighbour(id, step) {
  const index = kept.rows.findIndex((each) => each.dataset.id === id);
  const next = index < 0 ? null : kept.rows[index + step];
  if (next) kept.selected = next.dataset.id;
  return next ? callHref(next.dataset.id) : "";
}

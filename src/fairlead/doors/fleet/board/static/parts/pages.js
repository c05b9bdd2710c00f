import { el } from "/static/parts/dom.js";
import { number } from "/static/parts/format.js";

// Buttons to the pages before and after; nothing where all of it is shown. `go` gets the first row of a page.
export function pages({ found, shown, size, offset }, go, label = "Pages of the list") {
  if (found <= size && !offset) return el("span");
  const to = (start, text, usable) => el("button", { type: "button", disabled: !usable, onclick: () => go(start) }, text);
  return el("div", { class: "pages", role: "group", "aria-label": label },
    to(Math.max(offset - size, 0), "Before", offset > 0), to(offset + size, "Next", offset + shown < found),
    el("span", { class: "muted small" }, shown ? `${number(offset + 1)} to ${number(offset + shown)} of ${number(found)}` : `none of ${number(found)} from ${number(offset + 1)} on`));
}

// A search that waits until nobody types any more.
export function searchBox(label, placeholder, find, name = "text") {
  const box = el("input", { type: "search", name, "aria-label": label, placeholder });
  let typing = 0;
  box.addEventListener("input", () => { clearTimeout(typing); typing = setTimeout(() => find(box.value.trim()), 200); });
  return box;
}

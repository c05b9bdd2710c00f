import { el, svg } from "./dom.js";
import { number } from "./format.js";

const ORDER = ["block", "ask", "approve", "pass"];

// How often each was the case, with a bar of its decisions; `to` gives an address, `shown` the text of a name.
export function shares(found, to, shown, none) {
  if (!found.length) return el("p", { class: "muted" }, none);
  const most = Math.max(...found.map((share) => share.calls));
  return el("ul", { class: "shares" }, found.map((share) => el("li", {},
    el("div", { class: "line" }, el("a", { href: to(share.name), title: share.name }, shown(share.name)), el("span", {}, number(share.calls))),
    bar(share.decisions, most))));
}

export function bar(decisions, most) {
  let x = 0;
  const pieces = ORDER.filter((name) => decisions[name]).map((name) => {
    const width = decisions[name] / most * 100;
    const piece = svg("rect", { x, width: Math.max(width, .4), height: 4, class: `fill-${name}` });
    x += width;
    return piece;
  });
  return svg("svg", { class: "share", viewBox: "0 0 100 4", preserveAspectRatio: "none", "aria-hidden": "true" }, pieces);
}

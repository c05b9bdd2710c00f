// Elements are made from text, never from markup: whatever an agent sent shows as what it is.

export function el(tag, attributes = {}, ...children) {
  return filled(document.createElement(tag), attributes, children);
}

export function svg(tag, attributes = {}, ...children) {
  return filled(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
}

function filled(made, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else made.setAttribute(name, value === true ? "" : String(value));
  }
  made.append(...children.flat(9).filter((child) => child !== null && child !== undefined && child !== false));
  return made;
}

export function badge(decision) {
  const word = passes(decision) ? "pass" : decision;
  return el("span", { class: `badge ${word}` }, word);
}

export function passes(decision) {
  return decision === "continue" || decision === "allow" || decision === "pass";
}

export function chip(text, kind = "", title = "") {
  return el("span", { class: `chip ${kind}`, title: title || null }, text);
}

export function title(text, ...beside) {
  return el("div", { class: "title" }, el("h1", {}, text), beside);
}

export function card(heading, ...inside) {
  return el("section", { class: "card" }, el("header", {}, el("h2", {}, heading)), ...inside);
}

export function table(caption, heads, rows) {
  const head = heads.map(([text, kind]) => el("th", { scope: "col", class: kind }, text));
  return el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": caption },
    el("table", {}, el("caption", { class: "unseen" }, caption), el("thead", {}, el("tr", {}, head)), el("tbody", {}, rows)));
}

// What a page without anything to show says: what would be here, and how it comes here.
export function empty(heading, text, command = "") {
  return el("div", { class: "empty" }, el("h2", {}, heading), el("p", {}, text), command ? el("pre", {}, command) : null);
}

export function segments(label, choices, chosen, choose) {
  const buttons = Object.entries(choices).map(([value, text]) => el("button", { type: "button",
    "aria-pressed": String(value === chosen), onclick: () => choose(value) }, text));
  return el("div", { class: "segments", role: "group", "aria-label": label }, buttons);
}

export function field(label, input) {
  return el("label", { class: "field" }, label, input);
}

export function facts(pairs) {
  return el("dl", { class: "facts" }, pairs.filter(([, value]) => value).flatMap(([name, value]) => [
    el("dt", {}, name), el("dd", {}, value instanceof Node ? value : String(value))]));
}

// What stands between backticks is code; all else is text, and so is the code.
export function prose(text) {
  return el("span", {}, String(text).split("`").map((part, index, all) => (index % 2 && index < all.length - 1 ? el("code", {}, part) : index % 2 ? `\`${part}` : part)));
}

export function announce(text) {
  document.getElementById("announcer").textContent = text;
}

export function problem(error) {
  return el("p", { class: "note problem", role: "alert" }, error.message);
}

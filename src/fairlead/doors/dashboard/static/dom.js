// Elements are made from text, never from markup: whatever an agent sent shows as what it is.

export function el(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else made.setAttribute(name, value === true ? "" : String(value));
  }
  made.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return made;
}

export function svg(tag, attributes = {}, ...children) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else made.setAttribute(name, String(value));
  }
  made.append(...children);
  return made;
}

export function table(caption, heads, rows, shown = true) {
  const head = heads.map(([text, kind]) => el("th", { scope: "col", class: kind }, text));
  return el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": caption },
    el("table", {}, el("caption", { class: shown ? null : "visually-hidden" }, caption), el("thead", {}, el("tr", {}, head)), el("tbody", {}, rows)));
}

export function badge(decision) {
  const word = decision === "continue" || decision === "allow" ? "pass" : decision;
  return el("span", { class: `badge ${decision}` }, word);
}

export function ago(seconds) {
  const passed = Math.max(Date.now() / 1000 - seconds, 0);
  for (const [unit, size] of [["d", 86400], ["h", 3600], ["m", 60]]) {
    if (passed >= size) return `${Math.floor(passed / size)}${unit} ago`;
  }
  return `${Math.floor(passed)}s ago`;
}

export function time(seconds) {
  return el("time", { datetime: new Date(seconds * 1000).toISOString(),
    title: new Date(seconds * 1000).toLocaleString() }, ago(seconds));
}

export function ms(value) {
  if (value === null || value === undefined) return "–";
  return value < 100 ? `${value.toFixed(2)} ms` : `${(value / 1000).toFixed(2)} s`;
}

export function number(value) {
  return value ? value.toLocaleString("en") : "";
}

export function announce(text) {
  document.getElementById("announcer").textContent = text;
}

export function field(label, input) {
  return el("label", {}, label, input);
}

import { get, post } from "../parts/api.js";
import { announce, chip, el, empty, title } from "../parts/dom.js";
import { ago, moment } from "../parts/format.js";

const CHANGE = { "-": "gone", "+": "come", "!": "warned" };

// What MCP servers say of themselves and nobody has looked at, and the person's yes.
export async function pins(main, place, about) {
  const list = el("div");
  const status = el("p", { role: "status", class: "copied" });

  async function load() {
    const found = await get("/api/pins");
    list.replaceChildren(...(found.length ? found.map(card) : [empty("Nothing has changed since it was pinned",
      "Fairlead remembers how each MCP server first described its tools. A tool whose description changes is held back until you let it through here. Put the door before your servers:", "fairlead mcp install")]));
  }

  async function letThrough(one) {
    try {
      await post("/api/pins", { server: one.server, project: one.project, id: one.id, seen: one.seen });
      status.textContent = `${one.what} of ${one.server} is pinned.`;
      announce(status.textContent);
      await load();
    } catch (error) {
      status.textContent = error.message;
    }
  }

  function card(one) {
    return el("article", { class: "card" },
      el("header", {}, el("h2", {}, one.server), el("span", {}, one.what),
        one.why ? el("span", { class: "muted small" }, one.why.map((word) => [chip(word, "warn"), " "]), since(one.since)) : null),
      el("pre", { tabindex: "0", class: "change" }, one.lines.map((line) => el("span", { class: CHANGE[line.trimStart()[0]] || null }, `${line}\n`))),
      one.project ? el("p", { class: "muted small" }, `In ${one.project}.`) : null,
      one.id ? el("div", { class: "row" }, el("button", { type: "button", class: "primary", disabled: !about.writable,
        onclick: () => letThrough(one), "aria-label": `Let through: ${one.what} of ${one.server}` }, "Let through")) : null);
  }

  main.replaceChildren(title("MCP servers"), el("p", { class: "lead" }, about.writable
    ? "Lines with - are what you pinned, lines with + what the server says now. Lines with ! are warnings."
    : ["This dashboard is read-only. Start ", el("code", {}, "fairlead ui --writable"), " to let through here, or run ", el("code", {}, "fairlead mcp pin"), "."]), status, list);
  await load();
}

function since(text) {
  const seconds = Date.parse(text) / 1000;
  return el("span", { title: moment(seconds) }, ago(seconds));
}

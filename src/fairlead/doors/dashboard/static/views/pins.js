import { get, post } from "../api.js";
import { announce, el } from "../dom.js";

// What MCP servers say of themselves and nobody has looked at, and the person's yes.
export async function pins(main, { about }) {
  const list = el("div");
  const status = el("p", { role: "status" });

  async function load() {
    const found = await get("/api/pins");
    list.replaceChildren(...(found.length ? found.map(card) : [el("p", { class: "muted" }, "Everything is as it was pinned.")]));
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
      el("div", { class: "row" }, el("strong", {}, one.server), el("span", {}, one.what),
        el("span", { class: "muted" }, one.why ? `${one.why.join(", ")}, since ${one.since}` : "")),
      el("pre", { tabindex: "0" }, one.lines.join("\n")),
      one.project ? el("p", { class: "muted" }, `In ${one.project}.`) : null,
      one.id ? el("div", { class: "row" }, el("button", { type: "button", disabled: !about.writable,
        onclick: () => letThrough(one), "aria-label": `Let through: ${one.what} of ${one.server}` }, "Let through")) : null);
  }

  main.replaceChildren(el("h2", {}, "MCP servers"),
    el("p", { class: "muted" }, about.writable
      ? "What was pinned stands behind -, what the server says now behind +, and what no definition needs behind !."
      : "This dashboard only shows; start `fairlead ui --writable` to let through here, or run `fairlead mcp pin`."),
    status, list);
  await load();
}

import { el, problem, title } from "./dom.js";
import { parse } from "./place.js";

const WAITING = 5000;

// The frame of a dashboard: its pages, its keys, dark and light. `views` has a function for each page that
// fetches its module when it is first shown; `nav` what is always at hand, `under` the page that another belongs
// to, `titles` what else has a name, `keys` what the help tells, and `find` where `/` leads. `counts` has for some
// pages a function that tells how much waits on them, which stands beside their names.
//
// A view fills `main` and may give back `update(place)`, for another query of the same page, and `leave()`.
export async function startShell({ views, nav, under = {}, titles = {}, keys, find, counts = {}, about, mode }) {
  const named = { ...nav, ...titles };
  let current = { page: "", view: {} };
  let known = {};

  async function show() {
    const place = parse(location.hash);
    const page = Object.hasOwn(views, place.page) ? place.page : "overview";
    const where = [page, ...place.rest].join("/");
    if (where === current.page && current.view.update) return current.view.update(place);
    current.view.leave?.();
    current = { page: where, view: {} };
    mark(page);
    const main = document.getElementById("main");
    main.dataset.page = "";
    main.setAttribute("aria-busy", "true");
    try {
      const module = await views[page]();
      if (current.page !== where) return undefined;
      const stage = el("div"); // its own, so that a view that comes late writes over no other
      main.replaceChildren(stage);
      const view = await module[page](stage, place, known) || {};
      if (current.page === where) current.view = view;
      else view.leave?.();
    } catch (error) {
      if (current.page === where) main.replaceChildren(title(named[page]), problem(error));
    }
    if (current.page !== where) return undefined;
    main.removeAttribute("aria-busy");
    main.dataset.page = where;
    return undefined;
  }

  function mark(page) {
    for (const link of document.querySelectorAll("#nav a")) {
      if (link.hash === `#/${under[page] || page}`) {
        link.setAttribute("aria-current", "page");
        link.parentElement.scrollTo({ left: link.offsetLeft - 60 }); // on a phone not all of them are seen
      }
      else link.removeAttribute("aria-current");
    }
    document.title = `${named[page]} – Fairlead`;
  }

  function showHelp() {
    const help = document.getElementById("help");
    help.replaceChildren(
      el("h2", { id: "help-title" }, "Keys"),
      el("dl", {}, keys.flatMap(([key, text]) => [el("dt", {}, el("kbd", {}, key)), el("dd", {}, text)])),
      el("button", { type: "button", onclick: () => help.close() }, "Close"));
    help.showModal();
  }

  function keyed(event) {
    const typing = event.target.closest("input, select, textarea");
    if (typing && event.key === "Escape") typing.blur();
    if (event.ctrlKey || event.metaKey || event.altKey || typing || document.querySelector("dialog[open]")) return;
    const page = Object.keys(nav)[Number(event.key) - 1];
    if (page) location.hash = `#/${page}`;
    else if (event.key === "t") switchTheme();
    else if (event.key === "?") showHelp();
    else if (event.key === "/" && !current.page.startsWith(find.page)) location.hash = find.hash;
    else document.dispatchEvent(new CustomEvent("key", { detail: event.key }));
    if (event.key === "/") event.preventDefault();
  }

  async function count() {
    if (document.hidden) return;
    for (const [page, ask] of Object.entries(counts)) {
      try {
        document.getElementById(`waiting-${page}`).textContent = await ask() || "";
      } catch { /* the page itself says when nobody answers */ }
    }
  }

  const theme = localStorage.getItem("theme");
  if (theme === "dark" || theme === "light") document.documentElement.dataset.theme = theme;
  document.getElementById("nav").replaceChildren(...Object.entries(nav).map(([page, text]) =>
    el("a", { href: `#/${page}` }, text, Object.hasOwn(counts, page) ? el("span", { class: "count", id: `waiting-${page}` }) : null)));
  document.getElementById("theme").addEventListener("click", switchTheme);
  document.getElementById("help-button").addEventListener("click", showHelp);
  document.getElementById("skip").addEventListener("click", (event) => { event.preventDefault(); document.getElementById("main").focus(); });
  addEventListener("keydown", keyed);
  addEventListener("hashchange", show);
  addEventListener("waiting", count);
  setInterval(count, WAITING);
  count();
  known = await about();
  document.getElementById("mode").textContent = mode(known);
  await show();
}

function switchTheme() {
  const dark = matchMedia("(prefers-color-scheme: dark)").matches;
  const chosen = document.documentElement.dataset.theme || (dark ? "dark" : "light");
  const next = chosen === "dark" ? "light" : "dark";
  document.documentElement.dataset.theme = next;
  localStorage.setItem("theme", next);
}

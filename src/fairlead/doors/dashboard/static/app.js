import { get } from "./parts/api.js";
import { el, problem, title } from "./parts/dom.js";
import { parse } from "./parts/place.js";

// A view fills `main` and may give back `update(place)`, for another query of the same page, and `leave()`.
// Each is fetched when it is first shown.
const VIEWS = {
  overview: () => import("./views/overview.js"), calls: () => import("./views/calls.js"), call: () => import("./views/call.js"),
  sessions: () => import("./views/sessions.js"), session: () => import("./views/session.js"), asks: () => import("./views/asks.js"),
  rules: () => import("./views/rules.js"), hooks: () => import("./views/hooks.js"), compare: () => import("./views/compare.js"),
  pins: () => import("./views/pins.js"),
};
const NAV = { overview: "Overview", calls: "Calls", sessions: "Sessions", asks: "Questions", rules: "Rules", hooks: "Hooks",
  compare: "Compare policies", pins: "MCP servers" };
const UNDER = { call: "calls", session: "sessions" };
const TITLES = { ...NAV, call: "Call", session: "Session" };
const KEYS = [
  ["1 to 8", "the pages"], ["/", "search the calls"], ["j and k", "the next and the previous"], ["Enter", "open the call"],
  ["Esc", "back to the list"], ["p", "pause the list and go on"], ["a and d", "approve once and deny a question"],
  ["t", "dark or light"], ["?", "these keys"],
];
const WAITING = 5000;
const WAITED_FOR = ["asks", "pins"];
let current = { page: "", view: {} };
let about = {};

async function show() {
  const place = parse(location.hash);
  const page = Object.hasOwn(VIEWS, place.page) ? place.page : "overview";
  const where = [page, ...place.rest].join("/");
  if (where === current.page && current.view.update) return current.view.update(place);
  current.view.leave?.();
  current = { page: where, view: {} };
  mark(page);
  const main = document.getElementById("main");
  main.dataset.page = "";
  main.setAttribute("aria-busy", "true");
  try {
    const module = await VIEWS[page]();
    if (current.page !== where) return undefined;
    const stage = el("div"); // its own, so that a view that comes late writes over no other
    main.replaceChildren(stage);
    const view = await module[page](stage, place, about) || {};
    if (current.page === where) current.view = view;
    else view.leave?.();
  } catch (error) {
    if (current.page === where) main.replaceChildren(title(TITLES[page]), problem(error));
  }
  if (current.page !== where) return undefined;
  main.removeAttribute("aria-busy");
  main.dataset.page = where;
  return undefined;
}

function mark(page) {
  for (const link of document.querySelectorAll("#nav a")) {
    if (link.hash === `#/${UNDER[page] || page}`) {
      link.setAttribute("aria-current", "page");
      link.parentElement.scrollTo({ left: link.offsetLeft - 60 }); // on a phone not all of them are seen
    }
    else link.removeAttribute("aria-current");
  }
  document.title = `${TITLES[page]} – Fairlead`;
}

function switchTheme() {
  const dark = matchMedia("(prefers-color-scheme: dark)").matches;
  const chosen = document.documentElement.dataset.theme || (dark ? "dark" : "light");
  const next = chosen === "dark" ? "light" : "dark";
  document.documentElement.dataset.theme = next;
  localStorage.setItem("theme", next);
}

function showHelp() {
  const help = document.getElementById("help");
  help.replaceChildren(
    el("h2", { id: "help-title" }, "Keys"),
    el("dl", {}, KEYS.flatMap(([key, text]) => [el("dt", {}, el("kbd", {}, key)), el("dd", {}, text)])),
    el("button", { type: "button", onclick: () => help.close() }, "Close"));
  help.showModal();
}

function keyed(event) {
  const typing = event.target.closest("input, select, textarea");
  if (typing && event.key === "Escape") typing.blur();
  if (event.ctrlKey || event.metaKey || event.altKey || typing || document.querySelector("dialog[open]")) return;
  const page = Object.keys(NAV)[Number(event.key) - 1];
  if (page) location.hash = `#/${page}`;
  else if (event.key === "t") switchTheme();
  else if (event.key === "?") showHelp();
  else if (event.key === "/" && !current.page.startsWith("calls")) location.hash = "#/calls?find=1";
  else document.dispatchEvent(new CustomEvent("key", { detail: event.key }));
  if (event.key === "/") event.preventDefault();
}

async function countWaiting() {
  if (document.hidden) return;
  try {
    for (const page of WAITED_FOR) {
      document.getElementById(`waiting-${page}`).textContent = (await get(`/api/${page}`)).length || "";
    }
  } catch { /* the page itself says when nobody answers */ }
}

async function start() {
  const theme = localStorage.getItem("theme");
  if (theme === "dark" || theme === "light") document.documentElement.dataset.theme = theme;
  document.getElementById("nav").replaceChildren(...Object.entries(NAV).map(([page, text]) =>
    el("a", { href: `#/${page}` }, text, WAITED_FOR.includes(page) ? el("span", { class: "count", id: `waiting-${page}` }) : null)));
  document.getElementById("theme").addEventListener("click", switchTheme);
  document.getElementById("help-button").addEventListener("click", showHelp);
  document.getElementById("skip").addEventListener("click", (event) => { event.preventDefault(); document.getElementById("main").focus(); });
  addEventListener("keydown", keyed);
  addEventListener("hashchange", show);
  const asked = get("/api/about");
  countWaiting();
  setInterval(countWaiting, WAITING);
  about = await asked;
  document.getElementById("mode").textContent = about.writable ? "Changes allowed" : "Read only";
  await show();
}

start();

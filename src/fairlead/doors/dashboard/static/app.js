import { get } from "./api.js";
import { el } from "./dom.js";
import { closeDetail } from "./views/detail.js";
import { asks } from "./views/asks.js";
import { hooks } from "./views/hooks.js";
import { live } from "./views/live.js";
import { pins } from "./views/pins.js";
import { replay } from "./views/replay.js";
import { sessions } from "./views/sessions.js";
import { stats } from "./views/stats.js";

const PAGES = { live, sessions, stats, hooks, asks, pins, replay };
const TITLES = { live: "Live", sessions: "Sessions", stats: "Statistics", hooks: "Hooks", asks: "Questions", pins: "MCP servers", replay: "Policy diff" };
const KEYS = [
  ["1 to 7", "the pages"], ["/", "the text filter"], ["j and k", "the next and the previous call"],
  ["Enter", "open the call"], ["p", "pause and go on"], ["t", "dark or light"], ["Esc", "close"], ["?", "these keys"],
];
let leave = null;
let about = {};

async function show() {
  const [name, ...rest] = (location.hash.replace(/^#\/?/, "") || "live").split("/").map(decodeURIComponent);
  const page = PAGES[name] ? name : "live";
  if (leave) leave();
  leave = null;
  closeDetail();
  for (const link of document.querySelectorAll("#nav a")) {
    if (link.hash === `#/${page}`) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  document.title = `${TITLES[page]} – Fairlead`;
  const main = document.getElementById("main");
  main.dataset.page = "";
  main.replaceChildren(el("p", { class: "muted" }, "Loading…"));
  try {
    leave = await PAGES[page](main, { about, rest }) || null;
  } catch (error) {
    main.replaceChildren(el("p", { class: "trouble", role: "alert" }, String(error.message)));
  }
  main.dataset.page = [page, ...rest].join("/");
}

function switchTheme() {
  const dark = matchMedia("(prefers-color-scheme: dark)").matches;
  const current = document.documentElement.dataset.theme || (dark ? "dark" : "light");
  const next = current === "dark" ? "light" : "dark";
  document.documentElement.dataset.theme = next;
  localStorage.setItem("theme", next);
}

function showHelp() {
  const help = document.getElementById("help");
  help.replaceChildren(
    el("h2", { id: "help-title" }, "Keys"),
    el("dl", {}, KEYS.flatMap(([key, text]) => [el("dt", {}, key), el("dd", {}, text)])),
    el("button", { type: "button", onclick: () => help.close() }, "Close"));
  help.showModal();
}

function keyed(event) {
  const typing = event.target.closest("input, select, textarea");
  if (event.ctrlKey || event.metaKey || event.altKey || typing || document.querySelector("dialog[open]")) return;
  const page = Object.keys(PAGES)[Number(event.key) - 1];
  if (page) location.hash = `#/${page}`;
  else if (event.key === "t") switchTheme();
  else if (event.key === "?") showHelp();
  else document.dispatchEvent(new CustomEvent("key", { detail: event.key }));
  if (event.key === "/") event.preventDefault();
}

async function start() {
  const theme = localStorage.getItem("theme");
  if (theme === "dark" || theme === "light") document.documentElement.dataset.theme = theme;
  document.getElementById("nav").replaceChildren(
    ...Object.entries(TITLES).map(([page, title]) => el("a", { href: `#/${page}` }, title)));
  document.getElementById("theme").addEventListener("click", switchTheme);
  document.getElementById("help-button").addEventListener("click", showHelp);
  addEventListener("keydown", keyed);
  addEventListener("hashchange", show);
  about = await get("/api/about");
  document.getElementById("mode").textContent = about.writable ? "can change" : "only shows";
  await show();
}

start();

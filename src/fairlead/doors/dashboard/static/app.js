import { get } from "./parts/api.js";
import { startShell } from "./parts/shell.js";

const waiting = (page) => async () => (await get(`/api/${page}`)).length;

startShell({
  views: {
    overview: () => import("./views/overview.js"), calls: () => import("./views/calls.js"), call: () => import("./views/call.js"),
    sessions: () => import("./views/sessions.js"), session: () => import("./views/session.js"), asks: () => import("./views/asks.js"),
    rules: () => import("./views/rules.js"), hooks: () => import("./views/hooks.js"), compare: () => import("./views/compare.js"),
    pins: () => import("./views/pins.js"),
  },
  nav: { overview: "Overview", calls: "Calls", sessions: "Sessions", asks: "Questions", rules: "Rules", hooks: "Hooks",
    compare: "Compare policies", pins: "MCP servers" },
  under: { call: "calls", session: "sessions" },
  titles: { call: "Call", session: "Session" },
  keys: [
    ["1 to 8", "the pages"], ["/", "search the calls"], ["j and k", "the next and the previous"], ["Enter", "open the call"],
    ["Esc", "back to the list"], ["p", "pause the list and go on"], ["a and d", "approve once and deny a question"],
    ["t", "dark or light"], ["?", "these keys"],
  ],
  find: { page: "calls", hash: "#/calls?find=1" },
  counts: { asks: waiting("asks"), pins: waiting("pins") },
  about: () => get("/api/about"),
  mode: (about) => (about.writable ? "Changes allowed" : "Read only"),
});

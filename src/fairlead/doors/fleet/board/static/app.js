import { get } from "/static/parts/api.js";
import { startShell } from "/static/parts/shell.js";

startShell({
  views: {
    overview: () => import("./views/overview.js"), machines: () => import("./views/machines.js"), machine: () => import("./views/machine.js"),
    asks: () => import("./views/asks.js"), decisions: () => import("./views/decisions.js"), watched: () => import("./views/watched.js"),
    alarms: () => import("./views/alarms.js"), rollouts: () => import("./views/rollouts.js"),
  },
  nav: { overview: "Overview", machines: "Machines", asks: "Questions", decisions: "Decisions", watched: "Only watched", alarms: "Alarms", rollouts: "Rollouts" },
  under: { machine: "machines" },
  titles: { machine: "Machine" },
  keys: [["1 to 7", "the pages"], ["/", "search the machines"], ["t", "dark or light"], ["?", "these keys"]],
  find: { page: "machines", hash: "#/machines?find=1" },
  counts: { asks: async () => (await get("/api/fleet/asks/count")).waiting },
  about: () => get("/api/about"),
  mode: (about) => (about.writable ? "Answers questions" : "Read only"),
});

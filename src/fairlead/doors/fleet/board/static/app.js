import { get } from "/static/parts/api.js";
import { startShell } from "/static/parts/shell.js";

startShell({
  views: {
    overview: () => import("./views/overview.js"), machines: () => import("./views/machines.js"), machine: () => import("./views/machine.js"),
    decisions: () => import("./views/decisions.js"), watched: () => import("./views/watched.js"), alarms: () => import("./views/alarms.js"),
    rollouts: () => import("./views/rollouts.js"),
  },
  nav: { overview: "Overview", machines: "Machines", decisions: "Decisions", watched: "Only watched", alarms: "Alarms", rollouts: "Rollouts" },
  under: { machine: "machines" },
  titles: { machine: "Machine" },
  keys: [["1 to 6", "the pages"], ["/", "search the machines"], ["t", "dark or light"], ["?", "these keys"]],
  find: { page: "machines", hash: "#/machines?find=1" },
  about: () => get("/api/about"),
  mode: () => "Read only",
});

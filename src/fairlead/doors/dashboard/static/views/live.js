import { get } from "../api.js";
import { ago, announce, badge, el, field, ms, table, time } from "../dom.js";
import { openDetail } from "./detail.js";

const PAGE = 100;
const DECISIONS = ["", "block", "halt", "ask", "approve", "allow", "continue"];

// The newest calls, with each new one as it is answered.
export async function live(main, { rest }) {
  const filters = { agent: "", decision: "", tool: "", rule: "", text: "", session: rest[0] || "", canaries: "", would: "" };
  let paused = false;
  let selected = -1;
  let asked = 0;
  const body = el("tbody");
  const status = el("span", { class: "muted", role: "status" }, "live");
  const pause = el("button", { type: "button", "aria-pressed": "false", onclick: toggle }, "Pause");
  const older = el("button", { type: "button", onclick: more }, "Older");
  const text = el("input", { type: "search", name: "text", id: "text-filter" });

  function toggle() {
    paused = !paused;
    pause.setAttribute("aria-pressed", String(paused));
    pause.textContent = paused ? "Go on" : "Pause";
    status.textContent = paused ? "paused" : "live";
    if (!paused) load();
  }

  function changed(event) {
    const { name, type, value, checked } = event.target;
    filters[name] = type === "checkbox" && !checked ? "" : value.trim();
    load();
  }

  async function load() {
    const ticket = ++asked;
    const calls = await get("/api/calls", { ...filters, limit: PAGE });
    if (ticket !== asked) return; // the filters have changed since
    body.replaceChildren(...calls.map((call) => row(call)));
    older.disabled = calls.length < PAGE;
    selected = -1;
  }

  async function more() {
    const last = body.lastElementChild;
    if (!last) return;
    const calls = await get("/api/calls", { ...filters, limit: PAGE, before: last.dataset.id });
    body.append(...calls.map((call) => row(call)));
    older.disabled = calls.length < PAGE;
  }

  function arrived(event) {
    const call = JSON.parse(event.data);
    if (paused || !fits(call, filters) || body.querySelector(`[data-id="${CSS.escape(call.id)}"]`)) return;
    const made = row(call);
    made.classList.add("fresh");
    setTimeout(() => made.classList.remove("fresh"), 1500);
    body.prepend(made);
    while (body.children.length > PAGE * 3) body.lastElementChild.remove();
    if (["block", "halt", "ask"].includes(call.decision)) announce(`${call.decision}: ${call.agent} ${call.summary}`);
  }

  function keyed({ detail: key }) {
    if (key === "/") text.focus();
    if (key === "p") toggle();
    if (key !== "j" && key !== "k") return;
    selected = Math.min(Math.max(selected + (key === "j" ? 1 : -1), 0), body.children.length - 1);
    for (const [index, each] of [...body.children].entries()) each.classList.toggle("selected", index === selected);
    body.children[selected]?.querySelector("button")?.focus();
  }

  const decision = el("select", { name: "decision", onchange: changed },
    DECISIONS.map((word) => el("option", { value: word }, word || "any")));
  text.addEventListener("input", changed);
  const inputs = ["agent", "tool", "rule"].map((name) =>
    field(name, el("input", { name, onchange: changed, size: "12" })));
  const canaries = el("input", { type: "checkbox", name: "canaries", value: "1", onchange: changed });
  const would = el("input", { type: "checkbox", name: "would", value: "1", onchange: changed });
  const shown = table("Calls, the newest first",
    [["When"], ["Decision"], ["Agent"], ["Tool", "wide"], ["Asked"], ["Rule"], ["Took", "number wide"]], []);
  shown.querySelector("tbody").replaceWith(body);
  main.replaceChildren(
    el("h2", {}, filters.session ? `Session ${filters.session}` : "Live"),
    el("div", { class: "filters" }, field("text", text), field("decision", decision), inputs,
      field("calls of doctor", canaries), field("kept back by audit", would), pause, status),
    shown, el("p", {}, older));
  await load();
  document.addEventListener("key", keyed);
  const stream = new EventSource("/api/stream");
  stream.onmessage = arrived;
  stream.onerror = () => { status.textContent = "not connected, trying again"; };
  stream.onopen = () => { status.textContent = paused ? "paused" : "live"; };
  const clock = setInterval(() => {
    for (const each of body.querySelectorAll("time")) each.textContent = ago(Date.parse(each.dateTime) / 1000);
  }, 5000);
  return () => { stream.close(); clearInterval(clock); document.removeEventListener("key", keyed); };
}

function fits(call, filters) {
  const has = (name) => !filters[name] || call[name] === filters[name];
  return (filters.canaries || !call.canary) && (!filters.would || call.would) && ["agent", "tool", "rule", "decision", "session"].every(has)
    && (!filters.text || call.summary.toLowerCase().includes(filters.text.toLowerCase()));
}

export function row(call) {
  const marks = [call.failures ? "something failed" : "", call.degraded, call.attempts > 1 ? "answered again" : "",
    call.canary ? "by doctor" : "", call.would ? `audit: would ${call.would}` : ""];
  return el("tr", { "data-id": call.id },
    el("td", {}, time(call.ts)),
    el("td", {}, badge(call.decision), el("span", { class: "trouble" }, ` ${marks.filter(Boolean).join(", ")}`)),
    el("td", {}, call.agent, call.subagent ? el("span", { class: "muted" }, ` ${call.subagent.slice(0, 8)}`) : null),
    el("td", { class: "wide" }, call.tool || call.event),
    el("td", { class: "asked" },
      el("button", { type: "button", class: "open", onclick: () => openDetail(call.id) }, call.summary || "(nothing)")),
    el("td", {}, call.rule || call.would_rule),
    el("td", { class: "number wide" }, ms(call.milliseconds)));
}

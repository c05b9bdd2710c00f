import { get, post } from "../parts/api.js";
import { announce, el, empty, facts, prose, title } from "../parts/dom.js";
import { ago } from "../parts/format.js";

const LENGTHS = { once: ["Approve once", "a"], session: ["in this session", "s"], while: ["for an hour", "h"], project: ["in this project", "P"] };
const AGAIN = 2000;

// Calls that wait for a person, and the person's answers, one key away.
export async function asks(main, place, about) {
  const list = el("div");
  const status = el("p", { role: "status", class: "copied" });
  let found = [], chosen = "";

  async function load() {
    const now = await get("/api/asks");
    if (JSON.stringify(now) === JSON.stringify(found) && list.children.length) return;
    found = now;
    if (!found.some((each) => each.code === chosen)) chosen = found[0]?.code || "";
    draw();
  }

  function draw() {
    list.replaceChildren(...(found.length ? found.map(card) : [empty("Nothing waits for an answer",
      "When a rule asks and the agent cannot ask you itself, the call is refused for now and waits here. Try it: let an agent force a push.", "fairlead check 'git push --force'")]));
  }

  async function answer(question, word, length) {
    if (!about.writable) return;
    try {
      await post(`/api/asks/${encodeURIComponent(question.code)}`, { answer: word, for: length });
      status.textContent = word === "approve" ? `${question.code} is approved: the agent may make the call again.` : `${question.code} is denied.`;
      announce(status.textContent);
      await load();
    } catch (error) {
      status.textContent = error.message;
    }
  }

  function card(question) {
    const button = (word, [text, key], length, first) => el("button", { type: "button", class: first ? "primary" : null, disabled: !about.writable,
      onclick: () => answer(question, word, length), "aria-label": `${text}: ${question.summary}` }, text, question.code === chosen ? [" ", el("kbd", {}, key)] : null);
    return el("article", { class: `card question ${question.code === chosen ? "selected" : ""}`, "data-code": question.code, "aria-label": `${question.agent}: ${question.summary}` },
      el("header", {}, el("h2", {}, question.agent), el("span", { class: "muted" }, ago(question.asked)), el("code", {}, question.code)),
      el("pre", { tabindex: "0" }, question.summary), el("p", {}, prose(question.reason)),
      facts([["rule", question.rule], ["in", question.cwd], ["session", question.session],
        ["for longer", question.command ? `holds for “${question.command}” from ${question.rule} alone` : ""]]),
      el("div", { class: "row" }, question.lengths.map((length, index) => button("approve", LENGTHS[length], length, index === 0)),
        button("deny", [question.told ? "Hide" : "Deny", "d"], "once")));
  }

  function keyed({ detail: key }) {
    const index = found.findIndex((each) => each.code === chosen);
    if (index < 0) return;
    if (key === "j" || key === "k") {
      chosen = found[Math.min(Math.max(index + (key === "j" ? 1 : -1), 0), found.length - 1)].code;
      draw();
      list.querySelector(".selected")?.scrollIntoView({ block: "nearest" });
    }
    if (key === "d") answer(found[index], "deny", "once");
    const [length] = Object.entries(LENGTHS).find(([name, [, each]]) => each === key && found[index].lengths.includes(name)) || [];
    if (length) answer(found[index], "approve", length);
  }

  main.replaceChildren(title("Questions"), el("p", { class: "lead" }, about.writable
    ? "“Approve once” lets the same call through if the agent makes it again within ten minutes, in the same folder."
    : ["This dashboard is read-only. Start ", el("code", {}, "fairlead ui --writable"), " to answer here, or run ", el("code", {}, "fairlead approve"), "."]), status, list);
  await load();
  document.addEventListener("key", keyed);
  const clock = setInterval(() => load().catch((error) => { status.textContent = error.message; }), AGAIN);
  return { leave() { clearInterval(clock); document.removeEventListener("key", keyed); } };
}

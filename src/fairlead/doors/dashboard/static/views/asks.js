import { get, post } from "../api.js";
import { announce, badge, el, time } from "../dom.js";
import { openDetail } from "./detail.js";

// Calls that were asked about in the last hour, and a human's answers.
export async function asks(main, { about }) {
  const list = el("div");
  const problem = el("p", { class: "trouble", role: "alert" });

  async function load() {
    const found = await get("/api/asks");
    list.replaceChildren(...(found.length ? found.map(card) : [el("p", { class: "muted" }, "No questions in the last hour.")]));
  }

  async function answer(call, word) {
    try {
      await post(`/api/asks/${encodeURIComponent(call.id)}`, { answer: word });
      announce(`${word}: ${call.summary}`);
      await load();
    } catch (error) {
      problem.textContent = error.message;
    }
  }

  function card(call) {
    const button = (word, text) => el("button", { type: "button", disabled: !about.writable || Boolean(call.answer),
      onclick: () => answer(call, word), "aria-label": `${text}: ${call.summary}` }, text);
    return el("article", { class: "card", "data-id": call.id },
      el("div", { class: "row" }, badge(call.decision), time(call.ts), el("span", {}, call.agent), el("strong", {}, call.rule)),
      el("pre", { tabindex: "0" }, call.summary),
      el("div", { class: "row" },
        button("approve", "Approve once"), button("deny", "Deny"),
        el("button", { type: "button", onclick: () => openDetail(call.id), "aria-label": `Why: ${call.summary}` }, "Why?"),
        call.answer ? el("span", { class: "muted" }, `answered: ${call.answer}`) : null));
  }

  main.replaceChildren(el("h2", {}, "Questions"),
    el("p", { class: "muted" }, about.writable
      ? "“Approve once” lets the next such call in the same project through; ask the agent to try again."
      : "This dashboard only shows; start `fairlead ui --writable` to answer here."),
    problem, list);
  await load();
  const clock = setInterval(load, 5000);
  return () => clearInterval(clock);
}

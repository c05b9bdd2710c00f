import { get, post } from "../api.js";
import { announce, el, time } from "../dom.js";

const LENGTHS = {
  once: "Approve once", session: "Approve in this session", while: "Approve for an hour", project: "Approve in this project",
};

// Calls that wait for a person, and the person's answers.
export async function asks(main, { about }) {
  const list = el("div");
  const status = el("p", { role: "status" });

  async function load() {
    const found = await get("/api/asks");
    list.replaceChildren(...(found.length ? found.map(card) : [el("p", { class: "muted" }, "Nothing waits for an answer.")]));
  }

  async function answer(question, word, length) {
    try {
      await post(`/api/asks/${encodeURIComponent(question.code)}`, { answer: word, for: length });
      status.textContent = word === "approve"
        ? `${question.code} is approved: the agent may make the call again.` : `${question.code} is denied.`;
      announce(status.textContent);
      await load();
    } catch (error) {
      status.textContent = error.message;
    }
  }

  function card(question) {
    const button = (word, text, length = "once") => el("button", { type: "button", disabled: !about.writable,
      onclick: () => answer(question, word, length), "aria-label": `${text}: ${question.summary}` }, text);
    return el("article", { class: "card" },
      el("div", { class: "row" }, el("strong", {}, question.agent), time(question.asked),
        el("span", { class: "muted" }, question.code)),
      el("pre", { tabindex: "0" }, question.summary),
      el("p", {}, question.reason),
      el("p", { class: "muted" }, `In ${question.cwd}, project ${question.root}, session ${question.session || "not named"}.`),
      question.command ? el("p", { class: "muted" }, `An approval for longer holds for “${question.command}” from ${question.rule} alone.`) : null,
      el("div", { class: "row" }, ...question.lengths.map((length) => button("approve", LENGTHS[length], length)),
        button("deny", question.told ? "Hide" : "Deny")));
  }

  main.replaceChildren(el("h2", {}, "Questions"),
    el("p", { class: "muted" }, about.writable
      ? "“Approve once” lets the same call through if the agent makes it again within ten minutes, in the same folder."
      : "This dashboard only shows; start `fairlead ui --writable` to answer here, or run `fairlead approve`."),
    status, list);
  await load();
  const clock = setInterval(load, 2000);
  return () => clearInterval(clock);
}

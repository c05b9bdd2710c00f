import { get, post } from "../parts/api.js";
import { announce, el } from "../parts/dom.js";

const ACTS = { "bring back": "back", beside: "beside", remove: "gone", set: "set", left: "left" };

// What was saved before a call: what bringing it back would do, and the button that does it.
export function savedBefore(id) {
  const plan = el("div", { class: "plan" }, el("p", { class: "muted" }, "Looking…"));
  const status = el("p", { role: "status" });
  const button = el("button", { type: "button", disabled: true, onclick: bringBack }, "Bring it back");

  async function look() {
    try {
      const [would, about] = await Promise.all([get(address(id)), get("/api/about")]);
      plan.replaceChildren(...told(would, would.acts ? "This would be done:" : "Everything is there."));
      button.disabled = !(would.acts && about.writable);
      if (would.acts && !about.writable) {
        status.textContent = `This dashboard is read-only. Start \`fairlead ui --writable\`, or run \`fairlead undo ${id}\`.`;
      }
    } catch (error) {
      plan.replaceChildren(el("p", { role: "alert" }, error.message));
    }
  }

  async function bringBack() {
    button.disabled = true;
    status.textContent = "Bringing it back…";
    try {
      const done = await post(address(id), {});
      plan.replaceChildren(...told(done, "This was done:"));
      status.textContent = done.undo ? `It is back; \`fairlead undo ${done.undo}\` takes this back.` : "It is back.";
    } catch (error) {
      status.textContent = error.message;
      button.disabled = false;
    }
    announce(status.textContent);
  }

  look();
  return el("section", { class: "card", "aria-label": `Saved before the call: ${id}` },
    el("h3", {}, "Saved before the call"), plan, status, button);
}

const address = (id) => `/api/saves/${encodeURIComponent(id)}`;

function told(answer, heading) {
  const lines = [
    ...answer.steps.map((step) => line(ACTS[step.act] || step.act, step.path, step.why)),
    ...(answer.more ? [`…       and ${answer.more} more`] : []),
    ...answer.git.map((each) => line(each.done ? "git" : "left", each.what)),
    ...answer.missing.map((path) => line("left", path, "could not be set")),
    ...answer.left_out.map(([path, why]) => line("unsaved", path, why)),
  ];
  return [el("p", {}, `${heading} (${answer.root})`),
    ...(lines.length ? [el("pre", { tabindex: "0" }, lines.join("\n"))] : [])];
}

function line(word, path, why = "") {
  return `${word.padEnd(7)} ${path}${why ? ` (${why})` : ""}`;
}

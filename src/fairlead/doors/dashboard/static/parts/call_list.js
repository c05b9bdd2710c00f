import { get } from "./api.js";
import { callTable, row } from "./call_row.js";
import { el } from "./dom.js";

const PAGE = 100, MOST = 2000, NEAR = 600, FRESH = 1500;

// Rows that older ones are added to at the end as they are scrolled to, and newer ones at the top as they come.
export class CallList {
  // `filters()` is what the server is asked, `teach()` what is shown where there is nothing; `grown()` is told
  // when newer rows were let go at the top.
  constructor({ filters, teach, grown }) {
    Object.assign(this, { filters, teach, grown, more: "", ticket: 0, busy: false });
    this.body = el("tbody");
    this.table = callTable("Calls, the newest first", this.body);
    this.nothing = el("div");
    this.end = el("div", { class: "end" });
    this.card = el("div", { class: "card calls-card" }, this.table, this.nothing, this.end);
    this.table.hidden = true;
  }

  get rows() { return [...this.body.children]; }

  // True where nobody asked for something else meanwhile.
  async load() {
    const ticket = ++this.ticket;
    const found = await get("/api/calls", { ...this.filters(), limit: PAGE });
    if (ticket !== this.ticket) return false;
    this.put(found.calls.map(row), found.more);
    if (!found.calls.length) await this.older();
    return ticket === this.ticket;
  }

  put(rows, more) {
    this.more = more;
    this.body.replaceChildren(...rows);
    this.tell();
  }

  // What a filter finds may lie far back: each answer looks at a bounded part, and says where the next begins.
  async older() {
    const { ticket } = this;
    if (!this.more || this.busy === ticket) return;
    this.busy = ticket;
    this.end.textContent = "Looking further back…";
    try {
      while (this.more && this.isNearEnd()) {
        const found = await get("/api/calls", { ...this.filters(), limit: PAGE, before: this.more });
        if (ticket !== this.ticket) return;
        this.more = found.more;
        this.body.append(...found.calls.map(row));
        this.trimTop();
      }
    } finally {
      if (this.busy === ticket) this.busy = false;
      this.tell();
    }
  }

  isNearEnd() { return this.end.getBoundingClientRect().top < innerHeight + NEAR; }

  trimTop() {
    if (this.body.children.length <= MOST) return;
    while (this.body.children.length > MOST) this.body.firstElementChild.remove();
    this.grown();
  }

  // Not the call that was told of, but what the index has by now: so it is folded and filtered as any other.
  // Gives back how many new ones were kept out, for `stay`.
  async merge(stay) {
    const { ticket } = this;
    const found = await get("/api/calls", { ...this.filters(), limit: PAGE });
    if (ticket !== this.ticket) return 0;
    let held = 0;
    for (const call of [...found.calls].reverse()) {
      const known = this.body.querySelector(`[data-id="${CSS.escape(call.id)}"]`);
      if (known) renew(known, call);
      else if (this.body.lastElementChild && call.id < this.body.lastElementChild.dataset.id) continue;
      else if (stay) held += 1;
      else this.body.prepend(fresh(call));
    }
    while (this.body.children.length > MOST) this.body.lastElementChild.remove();
    this.tell();
    return held;
  }

  tell() {
    const any = this.body.children.length > 0;
    this.nothing.replaceChildren(...(any || this.more ? [] : [this.teach()]));
    this.table.hidden = !any;
    this.end.textContent = any && !this.more ? "That is all." : "";
  }

  step(by) {
    const { rows } = this;
    const now = rows.findIndex((each) => each.classList.contains("selected"));
    this.select(rows[Math.min(Math.max(now + by, 0), rows.length - 1)]);
  }

  select(line) {
    for (const each of this.body.querySelectorAll(".selected")) each.classList.remove("selected");
    line?.classList.add("selected");
    line?.querySelector("a").focus({ preventScroll: true });
    line?.scrollIntoView({ block: "nearest" });
  }
}

function fresh(call) {
  const made = row(call);
  made.classList.add("fresh");
  setTimeout(() => made.classList.remove("fresh"), FRESH);
  return made;
}

function renew(known, call) {
  const marks = row(call).querySelector(".marks");
  if (known.querySelector(".marks").textContent !== marks.textContent) known.querySelector(".marks").replaceWith(marks);
}

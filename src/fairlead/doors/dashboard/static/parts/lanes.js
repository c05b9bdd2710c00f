import { el, passes, svg } from "./dom.js";
import { clock, day, length, moment } from "./format.js";

const LANE = 28, TOP = 24, RIGHT = 12;

// Lanes over time that can be zoomed and moved. A lane: { name, items: [{ from, to, decision, mark, title, href }] };
// `mark` is the worst that happened within, at whatever time: it stands beside the name.
export function lanes(label, rows) {
  const times = rows.flatMap((row) => row.items.flatMap((item) => [item.from, item.to]));
  const all = { from: Math.min(...times), to: Math.max(...times) };
  if (all.to - all.from < 1) all.to = all.from + 1;
  const slack = (all.to - all.from) * .02;
  const whole = { from: all.from - slack, to: all.to + slack };
  let view = { ...whole };
  const drawing = svg("svg", { height: TOP + rows.length * LANE + 6, role: "group", "aria-label": label });
  const box = el("div", { class: "lanes" }, drawing);
  const shown = el("span", { class: "muted small", role: "status" });
  const left = () => Math.min(150, box.clientWidth * .3);

  function draw() {
    const width = Math.max(box.clientWidth, 240), span = view.to - view.from;
    const at = (seconds) => left() + (seconds - view.from) / span * (width - left() - RIGHT);
    drawing.setAttribute("viewBox", `0 0 ${width} ${TOP + rows.length * LANE + 6}`);
    drawing.replaceChildren(svg("rect", { class: "ground", width, height: "100%" }), ...ticks(view, at, width, left()));
    rows.forEach((row, index) => {
      const y = TOP + index * LANE + LANE / 2;
      drawing.append(svg("line", { class: "lane", x1: left(), x2: width - RIGHT, y1: y, y2: y }),
        svg("text", { class: "name", x: 0, y: y + 4 }, cut(row.name, (left() - 16) / 6.6), svg("title", {}, row.name)));
      for (const item of row.items) {
        if (item.to < view.from || item.from > view.to) continue;
        drawing.append(mark(item, at, y, left(), width - RIGHT));
      }
    });
    shown.textContent = `${moment(view.from)} – ${moment(view.to)} (${length(span)})`;
  }

  function zoom(factor, middle = (view.from + view.to) / 2) {
    const span = Math.min(Math.max((view.to - view.from) * factor, 1), whole.to - whole.from);
    const share = (middle - view.from) / (view.to - view.from);
    place(middle - span * share, span);
  }

  function place(from, span) {
    const start = Math.min(Math.max(from, whole.from), whole.to - span);
    view = { from: start, to: start + span };
    draw();
  }

  const move = (share) => place(view.from + (view.to - view.from) * share, view.to - view.from);
  drawing.addEventListener("wheel", (event) => {
    if (!event.ctrlKey && !event.shiftKey) return; // the page scrolls as ever
    event.preventDefault();
    const { left: edge, width } = drawing.getBoundingClientRect();
    const share = Math.max(event.clientX - edge - left(), 0) / Math.max(width - left() - RIGHT, 1);
    zoom(event.deltaY > 0 ? 1.25 : .8, view.from + (view.to - view.from) * share);
  }, { passive: false });
  drawing.addEventListener("pointerdown", (event) => {
    if (event.target.closest("a")) return;
    const begin = { x: event.clientX, from: view.from }, span = view.to - view.from;
    const drag = (moved) => place(begin.from - (moved.clientX - begin.x) / Math.max(box.clientWidth - left(), 1) * span, span);
    const stop = () => { removeEventListener("pointermove", drag); removeEventListener("pointerup", stop); };
    addEventListener("pointermove", drag);
    addEventListener("pointerup", stop);
  });
  new ResizeObserver(draw).observe(box);
  const button = (text, name, act) => el("button", { type: "button", "aria-label": name, onclick: act }, text);
  const tools = el("div", { class: "row" },
    button("−", "Zoom out", () => zoom(2)), button("+", "Zoom in", () => zoom(.5)),
    button("←", "Earlier", () => move(-.4)), button("→", "Later", () => move(.4)),
    button("All", "Show all of the time", () => { view = { ...whole }; draw(); }), shown);
  return el("div", {}, tools, box, el("p", { class: "muted small wide" }, "Drag to move; Shift and the wheel to zoom."));
}

function mark(item, at, y, low, high) {
  const x = Math.max(at(item.from), low), end = Math.min(at(item.to), high);
  const colour = `fill-${passes(item.decision) ? "pass" : item.decision === "halt" ? "block" : item.decision}`;
  const shape = item.to > item.from
    ? svg("rect", { class: `span ${colour}`, x, y: y - 7, width: Math.max(end - x, 4), height: 14, rx: 4 })
    : svg("circle", { class: `dot ${colour}`, cx: x, cy: y, r: passes(item.decision) ? 4.5 : 7 });
  const worst = item.mark ? svg("circle", { class: `dot fill-${item.mark}`, cx: low - 10, cy: y, r: 5 }) : null;
  return svg("a", { href: item.href, "aria-label": item.title }, svg("title", {}, item.title), shape, worst);
}

function ticks(view, at, width, low) {
  const span = view.to - view.from;
  const steps = [1, 5, 15, 60, 300, 900, 3600, 10800, 21600, 43200, 86400, 259200, 604800, 2592000];
  const step = steps.find((each) => span / each <= Math.max((width - low) / 90, 2)) || steps.at(-1);
  const zone = new Date(view.from * 1000).getTimezoneOffset() * 60;
  const marks = [];
  for (let time = Math.ceil((view.from - zone) / step) * step + zone; time <= view.to; time += step) {
    const x = at(time);
    const text = step >= 86400 ? day(time) : span > 86400 ? `${day(time)} ${clock(time, false)}` : clock(time, step < 60);
    marks.push(svg("line", { class: "rule", x1: x, x2: x, y1: TOP - 6, y2: 9999 }));
    if (x < width - 40) marks.push(svg("text", { x: x + 3, y: 12 }, text));
  }
  return marks;
}

function cut(text, most) {
  return text.length > most ? `${text.slice(0, Math.max(most - 1, 3))}…` : text;
}

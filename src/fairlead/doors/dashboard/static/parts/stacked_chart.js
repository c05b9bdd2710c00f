import { el, svg } from "./dom.js";
import { clock, day, moment, number } from "./format.js";

const SERIES = ["block", "ask", "approve", "pass"]; // from the ground up: what matters stands on the line
const HEIGHT = 220, LEFT = 44, BOTTOM = 22, TOP = 8;

// Bars over time, one colour for each decision. `pick(from, to)` is called with the seconds of a bar.
export function stackedChart(timeline, pick) {
  const hidden = new Set();
  const box = el("div", { class: "chart" });
  const tip = el("div", { class: "tip", hidden: true });
  const drawing = svg("svg", { height: HEIGHT, role: "img", tabindex: "0", "aria-label": spoken(timeline) });
  const said = el("span", { class: "unseen", role: "status" });
  const pointed = svg("rect", { class: "here", y: TOP, width: 0, height: HEIGHT - BOTTOM - TOP });
  let here = -1;

  const count = Math.max(timeline.series.pass.length, 1);
  const shown = () => SERIES.filter((name) => !hidden.has(name));
  const total = (index) => shown().reduce((sum, name) => sum + timeline.series[name][index], 0);
  const start = (index) => timeline.start + index * timeline.step;
  const bar = (index) => ({ from: start(index), to: start(index + 1) });

  function draw() {
    const width = Math.max(box.clientWidth, 240);
    const top = ceiling(Math.max(1, ...Array.from({ length: count }, (_, index) => total(index))));
    const wide = (width - LEFT) / count;
    const scale = (HEIGHT - BOTTOM - TOP) / top;
    drawing.setAttribute("viewBox", `0 0 ${width} ${HEIGHT}`);
    drawing.replaceChildren(...grid(top, scale, width), ...dates(timeline, count, wide, width));
    for (let index = 0; index < count; index += 1) {
      let y = HEIGHT - BOTTOM;
      for (const name of shown()) {
        const value = timeline.series[name][index];
        if (!value) continue;
        const high = Math.max(value * scale, name === "pass" ? 1 : 2.5); // a single refusal is still seen
        y -= high;
        drawing.append(svg("rect", { class: `fill-${name}`, x: LEFT + index * wide + wide * .1, y, width: Math.max(wide * .8, 1), height: high }));
      }
    }
    drawing.append(pointed, svg("rect", { class: "hit", x: LEFT, y: 0, width: width - LEFT, height: HEIGHT }));
  }

  function point(index) {
    if (here === index) return;
    here = index;
    const wide = (box.clientWidth - LEFT) / count;
    pointed.setAttribute("x", LEFT + index * wide);
    pointed.setAttribute("width", index < 0 ? 0 : wide);
    tip.hidden = index < 0;
    if (index < 0) return;
    const { from, to } = bar(index);
    tip.replaceChildren(el("strong", {}, `${moment(from, false)} – ${timeline.step < 86400 ? clock(to, false) : day(to)}`),
      el("dl", {}, [...SERIES].reverse().flatMap((name) => [el("dt", {}, name), el("dd", {}, number(timeline.series[name][index]))])));
    said.textContent = tip.textContent;
    const x = LEFT + (index + .5) * wide;
    tip.style.left = `${Math.min(Math.max(x - tip.offsetWidth / 2, 0), box.clientWidth - tip.offsetWidth)}px`;
    tip.style.top = "0px";
  }

  function under(event) {
    const { left } = drawing.getBoundingClientRect();
    return Math.min(Math.max(Math.floor((event.clientX - left - LEFT) / ((box.clientWidth - LEFT) / count)), 0), count - 1);
  }

  function keyed(event) {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (step) point(Math.min(Math.max((here < 0 ? count : here) + step, 0), count - 1));
    else if (event.key === "Enter" && here >= 0) pick(bar(here).from, bar(here).to);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  drawing.addEventListener("pointermove", (event) => point(under(event)));
  drawing.addEventListener("pointerleave", () => point(-1));
  drawing.addEventListener("blur", () => point(-1));
  drawing.addEventListener("keydown", keyed);
  drawing.addEventListener("click", (event) => { const { from, to } = bar(under(event)); pick(from, to); });
  new ResizeObserver(draw).observe(box);

  function flip(name, button) {
    if (!hidden.delete(name)) hidden.add(name);
    button.setAttribute("aria-pressed", String(!hidden.has(name)));
    draw();
  }

  const legend = el("div", { class: "legend", role: "group", "aria-label": "Decisions that are drawn" }, [...SERIES].reverse().map((name) => {
    const sum = timeline.series[name].reduce((one, other) => one + other, 0);
    const button = el("button", { type: "button", "aria-pressed": "true" },
      svg("svg", { viewBox: "0 0 10 10", "aria-hidden": "true" }, svg("rect", { width: 10, height: 10, rx: 2, class: `fill-${name}` })),
      `${name} ${number(sum)}`);
    button.addEventListener("click", () => flip(name, button));
    return button;
  }));
  box.append(drawing, tip, said);
  return { box, legend };
}

function spoken({ series }) {
  const sums = SERIES.map((name) => `${number(series[name].reduce((one, other) => one + other, 0))} ${name}`);
  return `Decisions over time: ${sums.join(", ")}. Arrow keys read the bars, Enter opens their calls.`;
}

// The next number above that reads well on an axis.
function ceiling(value) {
  const size = 10 ** Math.floor(Math.log10(value));
  return [1, 2, 4, 5, 8, 10].map((step) => step * size).find((step) => step >= value);
}

function grid(top, scale, width) {
  const steps = top < 4 ? top : top % 4 ? 5 : 4; // calls are counted in whole numbers
  return Array.from({ length: steps + 1 }, (_, index) => index * top / steps).flatMap((value) => {
    const y = HEIGHT - BOTTOM - value * scale;
    return [svg("line", { class: value ? "rule" : "base", x1: LEFT, x2: width, y1: y, y2: y }),
      svg("text", { x: LEFT - 6, y: y + 4, "text-anchor": "end" }, short(value))];
  });
}

function short(value) {
  return value >= 10000 ? `${number(Math.round(value / 100) / 10)}k` : number(value);
}

// Where bars are some hours long, only the beginnings of days are named.
function dates({ start, step }, count, wide, width) {
  const marks = [];
  let free = 0;
  for (let index = 0; index < count; index += 1) {
    const x = LEFT + index * wide, at = start + index * step;
    if (x > width - 50) break;
    if (x < free || (step > 3600 && step < 43200 && new Date(at * 1000).getHours() >= step / 3600)) continue;
    free = x + 78;
    marks.push(svg("text", { x, y: HEIGHT - 6 }, step > 3600 ? day(at) : clock(at, false)));
  }
  return marks;
}

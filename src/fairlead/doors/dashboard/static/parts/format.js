import { el } from "./dom.js";

const DAY = 86400;
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const two = (value) => String(value).padStart(2, "0");

export function number(value) {
  return (value || 0).toLocaleString("en");
}

export function percent(part, whole) {
  if (!part || !whole) return "";
  const share = part / whole * 100;
  return share < 0.1 ? "<0.1 %" : `${share.toFixed(share < 10 ? 1 : 0)} %`;
}

export function ms(value) {
  if (value === null || value === undefined) return "–";
  if (value < 10) return `${value.toFixed(2)} ms`;
  return value < 1000 ? `${value.toFixed(0)} ms` : `${(value / 1000).toFixed(1)} s`;
}

export function day(seconds) {
  const date = new Date(seconds * 1000);
  const year = date.getFullYear() === new Date().getFullYear() ? "" : ` ${date.getFullYear()}`;
  return `${date.getDate()} ${MONTHS[date.getMonth()]}${year}`;
}

export function clock(seconds, exact = true) {
  const date = new Date(seconds * 1000);
  return `${two(date.getHours())}:${two(date.getMinutes())}${exact ? `:${two(date.getSeconds())}` : ""}`;
}

export function moment(seconds, exact = true) {
  return `${day(seconds)}, ${clock(seconds, exact)}`;
}

// The time of day, with the day before it unless it is today.
export function time(seconds) {
  const today = new Date().toDateString() === new Date(seconds * 1000).toDateString();
  return el("time", { datetime: new Date(seconds * 1000).toISOString(), title: moment(seconds) },
    today ? null : el("span", { class: "day" }, `${day(seconds)} `), clock(seconds, false),
    el("span", { class: "second" }, `:${two(new Date(seconds * 1000).getSeconds())}`));
}

export function ago(seconds) {
  const passed = Math.max(Date.now() / 1000 - seconds, 0);
  for (const [unit, size] of [["d", DAY], ["h", 3600], ["min", 60]]) {
    if (passed >= size) return `${Math.floor(passed / size)} ${unit} ago`;
  }
  return "just now";
}

export function length(seconds) {
  if (seconds < 1) return `${Math.round(seconds * 1000)} ms`;
  if (seconds < 90) return `${Math.round(seconds)} s`;
  if (seconds < 5400) return `${Math.round(seconds / 60)} min`;
  return seconds < 2 * DAY ? `${(seconds / 3600).toFixed(1)} h` : `${Math.round(seconds / DAY)} days`;
}

// The last folder of a path says more than its first.
export function folder(path) {
  return path.split("/").filter(Boolean).at(-1) || path;
}

// What narrows the list of calls, as the address has it, and as the server is asked.

export const FACETS = ["decision", "agent", "tool", "rule", "root"];
const FLAGS = ["would", "canaries", "trouble"];
const WORDS = [...FACETS, "hook", "event", "text", "session", "since", "until", "last", ...FLAGS];

export function read(query) {
  return Object.fromEntries(WORDS.map((name) => [name, name === "decision" ? query.getAll(name) : query.get(name) || ""]));
}

// `last` is so many seconds before now, whenever now is.
export function asked({ last, ...rest }) {
  return last ? { ...rest, since: String(Date.now() / 1000 - Number(last)) } : rest;
}

// What changes when a value of a facet is turned on or off. Decisions can be several, all else is one.
export function flipped(chosen, facet, value) {
  const now = [chosen[facet]].flat().filter(Boolean);
  if (facet !== "decision") return { [facet]: now.includes(value) ? "" : value };
  return { decision: now.includes(value) ? now.filter((each) => each !== value) : [...now, value] };
}

// Every value that is set, one by one.
export function set(chosen) {
  return WORDS.filter((name) => name !== "text" && name !== "last")
    .flatMap((name) => [chosen[name]].flat().filter(Boolean).map((value) => ({ name, value })));
}

export function isNarrowed(chosen) {
  return WORDS.some((name) => [chosen[name]].flat().some(Boolean));
}

// Where a page is: `#/calls?agent=claude&decision=block`. All of it is in the address, so that it can be kept and sent.

export function parse(hash) {
  const [path, query = ""] = hash.replace(/^#\/?/, "").split("?");
  const [page, ...rest] = path.split("/").map(decoded);
  return { page: page || "overview", rest, query: new URLSearchParams(query) };
}

export function href(page, rest = [], parameters = {}) {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    for (const each of [value].flat()) if (each !== "" && each !== null && each !== undefined) query.append(name, each);
  }
  const path = [page, ...rest].map(encodeURIComponent).join("/");
  return query.size ? `#/${path}?${query}` : `#/${path}`;
}

export const callHref = (id) => href("call", [id]);

function decoded(part) {
  try { return decodeURIComponent(part); } catch { return part; }
}

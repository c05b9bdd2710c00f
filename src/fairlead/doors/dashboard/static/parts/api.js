export async function get(path, parameters = {}) {
  return answered(await fetch(address(path, parameters), { credentials: "same-origin" }));
}

export async function post(path, body) {
  return answered(await fetch(path, {
    method: "POST",
    credentials: "same-origin",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  }));
}

// Each line of an answer as it comes; `stop` is an AbortSignal.
export async function* lines(path, parameters, stop) {
  const response = await fetch(address(path, parameters), { credentials: "same-origin", signal: stop });
  if (!response.ok) await answered(response);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const parts = (rest + value).split("\n");
    rest = parts.pop();
    for (const part of parts) yield JSON.parse(part);
  }
}

function address(path, parameters) {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    for (const each of [value].flat()) if (each !== "" && each !== null && each !== undefined) query.append(name, each);
  }
  return query.size ? `${path}?${query}` : path;
}

async function answered(response) {
  const text = await response.text();
  let data = null;
  try { data = JSON.parse(text); } catch { data = { error: text }; }
  if (!response.ok) throw new Error([data.error, data.hint].filter(Boolean).join("; ") || `error ${response.status}`);
  return data;
}

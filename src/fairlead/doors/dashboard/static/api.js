export async function get(path, parameters = {}) {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    for (const each of [value].flat()) if (each !== "" && each !== null && each !== undefined) query.append(name, each);
  }
  return answered(await fetch(query.size ? `${path}?${query}` : path, { credentials: "same-origin" }));
}

export async function post(path, body) {
  return answered(await fetch(path, {
    method: "POST",
    credentials: "same-origin",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  }));
}

async function answered(response) {
  const text = await response.text();
  let data = null;
  try { data = JSON.parse(text); } catch { data = { error: text }; }
  if (!response.ok) throw new Error([data.error, data.hint].filter(Boolean).join("; ") || `error ${response.status}`);
  return data;
}

"""What came of each switch against managed settings: docs/managed-proved.json, the table in docs/managed.md.

A run replaces the clients that it drove, and leaves all others alone.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

FILE = Path(__file__).parents[2] / "docs" / "managed-proved.json"
PAGE = "docs/managed.md"
BEGIN = "<!-- made by `make test-managed` from docs/managed-proved.json -->\n"
TITLES: Mapping[str, str] = {
    "claude": "Claude Code",
    "codex": "Codex",
    "gemini": "Gemini CLI",
    "qwen": "Qwen Code",
    "copilot": "Copilot CLI",
    "opencode": "OpenCode",
}
Records = Mapping[str, Mapping[str, object]]


def read(file: Path = FILE) -> dict[str, dict[str, object]]:
    found: dict[str, dict[str, object]] = json.loads(file.read_text()) if file.exists() else {}
    return found


def write(
    rows: Mapping[str, Mapping[str, str]], versions: Mapping[str, str], date: str, file: Path = FILE
) -> None:
    """`rows`: by client and switch, what came of it."""
    records = read(file)
    for client, tried in rows.items():
        records[client] = {"version": versions[client], "date": date, "rows": dict(tried)}
    kept = {client: records[client] for client in TITLES if client in records}
    file.write_text(json.dumps(kept, indent=1, ensure_ascii=False) + "\n")


def table(records: Records) -> str:
    lines = ["| agent | tried against the installed form | the forbidden call |\n", "|---|---|---|\n"]
    for client, title in TITLES.items():
        record = records.get(client)
        if record is None:
            lines.append(f"| {title} | | not proved |\n")
            continue
        name = f"{title} {record['version']}, {record['date']}"
        rows = record["rows"]
        assert isinstance(rows, dict)
        for switch, came in rows.items():
            shown = f"**{came}**" if came.startswith("open") else came
            lines.append(f"| {name} | `{switch}` | {shown} |\n")
            name = ""
    return "".join(lines)

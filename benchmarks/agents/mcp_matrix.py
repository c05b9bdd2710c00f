"""What the MCP door showed with real clients and servers: docs/mcp-proved.json, and the table in docs/mcp.md.

A run replaces the rows that it went through, of the clients that it drove, and leaves all others alone.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from fairlead.model.value import Value

FILE = Path(__file__).parents[2] / "docs" / "mcp-proved.json"
PAGE = "docs/mcp.md"
BEGIN = "<!-- made by `make test-clients` from docs/mcp-proved.json -->\n"
CLIENTS: Mapping[str, str] = {
    "claude": "Claude Code",
    "codex": "Codex",
    "gemini": "Gemini CLI",
    "qwen": "Qwen Code",
    "copilot": "Copilot CLI",
    "opencode": "OpenCode",
}
ROWS = (
    *("protocol", "allowed", "refused", "rewritten", "redacted", "asked"),
    *("changed in a session", "changed at a start", "change approved"),
    *("server killed", "client killed", "1 MB", "16 MB"),
)
"""In the order in which they are shown. The tests of the clients say which they are about."""


class Cell(Value):
    """Of one row and one client."""

    model: str
    server: str
    journal: str


class Shown(Value):
    """Of one client."""

    version: str
    date: str
    rows: Mapping[str, Cell]


def read(file: Path = FILE) -> dict[str, Shown]:
    if not file.exists():
        return {}
    found: dict[str, dict[str, Any]] = json.loads(file.read_text())
    return {client: _shown(fields) for client, fields in found.items()}


def _shown(fields: Mapping[str, Any]) -> Shown:
    rows = {row: Cell(**cells) for row, cells in fields["rows"].items()}
    return Shown(fields["version"], fields["date"], rows)


def write(
    cells: Mapping[str, Mapping[str, Cell]], versions: Mapping[str, str], date: str, file: Path = FILE
) -> None:
    """`cells`: by client and row."""
    records = read(file)
    for client, rows in cells.items():
        before = records[client].rows if client in records else {}
        records[client] = Shown(versions[client], date, {**before, **rows})
    fields = {client: _fields(records[client]) for client in CLIENTS if client in records}
    file.write_text(json.dumps(fields, indent=1, ensure_ascii=False) + "\n")


def _fields(shown: Shown) -> dict[str, object]:
    rows = {
        row: {"model": cell.model, "server": cell.server, "journal": cell.journal}
        for row, cell in ((row, shown.rows[row]) for row in ROWS if row in shown.rows)
    }
    return {"version": shown.version, "date": shown.date, "rows": rows}


def table(records: Mapping[str, Shown]) -> str:
    """For docs/mcp.md: what each model saw, and what was the same for all of them."""
    clients = [client for client in CLIENTS if client in records]
    heads = [f"{CLIENTS[client]} {records[client].version}" for client in clients]
    lines = [_line("", "the server got", "the journal says", *heads), _line(*["---"] * (len(heads) + 3))]
    for row in ROWS:
        cells = {client: records[client].rows[row] for client in clients if row in records[client].rows}
        server = _same(cell.server for cell in cells.values())
        journal = _same(cell.journal for cell in cells.values())
        seen = [cells[client].model if client in cells else "not proved" for client in clients]
        lines.append(_line(row, server, journal, *seen))
    lines.append(_line("driven on", "", "", *(records[client].date for client in clients)))
    return "".join(lines)


def _same(said: Iterable[str]) -> str:
    return "; or ".join(dict.fromkeys(said))


def _line(*cells: str) -> str:
    return f"| {' | '.join(cells)} |\n"

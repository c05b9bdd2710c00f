"""The page about the door has the table of clients, as it is."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from fairlead.doors.mcp.setup.clients import McpClient, known_clients

PAGE = Path(__file__).parents[5] / "docs" / "mcp.md"
EVIDENCE = {
    "tried": "tried with the real client",
    "source": "read in source code",
    "documented": "documented",
}


def row(client: McpClient) -> str:
    lists = " or ".join(f"`{'.'.join(way)}`" for way in client.servers)
    cells = (listed(client.user), listed(client.project), lists, EVIDENCE[client.evidence])
    return f"| {client.title} (`{client.id}`) | {' | '.join(cells)} |"


def listed(paths: Iterable[str]) -> str:
    return "<br>".join(f"`{path}`" for path in paths) or "-"


def test_the_page_has_a_row_for_every_client() -> None:
    text = PAGE.read_text()
    assert [row(client) for client in known_clients().values() if row(client) not in text] == []

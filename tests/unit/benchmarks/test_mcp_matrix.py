"""What the MCP door showed with real clients: kept by row, and shown in docs/mcp.md."""

from __future__ import annotations

from pathlib import Path

from benchmarks.agents import mcp_matrix, tables
from benchmarks.agents.mcp_matrix import CLIENTS, ROWS, Cell

ONE = Cell("the reason", "nothing", "block")


def test_a_run_replaces_its_own_rows_and_keeps_all_others(tmp_path: Path) -> None:
    file = tmp_path / "proved.json"
    versions = {"claude": "2", "qwen": "3"}
    mcp_matrix.write(
        {"claude": {"refused": ONE, "allowed": ONE}, "qwen": {"refused": ONE}}, versions, "1", file
    )
    other = ONE.replace(model="nothing")
    mcp_matrix.write({"claude": {"refused": other}}, versions, "2", file)
    records = mcp_matrix.read(file)
    assert dict(records["claude"].rows) == {"refused": other, "allowed": ONE}
    assert (records["claude"].date, records["qwen"].date) == ("2", "1")
    assert dict(records["qwen"].rows) == {"refused": ONE}


def test_the_table_tells_once_what_is_the_same_for_all_and_names_what_was_not_proved(tmp_path: Path) -> None:
    file = tmp_path / "proved.json"
    other = ONE.replace(journal="ask")
    mcp_matrix.write(
        {"claude": {"refused": ONE}, "qwen": {"refused": other}}, {"claude": "2", "qwen": "3"}, "1", file
    )
    lines = mcp_matrix.table(mcp_matrix.read(file)).splitlines()
    assert lines[0] == "|  | the server got | the journal says | Claude Code 2 | Qwen Code 3 |"
    assert "| refused | nothing | block; or ask | the reason | the reason |" in lines
    assert "| allowed |  |  | not proved | not proved |" in lines


# --- what stands in the project now ---


def test_the_table_of_the_page_is_made_from_the_records() -> None:
    text = (tables.ROOT / mcp_matrix.PAGE).read_text()
    assert text.count(mcp_matrix.BEGIN) == text.count(tables.END) == 1
    assert text == tables.with_matrix(text), "run `python -m benchmarks.agents.tables`"


def test_every_row_was_proved_with_each_client_and_none_failed() -> None:
    records = mcp_matrix.read()
    assert records.keys() == CLIENTS.keys()
    for client, shown in records.items():
        assert list(shown.rows) == list(ROWS), client
        assert "FAILED" not in {cell.model for cell in shown.rows.values()}, client

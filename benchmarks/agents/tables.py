"""The tables in README.md, docs/agents.md, mcp.md and managed.md, made from what the last full run proved.

`python -m benchmarks.agents.tables` writes them; a test tells when they differ from the records.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from benchmarks.agents import managed_switches, mcp_matrix
from benchmarks.agents.clients import CLIENTS, agent_of
from benchmarks.agents.proved import ROWS, Proved, read
from fairlead.dialects.agent_registry import dialect_named
from fairlead.dialects.setup.installs import INSTALLS
from fairlead.model.event_name import EventName, event_named

ROOT = Path(__file__).parents[2]
BEGIN = "<!-- made by `make test-clients` from docs/agents-proved.json -->\n"
END = "<!-- until here -->\n"
TITLES: Mapping[str, str] = {
    "claude": "Claude Code",
    "codex": "Codex CLI",
    "gemini": "Gemini CLI",
    "qwen": "Qwen Code",
    "copilot": "Copilot CLI",
    "opencode": "OpenCode",
    "kimi": "Kimi Code",
    "factory": "Factory Droid",
    "cline": "Cline",
    "auggie": "Auggie",
    "kilo": "Kilo Code",
    "cursor": "Cursor",
    "vscode": "VS Code",
    "llxprt": "llxprt",
    "windsurf": "Windsurf",
    "kiro": "Kiro",
    "amp": "Amp",
    "antigravity": "Antigravity",
}
_UNTOLD: Mapping[str, str] = {"cline": "yes, but for MCP tools"}
"""Where a call is refused, but the model is not told why."""
_REFUSALS = ("shell", "write", "edit", "MCP")

Records = Mapping[str, Proved]


def driven() -> list[str]:
    return [agent_of(client) for client in CLIENTS]


def summary(records: Records) -> str:
    """For README: one line per agent that was driven, and one for all that were not."""
    lines = [
        _line("", "driven, on", "tests passed", "refuses, tells the model why", "ask a person", "rewrite"),
        _line(*["---"] * 6),
        *(_of(agent, records[agent]) for agent in driven() if agent in records),
        *(_waiting(agent) for agent in driven() if agent not in records),
    ]
    others = ", ".join(TITLES[agent] for agent in INSTALLS if agent not in driven())
    lines.append(
        _line(others, "not proved", "-", "by documentation and recordings", "some, or by code", "some")
    )
    return "".join(lines)


def _of(agent: str, record: Proved) -> str:
    passed = str(record.passed) if not record.failed else f"{record.passed}, **{record.failed} failed**"
    refuses = all(record.rows.get(row, {}).get("passed") for row in _REFUSALS)
    return _line(
        TITLES[agent],
        f"{record.version}, {record.date}",
        passed,
        _UNTOLD.get(agent, "yes") if refuses else "not proved",
        "yes" if _can(agent, "ask") else "by code",
        "yes" if _can(agent, "rewrite") else "refused",
    )


def _waiting(agent: str) -> str:
    """One that can be driven, and has not been through all of the tests yet."""
    return _line(TITLES[agent], f"{INSTALLS[agent].tried}, no full run yet", "-", "not proved", "-", "-")


def _can(agent: str, ability: str) -> bool:
    """Whether the gate before a tool can be told so, by the table that the answers are made from."""
    dialect = dialect_named(agent)
    gates = [event for event in dialect.events if event_named(event) is EventName.BEFORE_TOOL]
    return any(getattr(dialect.abilities(event), ability) for event in gates)


def details(records: Records) -> str:
    """For docs/agents.md: how many tests about each subject passed with each agent."""
    agents = [agent for agent in driven() if agent in records]
    rows: list[tuple[str, Callable[[Proved], str]]] = [
        ("version", lambda record: record.version),
        ("driven on", lambda record: record.date),
        *((row, _cell(row)) for row in ROWS),
        ("all, passed", lambda record: str(record.passed)),
        ("failed", lambda record: str(record.failed)),
        ("skipped", lambda record: str(record.skipped)),
    ]
    lines = [_line("", *(TITLES[agent] for agent in agents)), _line(*["---"] * (len(agents) + 1))]
    lines += [_line(name, *(show(records[agent]) for agent in agents)) for name, show in rows]
    return "".join(lines)


def _cell(row: str) -> Callable[[Proved], str]:
    return lambda record: record.cell(row)


def _line(*cells: str) -> str:
    return f"| {' | '.join(cells)} |\n"


PAGES: Mapping[str, Callable[[Records], str]] = {"README.md": summary, "docs/agents.md": details}


def with_table(text: str, table: str, begin: str = BEGIN) -> str:
    """The page with this table between its two marks."""
    before, _, rest = text.partition(begin)
    _, _, after = rest.partition(END)
    return f"{before}{begin}\n{table}\n{END}{after}"


def with_matrix(text: str) -> str:
    """docs/mcp.md with what the MCP door showed."""
    return with_table(text, mcp_matrix.table(mcp_matrix.read()), mcp_matrix.BEGIN)


def with_switches(text: str) -> str:
    """docs/managed.md with what came of each switch."""
    return with_table(text, managed_switches.table(managed_switches.read()), managed_switches.BEGIN)


def main() -> None:
    records = read()
    for name, make in PAGES.items():
        page = ROOT / name
        page.write_text(with_table(page.read_text(), make(records)))
    page = ROOT / mcp_matrix.PAGE
    page.write_text(with_matrix(page.read_text()))
    page = ROOT / managed_switches.PAGE
    page.write_text(with_switches(page.read_text()))


if __name__ == "__main__":
    main()

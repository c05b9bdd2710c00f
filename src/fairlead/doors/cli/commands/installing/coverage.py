"""`fairlead coverage`: printed from the table that the dialects answer by."""

from __future__ import annotations

import click

from fairlead.dialects.agent_registry import AGENTS, dialect_named
from fairlead.dialects.answers.abilities import Can
from fairlead.dialects.setup.installs import INSTALLS
from fairlead.doors.cli.given.agents import AGENT
from fairlead.doors.cli.output import say, say_lines, show_json
from fairlead.doors.cli.presentation.tables import Column, table
from fairlead.doors.cli.presentation.wrapping import fields
from fairlead.model.event_name import EventName, event_named

COLUMNS = ("refuse", "ask", "approve", "rewrite", "context", "redact", "halt", "message")


@click.command()
@click.argument("agent", required=False, type=AGENT)
@click.option(
    "--managed", is_flag=True, help="Show what root can set for every user, and what gets round it."
)
@click.option("--json", "as_json", is_flag=True, help="As JSON.")
def command(agent: str | None, managed: bool, as_json: bool) -> None:
    """Show what each event of AGENT can be told; without AGENT, the gate before a tool of each agent.

    What an agent cannot be told becomes the nearest stronger thing: a question that cannot be asked, or a
    rewrite that cannot be made, is a refusal.

    \b
    Examples:
      fairlead coverage
      fairlead coverage codex --json
      fairlead coverage --managed
    """
    if managed:
        from fairlead.doors.cli.managed.coverage import show_managed

        show_managed(agent, as_json=as_json)
        return
    rows = _rows_of(agent) if agent else _gates()
    if as_json:
        show_json({name: {word: getattr(can, word) for word in COLUMNS} for name, can in rows.items()})
        return
    heads = (*(_EVENTS if agent else _HEADS), *_abilities(agent))
    cells = [
        [*((name,) if agent else name.split(" ", 1)), *(_cell(can, word) for word in COLUMNS)]
        for name, can in rows.items()
    ]
    say_lines(table(heads, cells))
    say()
    said = [(name, INSTALLS[name].unseen) for name in ([agent] if agent else AGENTS) if name in INSTALLS]
    say_lines(fields(said, indent=0))


def _abilities(agent: str | None) -> list[Column]:
    """Of one agent, the names of events take the room that a table of all agents has for the last column."""
    return [Column(word.upper(), spare=1 if agent and word == COLUMNS[-1] else 0) for word in COLUMNS]


_EVENTS = (Column("EVENT"),)
_HEADS = (Column("AGENT"), Column("EVENT", spare=1))


def _cell(can: Can, word: str) -> str:
    if word == "ask" and can.asks_itself:
        return "own"
    if word == "refuse" and can.turn_end:
        return "go on"
    return "yes" if getattr(can, word) else "-"


def _rows_of(agent: str) -> dict[str, Can]:
    dialect = dialect_named(agent)
    return {event: dialect.abilities(event) for event in dialect.events}


def _gates() -> dict[str, Can]:
    gates: dict[str, Can] = {}
    for agent in AGENTS:
        dialect = dialect_named(agent)
        event = next(event for event in dialect.events if event_named(event) is EventName.BEFORE_TOOL)
        gates[f"{agent} {event}"] = dialect.abilities(event)
    return gates

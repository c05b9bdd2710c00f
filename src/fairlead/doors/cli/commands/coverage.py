"""`fairlead coverage`: printed from the table that the dialects answer by."""

from __future__ import annotations

import click

from fairlead.dialects.agent_registry import AGENTS, canonical_agent, dialect_named
from fairlead.dialects.answers.abilities import Can
from fairlead.doors.cli.output import say, show_json
from fairlead.model.event_name import EventName, event_named

COLUMNS = ("refuse", "ask", "approve", "rewrite", "context", "redact", "halt", "message")
GAPS = {
    "claude": "files named with @, /skill typed by a person, and --bare or --safe-mode run no hooks",
    "codex": "hosted web search and input to a running process are not seen; `--disable hooks` runs none",
    "gemini": "a project's hooks need a trusted folder; no tool-call id, no permission mode",
    "qwen": "a later hook of somebody else that says allow overrides a deny; a result cannot be replaced",
    "copilot": "its timeouts always let the tool run; general-purpose subagents tell nothing",
    "opencode": "`--pure` runs no plugins; nothing can be said at the end of a turn",
    "kilo": "`--pure` runs no plugins; nothing can be said at the end of a turn",
    "cursor": "files that are already open, and the first read-only turns of a cloud agent, are not seen",
    "vscode": "matchers are ignored; a result cannot be replaced",
    "cline": "failures let the tool run; a refused MCP call ends the run without a word, and so does every "
    "refused call beside a hook of somebody else",
    "windsurf": "only exit codes: no question, no rewrite, no context",
    "kiro": "only exit codes before a tool and a prompt",
    "kimi": "only exit codes; failures let the tool run, and one wrong entry drops every hook",
    "amp": "known from its own documentation only; headless runs must wait for plugins",
    "auggie": "Augment's service can switch hooks off; with --print, what is said at a prompt, at the start "
    "of a session and at the end of a turn has no effect",
    "antigravity": "its hook protocol is known from reports only",
    "llxprt": "hooks are off until two settings switch them on; install does",
    "factory": "a neighbour that stands first and says allow undoes a rewrite; `exec` runs no prompt hooks",
}


@click.command()
@click.argument("agent", required=False)
@click.option("--json", "as_json", is_flag=True, help="As JSON.")
def command(agent: str | None, as_json: bool) -> None:
    """Show what each event of AGENT can be told; without AGENT, the gate before a tool of each agent.

    What an agent cannot be told becomes the nearest stronger thing: a question that cannot be asked, or a
    rewrite that cannot be made, is a refusal.
    """
    rows = _rows_of(canonical_agent(agent)) if agent else _gates()
    if as_json:
        show_json({name: {word: getattr(can, word) for word in COLUMNS} for name, can in rows.items()})
        return
    width = max(len(name) for name in rows)
    say(f"{'':<{width}}  {'  '.join(COLUMNS)}")
    for name, can in rows.items():
        cells = "  ".join(f"{_cell(can, word):<{len(word)}}" for word in COLUMNS)
        say(f"{name:<{width}}  {cells}".rstrip())
    for name in [canonical_agent(agent)] if agent else AGENTS:
        if name in GAPS:
            say(f"\n{name}: {GAPS[name]}" if agent else f"{name}: {GAPS[name]}")


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

"""A page for each agent, and the table that compares them: from its module, what was proved, and notes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from benchmarks.agents.proved import Proved, read
from benchmarks.agents.tables import TITLES, driven
from fairlead.dialects.agent_registry import dialect_named
from fairlead.dialects.answers.abilities import Can
from fairlead.dialects.setup.description import HookFile, Setup, Switch
from fairlead.dialects.setup.installs import INSTALLS
from fairlead.model.event_name import EventName, event_named
from handbook.markdown import block, code, sentence, table

NOTES = Path(__file__).parent / "notes"
ABILITIES = (
    ("refuse", "refuse"),
    ("ask", "ask"),
    ("approve", "approve"),
    ("rewrite", "rewrite"),
    ("context", "context"),
    ("redact", "result"),
    ("halt", "stop"),
    ("message", "message"),
)
_BROKEN = {
    "runs": "the agent runs the call anyway; Fairlead's client therefore always answers before the agent stops waiting",
    "refused": "the agent refuses the call",
    "refused if told": "the agent refuses the call, because `install` sets the option that tells it to",
    "unknown": "not known",
}
_STARTED = {
    "shell": "`sh -c` or `bash -c`",
    "login shell": "your own login shell",
    "unknown": "not known, so `install` writes the bare command",
    "plugin": "a plugin inside the agent, in JavaScript",
}
_BASES = {"home": "~", "config": "~/.config", "preferences": "~/.config"}
_COMPARED = """# Agents compared

What Fairlead can do at each agent's hook before a tool runs. The pages of the agents have the same for every event. `fairlead coverage` prints these tables in your terminal.

- **refused**: what an agent cannot express becomes the nearest stronger answer, never a weaker one. A rewrite that cannot be delivered becomes a refusal that shows the call as it should be. Every such step is recorded with the call, and `fairlead explain` shows it.
- **by code**: the agent cannot ask. Fairlead refuses the call with a one-time code; `fairlead approve CODE` in a terminal of your own lets the same call through.
- **some tools**: the agent has several hooks before a tool, and not all of them take this answer.

"""


def agent_pages() -> dict[str, str]:
    records = read()
    pages = {
        f"agents/{agent}.md": _page(agent, setup, records.get(agent)) for agent, setup in INSTALLS.items()
    }
    return {"reference/agents.md": _COMPARED + _compared(), **pages}


def _compared() -> str:
    rows = [
        (
            f"[{TITLES[agent]}](../agents/{agent}.md)",
            setup.tried or "not proved",
            _before_a_tool(agent, "refuse", otherwise="-"),
            _before_a_tool(agent, "ask", otherwise="by code"),
            _before_a_tool(agent, "rewrite", otherwise="refused"),
            *(_where(agent, ability) for ability in ("context", "redact", "halt")),
        )
        for agent, setup in INSTALLS.items()
    ]
    heads = ("agent", "driven with", "refuse", "ask", "rewrite", "add context", "replace a result", "stop")
    return table(heads, rows)


def _before_a_tool(agent: str, ability: str, *, otherwise: str) -> str:
    """Agents may have several events before a tool, for several kinds of tools."""
    dialect = dialect_named(agent)
    gates = [event for event in dialect.events if event_named(event) is EventName.BEFORE_TOOL]
    able = [getattr(dialect.abilities(event), ability) for event in gates]
    if all(able):
        return "yes"
    return f"some tools, else {otherwise}" if any(able) else otherwise


def _yes(can: bool) -> str:
    return "yes" if can else "-"


def _where(agent: str, ability: str) -> str:
    """The events that take it, by our names."""
    dialect = dialect_named(agent)
    found = {event_named(each).value for each in dialect.events if getattr(dialect.abilities(each), ability)}
    if not found:
        return "-"
    return f"{len(found)} events" if len(found) > 4 else ", ".join(sorted(found))


def _page(agent: str, setup: Setup, record: Proved | None) -> str:
    return "\n".join(
        [
            f"# {TITLES[agent]}\n",
            f"Guard {TITLES[agent]} with two commands; the third shows the result:\n",
            block(f"$ fairlead install {agent}\n$ fairlead doctor {agent}\n$ fairlead status", "console"),
            _proof(agent, record),
            f"\n{_note(setup)}" if setup.note else "",
            "## What `install` writes\n",
            table(("for you", "for one project (`--project`)"), map(_file, setup.files)),
            *_moved(setup),
            "[What else is installed, and how it stays](../install.md) is the same for every agent.\n",
            "## What it can do\n",
            "`install` writes the events marked in the last column into the settings. Fairlead understands the others if you add them. **context** adds text for the model, **result** replaces a tool's result, **stop** ends the turn or the session, **message** shows you something.\n",
            table(("event", *(title for _, title in ABILITIES), "installed"), _events(agent, setup)),
            "Before a tool, an answer that the agent cannot express becomes [the nearest stronger one]"
            "(../reference/agents.md). Elsewhere it is dropped, and the journal says so.\n",
            "## When a hook breaks\n",
            f"- Who starts the command: {_STARTED[setup.started_by]}.",
            f"- A hook that crashes, hangs or prints what {TITLES[agent]} cannot read: {_BROKEN[setup.broken]}.\n",
            "## What switches its hooks off\n",
            "".join(_off(setup)),
            *_limits(agent, setup),
            *_tests(record),
        ]
    ).replace("\n\n\n", "\n\n")


def _proof(agent: str, record: Proved | None) -> str:
    if record is None:
        return "**Not proved.** " + (
            "It can be driven by the tests, and has not been through all of them yet.\n"
            if agent in driven()
            else "Nobody here has run it with Fairlead: this page follows its documentation, its source, or recorded "
            "payloads. `fairlead doctor` tries the installed command, not the agent itself.\n"
        )
    return (
        f"**Proved** on {record.date} with version {record.version}: the real program, set up by `fairlead install` "
        f"alone, passed {record.passed} tests against a scripted model. `fairlead doctor` repeats the heart of "
        "them on your machine: the agent itself makes a forbidden and a harmless call.\n"
    )


def _note(setup: Setup) -> str:
    return f"**Note.** {sentence(setup.note)}\n"


def _file(file: HookFile) -> tuple[str, str]:
    folder = f"{_BASES[file.base]}/{file.folder}"
    name = f"/{file.name}" if file.name else "/*"
    project = file.project + ("" if file.name else "/*") if file.project else ""
    return code(folder + name) + _read_when(file), code(project) if project else "-"


def _read_when(file: HookFile) -> str:
    return {
        "always": "",
        "with folder": ", where that folder is there",
        "with file": ", where that file is there",
        "unless older": ", unless only the older file above is there",
    }[file.read]


def _moved(setup: Setup) -> Iterator[str]:
    variables = [file.variable for file in setup.files if file.variable]
    variables += ["XDG_CONFIG_HOME" for file in setup.files if file.base == "config" and not file.variable]
    if variables:
        yield f"{' and '.join(map(code, variables))} moves the file; `install` follows it.\n"
    if setup.reviewed_in:
        yield f"`install` also writes the agent's own record of a review into `{setup.reviewed_in}` beside it.\n"


def _events(agent: str, setup: Setup) -> Iterator[tuple[str, ...]]:
    dialect = dialect_named(agent)
    for event in dialect.events:
        can = dialect.abilities(event)
        cells = [_cell(can, ability) for ability, _ in ABILITIES]
        yield code(event), *cells, _yes(event in (setup.events or dialect.events))


def _cell(can: Can, ability: str) -> str:
    if ability == "ask" and can.asks_itself:
        return "own prompt"
    if ability == "refuse" and can.turn_end:
        return "go on"
    return _yes(getattr(can, ability))


def _off(setup: Setup) -> Iterator[str]:
    if not (setup.switches or setup.left_out):
        yield "No setting of a project is known that does.\n"
        return
    yield (
        "Each of these turns every hook off, ours included. The guard keeps agents from writing them, and "
        "`fairlead doctor` finds them.\n\n"
    )
    yield table(("file", "setting", "switches off when"), map(_switch, setup.switches))
    for file in setup.left_out:
        yield f"\n`{file}` can also hold a list of hooks that are left out, one by one.\n"


def _switch(switch: Switch) -> tuple[str, str, str]:
    file = f"~/{switch.file}" if switch.of_user else switch.file
    return code(file), code(".".join(switch.setting)), code(str(switch.off).lower())


def _limits(agent: str, setup: Setup) -> Iterator[str]:
    notes = NOTES / f"{agent}.md"
    own = notes.read_text(encoding="utf-8") if notes.exists() else ""
    if setup.unseen or own:
        yield "## Limits\n"
        yield f"- {sentence(setup.unseen)}\n{own}" if setup.unseen else own


def _tests(record: Proved | None) -> Iterator[str]:
    if record is not None:
        yield "## What the tests proved\n"
        yield "A dash: that was not tried with this agent. [What each row means](../agents.md#what-was-proved).\n"
        yield table(("about", "passed"), [(row, record.cell(row)) for row in record.rows])

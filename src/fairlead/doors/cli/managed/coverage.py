"""Which agents take orders from root, and by which switch each can still be started without Fairlead."""

from __future__ import annotations

import json
from collections.abc import Sequence

from fairlead.dialects.managed.forms import Lock, Managed, WayRound
from fairlead.dialects.setup.installs import INSTALLS
from fairlead.doors.cli.managed.standing import forms_here
from fairlead.doors.cli.output import say, say_lines, show_json
from fairlead.doors.cli.presentation.tables import Column, table
from fairlead.doors.cli.presentation.wrapping import fields
from fairlead.platforms import here
from fairlead.settings.formats.json_edit import Forced

_HEADS = (Column("AGENT"), Column("TRIED", spare=1), Column("STARTS WITHOUT US BY", prose=True))
_NONE = "nothing that was tried"
_UNKNOWN = "unknown: its form stands in its documentation alone"
_UNMANAGED = "anything: no settings of it are known that only root writes"
_UNTRIED = "the places are by the agents' sources and documentation: all that was tried was tried on Linux."
_ALWAYS = (
    "others",
    "whoever has a shell can start an agent of their own, or a version that was never tried, which asks "
    "nobody: only the calls that never came tell of it.",
)


def show_managed(agent: str | None, *, as_json: bool) -> None:
    forms = forms_here()
    rows = {name: forms.get(name) for name in ([agent] if agent else INSTALLS)}
    if as_json:
        show_json({name: _json(managed) for name, managed in rows.items()})
        return
    say_lines(
        table(
            _HEADS,
            [[name, managed.tried if managed else "", _words(managed)] for name, managed in rows.items()],
        )
    )
    say()
    if here.SYSTEM != "linux":
        say_lines(fields([(here.SYSTEM, _UNTRIED)], indent=0))
    told = [(name, f"{each.path}{_locks(each)}") for name, each in rows.items() if each is not None]
    say_lines(fields([*told, _ALWAYS], indent=0))


def _words(managed: Managed | None) -> str:
    if managed is None:
        return _UNMANAGED
    if not managed.tried:
        return _UNKNOWN
    return "; ".join(f"{way.switch} ({_who(way)})" for way in managed.ways_round) or _NONE


def _who(way: WayRound) -> str:
    return f"{way.by}; not with --second-line" if way.second_line_closes else way.by


def _locks(managed: Managed) -> str:
    locks = ", ".join(f"{name} = {json.dumps(value)}" for name, value in _forced(managed.locks).items())
    return f", locked by {locks}" if locks else ""


def _forced(locks: Sequence[Lock]) -> dict[str, object]:
    return {
        ".".join(lock.pointer): lock.value if isinstance(lock, Forced) else list(lock.texts) for lock in locks
    }


def _json(managed: Managed | None) -> dict[str, object] | None:
    if managed is None:
        return None
    return {
        "path": managed.path,
        "tried": managed.tried,
        "second_line": managed.second or None,
        "locks": _forced(managed.locks),
        "managed_only": _forced(managed.only),
        "ways_round": [
            {"switch": way.switch, "by": way.by, "second_line_closes": way.second_line_closes}
            for way in managed.ways_round
        ],
    }

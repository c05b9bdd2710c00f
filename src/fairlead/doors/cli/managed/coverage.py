"""Which agents take orders from root, and by which switch each can still be started without Fairlead."""

from __future__ import annotations

from fairlead.dialects.managed.forms import MANAGED, Managed
from fairlead.dialects.setup.installs import INSTALLS
from fairlead.doors.cli.output import say, say_lines, show_json
from fairlead.doors.cli.presentation.tables import Column, table
from fairlead.doors.cli.presentation.wrapping import fields

_HEADS = (Column("AGENT"), Column("TRIED", spare=1), Column("STARTS WITHOUT US BY", prose=True))
_NONE = "nothing that was tried"
_UNKNOWN = "unknown: its form stands in its documentation alone"
_UNMANAGED = "anything: no settings of it are known that only root writes"
_ALWAYS = (
    "others",
    "whoever has a shell can start an agent of their own, or a version that was never tried, which asks "
    "nobody: only the calls that never came tell of it.",
)


def show_managed(agent: str | None, *, as_json: bool) -> None:
    rows = {name: MANAGED.get(name) for name in ([agent] if agent else INSTALLS)}
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
    told = [(name, f"{each.path}{_locks(each)}") for name, each in rows.items() if each is not None]
    say_lines(fields([*told, _ALWAYS], indent=0))


def _words(managed: Managed | None) -> str:
    if managed is None:
        return _UNMANAGED
    if not managed.tried:
        return _UNKNOWN
    return "; ".join(f"{way.switch} ({way.by})" for way in managed.ways_round) or _NONE


def _locks(managed: Managed) -> str:
    locks = ", ".join(f"{'.'.join(lock.pointer)} = {str(lock.value).lower()}" for lock in managed.locks)
    return f", locked by {locks}" if locks else ""


def _json(managed: Managed | None) -> dict[str, object] | None:
    if managed is None:
        return None
    return {
        "path": managed.path,
        "tried": managed.tried,
        "locks": {".".join(lock.pointer): lock.value for lock in managed.locks},
        "managed_only": {".".join(lock.pointer): lock.value for lock in managed.only},
        "ways_round": [{"switch": way.switch, "by": way.by} for way in managed.ways_round],
    }

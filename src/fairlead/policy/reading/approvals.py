"""What policies list under `approve:`: one list for a call, whichever files and layers its items stand in."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from fairlead.model.event_name import EventName
from fairlead.model.value import Value
from fairlead.policy.layering.defaults import LAYER as BUILTIN
from fairlead.policy.reading.document import Marked
from fairlead.policy.reading.entry import Entry
from fairlead.policy.reading.problem import WARNING, Problem
from fairlead.policy.reading.report import Report
from fairlead.policy.reading.schema import MAPPING, TEXT

GUARD = "approve-safe-operations"
"""The hook that approves; its `config` has the list, and is put together here."""
KEY = "commands"
_EVENTS = (EventName.BEFORE_TOOL, EventName.TOOL_PERMISSION)
_ITEM_KEYS = ("command", "program", "subcommand", "in")
_HINT = '"npm test", {program: npm, subcommand: test}, or {command: npm test, in: /the/project}'


class Approval(Value):
    """One item, and where it stands. What it means is found by the hook."""

    item: object
    path: str
    line: int
    layer: str

    def problem(self, message: str, hint: str) -> Problem:
        return Problem(self.path, self.line, 1, message, hint, WARNING)

    @property
    def shown(self) -> str:
        if isinstance(self.item, dict):
            words = [str(self.item[key]) for key in _ITEM_KEYS[:-1] if key in self.item]
            further = [] if "command" in self.item else ["*"]
            where = [f"(in {self.item['in']})"] if "in" in self.item else []
            return " ".join((*words, *further, *where))
        return str(self.item)


def read_approvals(
    node: Marked, event: EventName | None, path: str, layer: str, report: Report
) -> tuple[Approval, ...]:
    if event not in _EVENTS:
        report.add(node, "`approve` is about tool calls", "event: PreToolUse", WARNING)
        return ()
    for item in node.items:
        keys = [str(key.plain) for key, _ in item.pairs] if item.kind == MAPPING else []
        if item.kind not in (TEXT, MAPPING) or not set(keys) <= set(_ITEM_KEYS):
            report.add(item, "an item of `approve` is a command", _HINT)
    return tuple(Approval(item.plain, path, item.line, layer) for item in node.items)


def not_trusted(approvals: Iterable[Approval]) -> list[Problem]:
    """Law 9: a project that nobody trusted approves nothing, and it is told."""
    hint = "read it, then run `fairlead trust`"
    return [
        each.problem(f"`approve: {each.shown}` is not heeded: this project is not trusted", hint)
        for each in approvals
    ]


def with_approvals(
    entries: Sequence[Entry], approvals: Sequence[Approval]
) -> tuple[list[Entry], list[Problem]]:
    """The entries, of which the one that approves is on and has every item. Whoever turned it off, or locked
    it as it is, has the last word, and that is told."""
    if not approvals:
        return list(entries), []
    changed: list[Entry] = []
    problems: dict[str, Problem] = {}
    for entry in entries:
        if entry.id != GUARD or entry.event not in _EVENTS:
            changed.append(entry)
        elif entry.locked or (entry.layer != BUILTIN and not entry.enabled):
            changed.append(entry)
            hint = f"it is off or locked by {entry.origin}"
            problems |= {each.shown: each.problem("`approve` is not heeded", hint) for each in approvals}
        else:
            changed.append(_listing(entry, approvals))
    return changed, list(problems.values())


def _listing(entry: Entry, approvals: Sequence[Approval]) -> Entry:
    """With what the entry lists itself; an entry that was named without a list means what it always means."""
    own = entry.config.get(KEY)
    listed = list(own) if isinstance(own, list | tuple) else []
    if own is None and entry.layer != BUILTIN:
        listed = ["starter/read-only", "starter/git-read"]
    items = [*listed, *(each.item for each in approvals)]
    last = approvals[-1]
    origin = {} if entry.layer != BUILTIN else {"layer": last.layer, "file": last.path, "line": last.line}
    return entry.replace(enabled=True, config={**entry.config, KEY: items}, **origin)

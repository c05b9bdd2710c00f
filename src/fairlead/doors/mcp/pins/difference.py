"""What changed in a definition, place by place, as text that hides nothing."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from difflib import ndiff

from fairlead.doors.mcp.pins.definition import Definition
from fairlead.doors.mcp.pins.item import Item
from fairlead.doors.mcp.pins.visible import in_one_line, visible
from fairlead.model.value import Value

_LONGEST_LINE = 2000
_MOST_LINES = 400
_AROUND = 1
"""Lines of a long text that are shown beside a changed one."""


class Change(Value):
    """`before` and `after` are texts; None where there is nothing at that place."""

    where: str
    before: str | None
    after: str | None


def changes_of(item: Item) -> list[Change]:
    """Between what is pinned and what waits; of what was never pinned, everything."""
    if item.waiting is None:
        return []
    return changes(item.pinned, item.waiting.definition)


def changes(before: Definition | None, after: Definition) -> list[Change]:
    old = dict(_leaves(before.members)) if before else {}
    new = dict(_leaves(after.members))
    places = [*new, *(where for where in old if where not in new)]
    return [
        Change(where, old.get(where), new.get(where)) for where in places if old.get(where) != new.get(where)
    ]


def _leaves(value: object, where: str = "") -> Iterator[tuple[str, str]]:
    if isinstance(value, Mapping) and value:
        for key, part in value.items():
            yield from _leaves(part, f"{where}.{key}" if where else str(key))
    elif isinstance(value, list) and value:
        for number, part in enumerate(value):
            yield from _leaves(part, f"{where}[{number}]")
    else:
        yield where, value if isinstance(value, str) else json.dumps(value)


def lines_of(item: Item) -> list[str]:
    """For a person: each place, what stood there and what stands there now, and why it is held back."""
    assert item.waiting is not None
    lines: list[str] = []
    for change in changes_of(item):
        lines.append(f"  {in_one_line(change.where)}")
        lines += [f"    {line}" for line in _texts(change)]
    if not item.waiting.definition.content:
        lines.append("  the definition is too long to be kept; look at it where the server comes from")
    elif item.pinned is not None and not item.pinned.content:
        lines.append("  what was pinned was too long to be kept, so all of it is shown")
    for finding in item.waiting.findings:
        lines.append(f"  ! {finding.shape} at {finding.where}: {finding.why}")
        lines.append(f"      {finding.text}")
    lines += [f"  ! {hint} promises less harm than before" for hint in item.waiting.milder]
    left = len(lines) - _MOST_LINES
    return [*lines[:_MOST_LINES], f"  and {left} more lines"] if left > 0 else lines


def _texts(change: Change) -> list[str]:
    if change.before is None or change.after is None:
        mark, text = ("+", change.after) if change.before is None else ("-", change.before)
        return [f"{mark} {_cut(line)}" for line in (text or "").split("\n")]
    marked = [line for line in ndiff(change.before.split("\n"), change.after.split("\n")) if line[0] != "?"]
    near = [
        any(other[0] != " " for other in marked[max(0, at - _AROUND) : at + _AROUND + 1])
        for at in range(len(marked))
    ]
    return [f"{line[0]} {_cut(line[2:])}" for line, kept in zip(marked, near, strict=True) if kept]


def _cut(line: str) -> str:
    return visible(line, most=_LONGEST_LINE)

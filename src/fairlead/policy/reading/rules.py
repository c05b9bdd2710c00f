"""`rules` of a file: each becomes an entry of its own, for the built-in that applies it."""

from __future__ import annotations

from fairlead.model.hook import HookType
from fairlead.policy.reading.document import Marked
from fairlead.policy.reading.entry import Entry
from fairlead.policy.reading.problem import failure_of
from fairlead.policy.reading.report import Report, read_fields, report_flaws
from fairlead.policy.reading.schema import MAPPING, RULE, RULE_KEYS

_SAYS_WHAT = ("program", "subcommand", "argument", "branch", "effect", "place", "path", "tool")


def rule_entry(node: Marked, shared: Entry, number: int, report: Report) -> Entry:
    """The entry of one rule. Whatever is wrong with it stays within it."""
    plain: dict[str, object] = {}
    spots: dict[str, tuple[int, int]] = {}
    if node.kind != MAPPING:
        report.add(node, "a rule is a mapping", "start it with `- id:`")
    else:
        fields, written = read_fields(node, RULE_KEYS, report)
        for value in fields.values():
            report_flaws(value, report)
        plain = {name: value.plain for name, value in fields.items()}
        spots = {name: (key.line, key.column) for name, key in written.items()}
        _check_whole(node, set(written), report)
    name = str(plain.get("id") or f"rule-{number}")
    entry = shared.replace(
        id=name,
        type=HookType.SAFETY,
        builtin=RULE,
        line=node.line,
        enabled=plain.pop("enabled", True) is not False,
        locked=plain.pop("locked", False) is True,
        mode=str(plain.pop("mode", shared.mode)),
        config={"rule": {**plain, "id": name}},
        spots={**shared.spots, **spots, "type": (node.line, 1), "config": (node.line, node.column)},
    )
    return entry.replace(broken=failure_of(report.errors)) if report.errors else entry


def _check_whole(node: Marked, written: set[str], report: Report) -> None:
    if "id" not in written:
        report.add(node, "missing key 'id'", f"add {RULE_KEYS['id'].example}")
    if written.isdisjoint(_SAYS_WHAT):
        report.add(node, "the rule is about nothing", f"give one of: {', '.join(_SAYS_WHAT)}")
    if "stops" not in written:
        report.add(node, "the rule has no example of what it stops", f"add {RULE_KEYS['stops'].example}")

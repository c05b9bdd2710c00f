"""`hooks/managed.yaml`: what no local person may do, and what no stronger layer may loosen.

    forbid: [off, allow, trust, approve]
    lock: [block-dangerous-commands, secrets]
    break_glass: {codes: [1-SALT-PUBLIC, ...], minutes: 60, people: [alice]}

It counts in the layers `system` and `fleet`, and nowhere else. A file that cannot be read forbids everything
and locks everything: it was meant to hold something.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from fairlead.errors import PolicyError
from fairlead.model.value import Value
from fairlead.policy.find import read_file
from fairlead.policy.managed.plain import is_plain
from fairlead.policy.mode import Spot
from fairlead.policy.reading.document import Marked, UnreadableFileError, parse_document
from fairlead.policy.reading.problem import Problem
from fairlead.policy.reading.report import Report, read_fields
from fairlead.policy.reading.schema import FLAG, LIST, MAPPING, NUMBER, TEXT, Key, suggestion

FILE_NAME = "managed.yaml"
LAYERS = ("system", "fleet")
OFF, ALLOW, TRUST, APPROVE = FORBIDDABLE = ("off", "allow", "trust", "approve")
EVERYTHING = "*"
"""As a lock: of a file that cannot be read."""
_MAX_BYTES = 65536
_MOST_MINUTES = 24 * 60
_ENTRIES = {
    name: re.compile(rf"{kind}-[0-9a-f]{{16}}-[0-9a-f]{{64}}")
    for name, kind in (("codes", 1), ("answers", 2))
}
"""As `policy/glass/codes.py` writes them; no code and no answer can be found from them."""
MANAGED_KEYS: Mapping[str, Key] = {
    "forbid": Key((LIST,), "forbid: [off, allow]", meaning="what no local person may do"),
    "lock": Key((LIST,), "lock: [secrets]", meaning="entries, packs and rules that nobody may loosen"),
    "break_glass": Key(
        (MAPPING,), "break_glass: {codes: [...], minutes: 60}", meaning="codes that switch it off for a while"
    ),
}
GLASS_KEYS: Mapping[str, Key] = {
    "codes": Key((LIST,), "codes: [1-5f0c...-2c26...]", meaning="what `fairlead bundle codes` says of each"),
    "answers": Key((LIST,), "answers: [2-5f0c...-2c26...]", meaning="what `bundle answer-keys` says of each"),
    "minutes": Key((NUMBER,), "minutes: 60", meaning="for how long one code or answer counts"),
    "people": Key((LIST,), "people: [alice]", meaning="names of users; without it, every user"),
}


class BreakGlass(Value):
    """One-time codes, and keys for answers, as they are kept; for how long each counts, and whose they are
    (none: everybody's)."""

    codes: tuple[str, ...] = ()
    answers: tuple[str, ...] = ()
    minutes: int = 60
    people: tuple[str, ...] = ()

    def is_for(self, user: str) -> bool:
        return not self.people or user in self.people


class Managed(Value):
    """What all such files say together."""

    forbid: frozenset[str] = frozenset()
    lock: tuple[str, ...] = ()
    break_glass: tuple[BreakGlass, ...] = ()
    paths: tuple[str, ...] = ()
    spots: tuple[Spot, ...] = ()
    """Where each name of a lock stands."""

    def __bool__(self) -> bool:
        return bool(self.forbid or self.lock or self.break_glass)

    def forbids(self, deed: str) -> bool:
        return deed in self.forbid

    def and_also(self, other: Managed) -> Managed:
        return Managed(
            self.forbid | other.forbid,
            tuple(dict.fromkeys((*self.lock, *other.lock))),
            (*self.break_glass, *other.break_glass),
            (*self.paths, *other.paths),
            (*self.spots, *other.spots),
        )

    def locks(self, names: Iterable[str]) -> bool:
        """Whether one of these names, or the pack that it begins with, is locked."""
        if EVERYTHING in self.lock:
            return True
        return any(name in self.lock or name.partition("/")[0] in self.lock for name in names)

    def covers_exception(self, rule: str) -> bool:
        """Whether an exception from this rule, or from all of a pack, would loosen what is locked."""
        pack = rule.removesuffix("/*")
        inside = rule.endswith("/*") and any(name.startswith(f"{pack}/") for name in self.lock)
        own = rule.removeprefix("rules/")
        return inside or self.locks((rule, pack, own)) or not _JUDGES.isdisjoint(self.lock)


_JUDGES = frozenset({"block-dangerous-commands", "protect-sensitive-files"})
"""Where the judge itself is locked, so is every rule by which it judges."""
CLOSED = Managed(frozenset(FORBIDDABLE), (EVERYTHING,))


def read_managed(path: str) -> tuple[Managed, bytes, list[Problem]]:
    """Never raises for what the file says."""
    closed = CLOSED.replace(paths=(path,))
    try:
        content = read_file(path, _MAX_BYTES)
        if len(content) > _MAX_BYTES:
            raise PolicyError(f"it has more than {_MAX_BYTES} bytes")
        document = parse_document(content, path)
    except UnreadableFileError as error:
        return closed, b"", [error.problem]
    except (OSError, PolicyError) as error:
        hint = "make it readable for every user; until then everything is forbidden and locked"
        return closed, b"", [Problem(path, 0, 0, f"it cannot be read: {error}", hint)]
    report = Report(path)
    if document.kind != MAPPING:
        report.add(document, "this is a mapping", "forbid: [off]")
        return closed, content, report.problems
    managed = _managed(document, content, path, report)
    if not report.errors and not is_plain(content):
        hint = "write each key once, as in the documentation: the clients read it without a reader of YAML"
        report.add(document, "this is not written plainly, so it forbids and locks everything", hint)
    return (closed if report.errors else managed), content, report.problems


def _managed(document: Marked, content: bytes, path: str, report: Report) -> Managed:
    fields, _ = read_fields(document, MANAGED_KEYS, report)
    lock = fields["lock"].items if "lock" in fields else ()
    glass = fields.get("break_glass")
    return Managed(
        frozenset(_forbidden(fields.get("forbid"), content, report)),
        tuple(_texts(lock, "lock", report)),
        (_break_glass(glass, report),) if glass is not None else (),
        (path,),
        tuple(Spot(str(each.value), path, each.line, each.column) for each in lock),
    )


def _forbidden(given: Marked | None, content: bytes, report: Report) -> Iterable[str]:
    for item in given.items if given is not None else ():
        word = _as_written(item, content)
        if word not in FORBIDDABLE:
            hint = suggestion(word, FORBIDDABLE, otherwise=f"one of: {', '.join(FORBIDDABLE)}")
            report.add(item, f"{word!r} is nothing that can be forbidden", hint)
        yield word


def _as_written(item: Marked, content: bytes) -> str:
    """YAML takes a bare `off` for false."""
    if item.kind != FLAG:
        return str(item.value)
    line = content.decode("utf-8").splitlines()[item.line - 1][item.column - 1 :]
    found = re.match(r"[A-Za-z]+", line)
    return found[0] if found else "?"


def _texts(items: Iterable[Marked], key: str, report: Report) -> Iterable[str]:
    known = {**MANAGED_KEYS, **GLASS_KEYS}
    for item in items:
        if item.kind != TEXT or not item.value:
            report.add(item, f"{key!r} takes names", f"for example {known[key].example}")
        yield str(item.value)


def _break_glass(given: Marked, report: Report) -> BreakGlass:
    fields, _ = read_fields(given, GLASS_KEYS, report)
    entries = {name: tuple(_entries(fields.get(name), name, report)) for name in _ENTRIES}
    if not any(entries.values()):
        report.add(given, "'break_glass' has no codes and no answers", "`fairlead bundle codes` makes some")
    people = fields["people"].items if "people" in fields else ()
    minutes = _minutes(fields["minutes"], report) if "minutes" in fields else BreakGlass().minutes
    return BreakGlass(**entries, minutes=minutes, people=tuple(_texts(people, "people", report)))


def _entries(given: Marked | None, name: str, report: Report) -> Iterable[str]:
    for item in given.items if given is not None else ():
        if item.kind != TEXT or not _ENTRIES[name].fullmatch(str(item.value)):
            made = "codes" if name == "codes" else "answer-keys"
            report.add(item, "this is not how a code is kept", f"`fairlead bundle {made}` makes these lines")
        yield str(item.value)


def _minutes(given: Marked, report: Report) -> int:
    if isinstance(given.value, int) and 0 < given.value <= _MOST_MINUTES:
        return given.value
    report.add(given, f"'minutes' is a whole number from 1 to {_MOST_MINUTES}", "minutes: 60")
    return BreakGlass().minutes

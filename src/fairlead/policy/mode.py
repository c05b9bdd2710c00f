"""`hooks/mode.yaml` of a layer: whether its owner only wants to watch for now.

    mode: audit
    since: 2026-11-16
    enforce: [secrets, git]
    audit: [git/force-push]
    recover: pass
    snapshot: session
    pins: ask-first

It holds for every entry that says nothing else itself. What it names under `enforce` (packs, rules, entries)
counts whatever others say of it: `fairlead promote` adds to that. What it names under `audit` is only
watched, unless another layer enforces it: `fairlead audit` adds to that. `recover` says what becomes of a
loss in the project that was saved first; then other losses there are saved, too. `snapshot: session` saves
the work of the project when a session starts. `pins` says what becomes of an MCP server that nobody looked
at; of two layers the stricter word counts. A project has no such file: a repository must not be able to
take the guard's teeth.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence

from fairlead.errors import PolicyError
from fairlead.model.hook import AUDIT, ENFORCE, HookType
from fairlead.model.value import Value
from fairlead.policy.find import read_file
from fairlead.policy.places import write_private
from fairlead.policy.reading.entry import Entry
from fairlead.policy.reading.problem import WARNING, Problem
from fairlead.policy.reading.schema import LIST, MAPPING, MODES, TEXT, Key

TYPE_CHECKING = False
if TYPE_CHECKING:
    from datetime import date

FILE_NAME = "mode.yaml"
A_WEEK = 7
"""Days after which the person is reminded."""
_MAX_BYTES = 16384
RECOVERING = ("pass", "ask", "block")
AT_SESSION_START, NEVER = "session", "never"
WATCH, FIRST_SIGHT, ASK_FIRST = PINNING = ("watch", "first-sight", "ask-first")
"""What becomes of definitions of MCP servers, from the mildest to the strictest."""
MODE_KEYS: Mapping[str, Key] = {
    "mode": Key((TEXT,), "mode: audit", MODES, "for everything that does not say it itself"),
    "since": Key((TEXT,), "since: 2026-11-16", meaning="the day on which that began"),
    "enforce": Key((LIST,), "enforce: [secrets]", meaning="packs, rules and entries that count all the same"),
    "audit": Key((LIST,), "audit: [git/force-push]", meaning="packs, rules and entries that only watch"),
    "recover": Key((TEXT,), "recover: pass", RECOVERING, "what becomes of a loss that was saved first"),
    "snapshot": Key(
        (TEXT,), "snapshot: session", (AT_SESSION_START, NEVER), "when the work of a project is saved unasked"
    ),
    "pins": Key((TEXT,), "pins: ask-first", PINNING, "what becomes of MCP servers that nobody looked at"),
}
_APPROVES = "approve-safe-operations"
"""It stops nothing, so there is nothing to hold back; what it approves, a person has listed."""
DEFAULT_DECISION = "policy/default_decision"
"""What the engine calls a `default_decision`, among the names of rules."""
ALWAYS_ENFORCED = frozenset({"validate-tool-inputs", "keep-hooks-on"})
"""What no mode changes: the guards behind them would otherwise judge what they cannot read, or be gone."""


class Spot(Value):
    """A name that a `mode.yaml` has, and where."""

    name: str
    path: str
    line: int
    column: int

    def problem(self, message: str, hint: str) -> Problem:
        return Problem(self.path, self.line, self.column, message, hint, WARNING)


class Mode(Value):
    """What a layer says of everything; `since` is a day, as it was written."""

    mode: str = ""
    """Empty where nobody says it: then everything is enforced."""
    since: str = ""
    path: str = ""
    enforce: tuple[str, ...] = ()
    audited: tuple[str, ...] = ()
    recover: str = ""
    """What becomes of a loss that was saved first; empty where nothing is saved."""
    snapshot: str = ""
    """When the work of a project is saved unasked; empty for never."""
    pins: str = ""
    """What becomes of definitions of MCP servers; empty where nobody says it."""
    spots: tuple[Spot, ...] = ()
    """Where each name stands."""

    @property
    def audits(self) -> bool:
        return self.mode == AUDIT

    @property
    def snapshots(self) -> bool:
        return self.snapshot == AT_SESSION_START

    def days(self, today: date) -> int:
        """For how long it has only been watched; 0 where nobody wrote down since when."""
        try:
            return (today - type(today).fromisoformat(self.since)).days if self.audits and self.since else 0
        except ValueError:
            return 0

    def reminder(self) -> str:
        """For the person, once it has lasted a week; empty before."""
        if not self.audits:
            return ""
        from datetime import date  # only where something is watched

        days = self.days(date.today())
        if days < A_WEEK:
            return ""
        return (
            f"Fairlead has only watched for {days} days and stops nothing: `fairlead stats --would` shows "
            "what it would have stopped, `fairlead promote --all` enforces it"
        )

    def below(self, stronger: Mode) -> Mode:
        """What a stronger layer says goes; what either enforces is enforced."""
        watched = (
            *unless_named(self.audited, stronger.enforce),
            *unless_named(stronger.audited, self.enforce),
        )
        says = stronger if stronger.mode else self
        return stronger.replace(
            mode=says.mode,
            since=says.since,
            enforce=tuple(dict.fromkeys((*self.enforce, *stronger.enforce))),
            audited=tuple(dict.fromkeys(watched)),
            recover=stronger.recover or self.recover,
            snapshot=stronger.snapshot or self.snapshot,
            pins=max(self.pins, stronger.pins, key=("", *PINNING).index),
            spots=(*self.spots, *stronger.spots),
        )


def unless_named(names: Iterable[str], others: Iterable[str]) -> list[str]:
    """Those that are not among the others, nor their packs."""
    named = frozenset(others)
    return [name for name in names if name not in named and name.partition("/")[0] not in named]


def read_mode(path: str) -> tuple[Mode | None, bytes, list[Problem]]:
    """None for what cannot be read: then everything is enforced, and it is told."""
    from fairlead.policy.reading.document import UnreadableFileError, parse_document
    from fairlead.policy.reading.report import Report, read_fields

    try:
        content = read_file(path, _MAX_BYTES)
        document = parse_document(content, path)
    except UnreadableFileError as error:
        return None, b"", [error.problem]
    except (OSError, PolicyError) as error:
        hint = "make it readable for this user, or remove it"
        return None, b"", [Problem(path, 0, 0, f"it cannot be read: {error}", hint)]
    report = Report(path)
    fields = read_fields(document, MODE_KEYS, report)[0] if document.kind == MAPPING else {}
    if report.errors or document.kind != MAPPING:
        return None, content, report.problems or [Problem(path, 1, 1, "it has no keys", "mode: audit")]
    since = str(fields["since"].value) if "since" in fields else ""
    problems = [*report.problems, *_bad_day(path, since)]
    enforce, audited = (fields[key].items if key in fields else () for key in ("enforce", "audit"))
    mode = Mode(
        str(fields["mode"].value) if "mode" in fields else "",
        since,
        path,
        enforce=tuple(str(each.value) for each in enforce),
        audited=tuple(str(each.value) for each in audited),
        recover=str(fields["recover"].value) if "recover" in fields else "",
        snapshot=str(fields["snapshot"].value) if "snapshot" in fields else "",
        pins=str(fields["pins"].value) if "pins" in fields else "",
        spots=tuple(Spot(str(each.value), path, each.line, each.column) for each in (*enforce, *audited)),
    )
    return mode, content, problems


def _bad_day(path: str, since: str) -> list[Problem]:
    if not since:
        return []
    from datetime import date  # only where a day is named

    try:
        date.fromisoformat(since)
    except ValueError:
        return [Problem(path, 1, 1, f"{since!r} is no day", "since: 2026-11-16", WARNING)]
    return []


def own_mode(config: str) -> Mode:
    """What the user's own layer says of everything. Raises PolicyError for what cannot be read."""
    path = os.path.join(config, "hooks", FILE_NAME)
    if not os.path.lexists(path):
        return Mode()
    mode, _, problems = read_mode(path)
    if mode is None:
        raise PolicyError(f"{path}: {problems[0].message}", hint=problems[0].hint)
    return mode


def write_mode(config: str, mode: Mode) -> str:
    """Put it in the place of what the user's own layer says of everything."""
    path = os.path.join(config, "hooks", FILE_NAME)
    lines: list[str] = []
    for key, names in (("enforce", mode.enforce), ("audit", mode.audited)):
        lines += [f"{key}:", *(f"  - {name}" for name in names)] if names else []
    lines += [f"recover: {mode.recover}"] if mode.recover else []
    lines += [f"snapshot: {mode.snapshot}"] if mode.snapshot else []
    lines += [f"pins: {mode.pins}"] if mode.pins else []
    says = mode.mode or ("" if lines else ENFORCE)
    lines = [
        "# Written by `fairlead install`, `fairlead promote` and `fairlead audit`. Edit it as you like.",
        *([f"mode: {says}"] if says else []),
        *([f"since: {mode.since}"] if mode.since else []),
        *lines,
    ]
    write_private(path, ("\n".join(lines) + "\n").encode())
    return path


def under_mode(entries: Iterable[Entry], mode: Mode) -> list[Entry]:
    """The entries with what is said of everything, where they say nothing themselves, and with what is
    enforced whatever they say."""
    if not (mode.audits or mode.enforce or mode.audited or mode.recover):
        return list(entries)
    return [_under(entry, mode) for entry in entries]


def _under(entry: Entry, mode: Mode) -> Entry:
    entry = entry.replace(enforced=mode.enforce) if mode.enforce else entry
    entry = entry.replace(recover=mode.recover) if mode.recover and entry.trusted else entry
    entry = entry.replace(watched=mode.audited) if mode.audited and not entry.locked else entry
    names = names_of(entry)
    if not names.isdisjoint(mode.enforce):
        return entry.replace(mode=ENFORCE)
    watches = mode.audits or not names.isdisjoint(mode.audited)
    return entry.replace(mode=AUDIT) if watches and _may_be_audited(entry) else entry


def names_of(entry: Entry) -> frozenset[str]:
    """What an entry may be called: its id, and for a rule of a policy what it says of itself."""
    return frozenset((entry.id, f"rules/{entry.id}"))


def _may_be_audited(entry: Entry) -> bool:
    named = entry.builtin or entry.id
    return not (
        "mode" in entry.spots
        or entry.locked
        or entry.broken
        or named in ALWAYS_ENFORCED
        or named == _APPROVES
        or entry.type is HookType.OBSERVABILITY
    )


def always_enforced(entries: Sequence[Entry]) -> tuple[list[Entry], list[Problem]]:
    """Without the wish of an entry to be audited that cannot be, which is told."""
    kept: list[Entry] = []
    problems: list[Problem] = []
    for entry in entries:
        named = entry.builtin or entry.id
        if entry.mode == AUDIT and named in ALWAYS_ENFORCED:
            message = f"{entry.id!r} is always enforced"
            problems.append(entry.problem("mode", message, hint="leave out `mode`", severity=WARNING))
            entry = entry.replace(mode=ENFORCE)
        kept.append(entry)
    return kept, problems

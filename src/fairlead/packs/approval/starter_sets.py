"""Reviewed sets of commands, named `starter/git` and the like in an `approve:` list."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from itertools import chain

from fairlead.errors import PolicyError
from fairlead.model.value import Value
from fairlead.packs.approval.data import read_data
from fairlead.packs.approval.pattern import Pattern, read_options, read_pattern

PREFIX = "starter/"
READ_ONLY = "starter/read-only"
READING = (READ_ONLY, "starter/git-read")
"""What is meant where nothing is listed."""
SETS = (
    "read-only",
    "git-read",
    "git",
    "github",
    "node",
    "python",
    "rust",
    "go",
    "java",
    "make",
    "docker",
    "kubernetes",
)


class StarterSet(Value):
    """`passes` are lines that it approves in a project without surprises, `traps` those that it must not."""

    name: str
    summary: str
    patterns: tuple[Pattern, ...]
    passes: tuple[str, ...]
    traps: tuple[str, ...]


@cache
def starter_set(name: str) -> StarterSet:
    if name not in SETS:
        hint = f"there are {', '.join(PREFIX + each for each in SETS)}"
        raise PolicyError(f"approve: there is no set {PREFIX + name!r}", hint=hint)
    content = read_data(name)
    loads = _texts(content, "loads")
    records = content["commands"]
    assert isinstance(records, list)
    included = (starter_set(each).patterns for each in _texts(content, "includes"))
    members = _texts(content, "members")
    own = (pattern for record in records for pattern in _patterns(record, loads, members))
    patterns = (*chain.from_iterable(included), *own)
    return StarterSet(
        name, str(content["summary"]), patterns, _texts(content, "passes"), _texts(content, "traps")
    )


def patterns_of(items: Iterable[object]) -> tuple[Pattern, ...]:
    """What an `approve:` list means. Raises PolicyError for an item that means nothing."""
    found: list[Pattern] = []
    for item in items:
        if isinstance(item, str) and item.startswith(PREFIX):
            found += starter_set(item.removeprefix(PREFIX)).patterns
        else:
            found.append(read_pattern(item))
    return tuple(found)


def _patterns(
    record: Mapping[str, object], loads: tuple[str, ...], members: tuple[str, ...]
) -> Sequence[Pattern]:
    """One record may be about several commands, each of them behind one of several beginnings:
    `command = ["test", "lint"]`, `after = ["npm run", "pnpm"]`."""
    given = record["command"]
    texts = [str(text) for text in given] if isinstance(given, list) else [str(given)]
    begun = [_begun(start, text) for start in _texts(record, "after") or ("",) for text in texts]
    options = read_options(_texts(record, "options"))
    most, own_loads = record.get("most"), record.get("loads")
    if own_loads is not None:
        loads, members = _texts(record, "loads") if own_loads else (), ()
    return [
        Pattern(
            text,
            tuple(text.split()),
            rest=True,
            options=options,
            operands=_texts(record, "operands") if "operands" in record else None,
            most=most if isinstance(most, int) else None,
            loads=loads,
            members=members,
            runs_operands=record.get("runs_operands", False) is True,
            through=_texts(record, "through"),
            prints_name=record.get("prints_name", False) is True,
            needs=_texts(record, "needs"),
            hands_on=record.get("hands_on", False) is True,
            takes_one_output=record.get("takes_one_output", False) is True,
            takes_outputs=record.get("takes_outputs", False) is True,
        )
        for text in begun
    ]


def _begun(start: str, text: str) -> str:
    """Behind a folder (`.venv/bin/`) or behind words (`python -m`)."""
    return f"{start}{text}" if not start or start.endswith("bin/") else f"{start} {text}"


def _texts(record: Mapping[str, object], key: str) -> tuple[str, ...]:
    value = record.get(key, [])
    assert isinstance(value, list)
    return tuple(str(each) for each in value)

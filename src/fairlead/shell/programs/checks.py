"""What is wrong with records that can be read: patterns that never fit, deeds that are never reached."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase

from fairlead.shell.programs.record import FOLLOWING_KEYS, Deed
from fairlead.shell.programs.source import Source

_FURTHEST = 6
_MOST_DEEDS = 200
_MOST_GAPS = 2
"""How often `**` may stand in a pattern: every further one makes it several times as long to compare."""


def faults_of(source: Source) -> Iterator[tuple[str, str]]:
    """What is wrong with a record, each with the text in it that is wrong."""
    yield from _option_faults(source)
    if len(source.does) > _MOST_DEEDS:
        yield f"it has more than {_MOST_DEEDS} of `does`: say it in fewer, with `a|b` and `a-*`", "does"
        return
    sound: list[Deed] = []
    for deed in source.does:
        faults = list(_pattern_faults(deed))
        yield from faults
        if faults:
            continue
        earlier = next((each for each in sound if shadows(each, deed)), None)
        if earlier is not None:
            yield f"`{deed.on}` is never reached: `{earlier.on}` before it says all that it says", deed.on
        sound.append(deed)
    yield from _running_faults(source)


def missing_examples(source: Source) -> Iterator[tuple[str, str]]:
    """A program that may do harm needs a line that stops and one that passes."""
    if source.does or source.code or source.sql or _says_what_runs(source):
        for key in ("stops", "passes"):
            if not getattr(source, key):
                yield f"no example that {key}", ""


def _pattern_faults(deed: Deed) -> Iterator[tuple[str, str]]:
    steps = deed.on.split()
    for step in steps:
        if "**" in step and step != "**":
            yield f"`**` stands inside the choice `{step}`: it has to be a step of its own", step
        elif "" in step.split("|"):
            yield f"an empty word in the choice `{step}`", step
        elif step != step.lower():
            yield f"`{step}` never fits: words are compared in small letters", step
    if steps.count("**") > _MOST_GAPS:
        yield f"`**` stands more than {_MOST_GAPS} times in `{deed.on}`", deed.on
    if steps[-1:] == ["**"]:
        yield f"`**` at the end of `{deed.on}` says nothing", deed.on


def _says_what_runs(source: Source) -> bool:
    tables = (source.interprets, source.fetches, source.loads)
    return bool(source.runs or followed_by(source) or any(table is not None for table in tables))


def followed_by(source: Source) -> list[str]:
    """Under which keys the record says what the program runs, besides `runs`."""
    return [key for key in FOLLOWING_KEYS if getattr(source, key)]


def _running_faults(source: Source) -> Iterator[tuple[str, str]]:
    keys = followed_by(source)
    if len(keys) > 1:
        yield f"only one of {', '.join(keys)} can be followed", keys[1]
    if source.escapes and "stdin" not in source.escapes:
        yield "`escapes` are read from the input as well: name `stdin` there", "escapes"
    told = [on for runs in source.runs for on in runs.on or ("",)]
    for on in sorted({on for on in told if told.count(on) > 1}):
        yield f"`runs` says twice what `{on or source.name}` runs", on
    if source.before and not any(told):
        yield "`before` says nothing without a subcommand that runs something", "before"


def _option_faults(source: Source) -> Iterator[tuple[str, str]]:
    if source.single_dash:
        return
    options = [option for deed in source.does for option in (*deed.needs, *deed.unless)]
    options += [option for runs in source.runs for option in sorted(runs.options)]
    for option in (*source.values, *source.before, *options):
        name = option.partition("=")[0]
        if len(name) > 2 and name.startswith("-") and not name.startswith("--"):
            yield f"`{option}` is read as single letters: such options need `single_dash = true`", option


def shadows(earlier: Deed, later: Deed) -> bool:
    """Whether the earlier deed applies wherever the later one would."""
    if earlier.needs and not (later.needs and set(later.needs) <= set(earlier.needs)):
        return False
    if not set(earlier.unless) <= set(later.unless):
        return False
    return _covers(earlier.on.split(), later.on.split())


def _covers(wide: Sequence[str], narrow: Sequence[str]) -> bool:
    """Whether all words that fit the narrow pattern fit the wide one."""
    for place, step in enumerate(wide):
        if step == "**":
            rest = wide[place + 1 :]
            return any(_covers(rest, narrow[start:]) for start in range(place, min(len(narrow), _FURTHEST)))
        if place >= len(narrow) or narrow[place] == "**":
            return False
        if not all(
            any(_fits(each, choice) for choice in step.split("|")) for each in narrow[place].split("|")
        ):
            return False
    return True


def _fits(narrow: str, wide: str) -> bool:
    """Whether a word, or a pattern of words, is one of those that the wide one stands for."""
    if "[" in narrow or "?" in narrow or "[" in wide:
        return narrow == wide
    return fnmatchcase(narrow, wide)

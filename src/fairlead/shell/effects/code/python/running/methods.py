"""What methods of texts, paths, lists and mappings return, and how they change what they are called on."""

from __future__ import annotations

import os.path
import re
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from fairlead.shell.effects.code.python.running.decoding import decoded
from fairlead.shell.effects.code.python.running.library_results import expanded
from fairlead.shell.effects.code.python.running.operators import formatted_by_name, join_paths
from fairlead.shell.effects.code.python.running.parsed_data import parsed
from fairlead.shell.effects.code.python.running.thing import (
    HOLE,
    MANY,
    UNKNOWN,
    Thing,
    any_of,
    combined,
    elements_of,
    limited,
    origins_of,
    shown_as,
    text,
    unknown,
)
from fairlead.shell.word_sets import names

if TYPE_CHECKING:
    from fairlead.shell.effects.code.python.running.run import Run

_SAME = names(
    """
    decode encode as_posix resolve absolute lower upper casefold title readlines copy
    as_uri tolist format_map translate
    """
)
_CODECS = ("rot13", "rot_13", "rot-13", "hex", "hex_codec", "base64", "base64_codec", "zlib", "zip", "bz2")
_TEMPLATE = re.compile(r"\$\{?(\w+)\}?")
_ENTRIES = names("glob rglob iterdir walk")
_STRIPPING: Mapping[str, Callable[[str, str | None], str]] = {
    "strip": str.strip,
    "lstrip": str.lstrip,
    "rstrip": str.rstrip,
}
_CHANGED: Mapping[str, Callable[[str], str]] = {
    "lower": str.lower,
    "upper": str.upper,
    "casefold": str.casefold,
}
Given = Sequence[Thing]


def method_result(
    owner: Thing, method: str, given: Given, named: Mapping[str, Thing], run: Run
) -> Thing | None:
    """None where nothing is known of such a method."""
    if owner.fields is not None:
        return _of_mapping(owner, method, given)
    if owner.items is not None:
        return _of_list(owner, method, given)
    if not owner.texts or owner.name.startswith(("open", "tempfile", "io.")):
        return None
    if method == "join" and not owner.name and given:
        return _joined(owner, given[0])
    return _of_path(owner, method, given, run) or _of_text(owner, method, given, named)


def _of_path(owner: Thing, method: str, given: Given, run: Run) -> Thing | None:
    if method == "expanduser":
        return owner.replace(texts=tuple(expanded(each, run) for each in owner.texts))
    if method in ("joinpath", "join") and owner.name:
        return join_paths((owner, *given)).replace(name=owner.name)
    if method in _ENTRIES:
        tails = given[0].texts if given and given[0].texts else ("*",)
        deep = "**/" if method == "rglob" else ""
        made = tuple(os.path.join(path, deep + tail) for path, tail in combined((owner.texts, tails)))
        return Thing(items=(Thing(made, name="pathlib.Path", origins=owner.origins),))
    if method in ("with_suffix", "with_name", "with_stem") and given:
        ends = shown_as(given[0])
        return owner.replace(texts=tuple(_renamed(path, method, ends[0]) for path in owner.texts))
    if method == "relative_to":
        return owner.replace(entry=True)
    return None


def _renamed(path: str, method: str, end: str) -> str:
    folder, slash, last = path.rpartition("/")
    if method == "with_name":
        return f"{folder}{slash}{end}"
    stem, _, suffix = last.rpartition(".")
    return (
        f"{folder}{slash}{stem or last}{end}" if method == "with_suffix" else f"{folder}{slash}{end}.{suffix}"
    )


def _of_text(owner: Thing, method: str, given: Given, named: Mapping[str, Thing]) -> Thing | None:
    if method in _STRIPPING:
        signs = given[0].texts[0] if given and given[0].texts else None
        return owner.replace(texts=tuple(_STRIPPING[method](each, signs) for each in owner.texts))
    if method in ("decode", "encode") and given and given[0].texts and given[0].texts[0] in _CODECS:
        made = (decoded("codecs.decode", each, given[0].texts[0]) for each in owner.texts)
        return Thing(tuple(each for each in made if each), origins=owner.origins)
    if method in _SAME:
        change = _CHANGED.get(method, str)
        return owner.replace(texts=tuple(change(each) for each in owner.texts))
    if method in ("substitute", "safe_substitute"):
        return owner.replace(texts=limited(_substituted(each, named) for each in owner.texts), name="")
    if method == "format":
        origins = origins_of((owner, *given, *named.values()))
        return Thing(limited(formatted_by_name(each, given, named) for each in owner.texts), origins=origins)
    if method in ("split", "rsplit", "splitlines"):
        signs = given[0].texts[0] if given and given[0].texts and method != "splitlines" else None
        parts = owner.texts[0].splitlines() if method == "splitlines" else owner.texts[0].split(signs or None)
        return Thing(items=tuple(Thing((part,), origins=owner.origins) for part in parts[:256]))
    if method == "replace" and len(given) > 1:
        old, new = shown_as(given[0])[0], shown_as(given[1])[0]
        return (
            owner.replace(texts=limited(each.replace(old, new) for each in owner.texts))
            if old != HOLE
            else owner
        )
    if method in ("removeprefix", "removesuffix") and given and given[0].texts:
        return owner.replace(texts=tuple(getattr(each, method)(given[0].texts[0]) for each in owner.texts))
    return None


def _substituted(pattern: str, named: Mapping[str, Thing]) -> str:
    """`string.Template("rm $what").substitute(what=path)`."""
    return _TEMPLATE.sub(lambda match: shown_as(named.get(match[1], UNKNOWN))[0], pattern)


def _joined(owner: Thing, given: Thing) -> Thing:
    """`" ".join(words)`."""
    items = elements_of(given, 256)
    if items is None:
        return unknown(origins=owner.origins | given.origins)
    if len(items) > MANY:
        made = [owner.texts[0].join(shown_as(item)[0] for item in items)]
    else:
        made = [owner.texts[0].join(each) for each in combined(shown_as(item) for item in items)]
    return Thing(limited(made), origins=origins_of((owner, given)))


def _of_mapping(owner: Thing, method: str, given: Given) -> Thing | None:
    fields = owner.fields or {}
    if method == "get" and len(given) > 1 and owner.name.startswith("configparser."):
        sections = [fields[key].fields or {} for key in given[0].texts if key in fields]
        return any_of(each[key] for each in sections for key in given[1].texts if key in each)
    if method in ("get", "pop", "setdefault") and given:
        found = [fields[key] for key in given[0].texts if key in fields] or list(given[1:2])
        return any_of(found if given[0].texts else fields.values())
    if method == "items":
        return Thing(items=tuple(Thing(items=(text(key), value)) for key, value in fields.items()))
    if method == "values":
        return Thing(items=tuple(fields.values()))
    if method == "keys":
        return Thing(items=tuple(map(text, fields)))
    return owner if method == "copy" else None


def _of_list(owner: Thing, method: str, given: Given) -> Thing | None:
    items = owner.items or ()
    if method in ("pop", "popleft"):
        return any_of(items) if items else UNKNOWN
    return owner if method in ("copy", "readlines", "result", "hosts", "subnets", "iter_hosts") else None


def changed(owner: Thing, method: str, given: Given, named: Mapping[str, Thing]) -> Thing | None:
    """What the object is afterwards; None where it stays what it was."""
    if owner.items is not None and given:
        added = _added(owner.items, method, given)
        if added is not None:
            return owner.replace(items=added[:256])
    if owner.fields is not None and method == "update":
        more = dict(given[0].fields or {}) if given else {}
        return owner.replace(fields={**owner.fields, **more, **named})
    if method == "add_argument" and given:
        return _with_argument(owner, given, named)
    if method in ("read_string", "read_dict") and given and owner.name.startswith("configparser."):
        sections = parsed("read_string", given[0]) or given[0]
        return owner.replace(fields={**(owner.fields or {}), **(sections.fields or {})})
    return None


def _added(items: tuple[Thing, ...], method: str, given: Given) -> tuple[Thing, ...] | None:
    if method in ("append", "add", "appendleft"):
        return (*items, given[0])
    if method in ("extend", "update"):
        return (*items, *(elements_of(given[0]) or (unknown(origins=given[0].origins),)))
    if method == "insert" and len(given) > 1:
        index = given[0].number or 0
        return (*items[:index], given[1], *items[index:])
    return None


def _with_argument(owner: Thing, given: Given, named: Mapping[str, Thing]) -> Thing:
    """`argparse`: the parser remembers what each of its arguments is if nobody gives it."""
    spelled = [each.texts[0] for each in given if each.texts]
    long = next((each for each in spelled if each.startswith("--")), spelled[0] if spelled else "")
    told = named.get("dest", UNKNOWN).texts
    name = told[0] if told else long.lstrip("-").replace("-", "_")
    value = named.get("default", unknown(origins=frozenset((("given", name),))))
    before = (owner.fields or {}).get("arguments", Thing(fields={}))
    known = {**(before.fields or {}), name: value}
    return owner.replace(fields={**(owner.fields or {}), "arguments": Thing(fields=known)})


def parsed_arguments(owner: Thing) -> Thing:
    return (owner.fields or {}).get("arguments", unknown(origins=frozenset((("given", ""),))))


def merged(owner: Thing, given: Given) -> Thing:
    """An object that was given something: it holds that, and speaks to whom that speaks to."""
    origins = origins_of(given) - owner.origins
    return owner.replace(origins=owner.origins | origins) if origins else owner

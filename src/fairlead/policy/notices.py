"""`notify.yaml` of the user's own folder: of what a person wants to be told at once, and how.

    on: [ask, block, ran]
    with: notify-send
    at_most: 6

It names a program that runs beside calls, so no project has one.
"""

from __future__ import annotations

import os
from collections.abc import Mapping

from fairlead.errors import PolicyError
from fairlead.model.value import Value
from fairlead.policy.find import read_file
from fairlead.policy.places import Places
from fairlead.policy.reading.problem import Problem
from fairlead.policy.reading.schema import LIST, MAPPING, NUMBER, TEXT, Key

FILE_NAME = "notify.yaml"
ASK, BLOCK, RAN, WOULD = "ask", "block", "ran", "would"
OCCASIONS = (ASK, BLOCK, RAN, WOULD)
DESKTOP, TERMINAL = "notify-send", "terminal"
_MAX_BYTES = 4096
_MOST = 60
_KEYS: Mapping[str, Key] = {
    "on": Key((LIST,), "on: [ask, block, ran]", meaning=f"any of {', '.join(OCCASIONS)}"),
    "with": Key(
        (TEXT, LIST),
        "with: notify-send",
        meaning="`notify-send`, `terminal`, or a program of yours with its words, by its whole path",
    ),
    "at_most": Key((NUMBER,), "at_most: 6", meaning="a minute"),
}


class NoticeSettings(Value):
    """`command` is the program of the user's, where `way` is none of ours."""

    on: frozenset[str] = frozenset()
    way: str = DESKTOP
    command: tuple[str, ...] = ()
    at_most: int = 6


NO_NOTICES = NoticeSettings()


def notices_path(places: Places) -> str:
    return os.path.join(places.config, FILE_NAME)


def read_notice_settings(path: str) -> tuple[NoticeSettings, list[Problem]]:
    """What is wrong with it is told, and then nobody is notified: that changes no verdict."""
    from fairlead.policy.reading.document import UnreadableFileError, parse_document
    from fairlead.policy.reading.report import Report, read_fields

    try:
        document = parse_document(read_file(path, _MAX_BYTES), path)
    except FileNotFoundError:
        return NO_NOTICES, []
    except UnreadableFileError as error:
        return NO_NOTICES, [error.problem]
    except (OSError, PolicyError) as error:
        return NO_NOTICES, [Problem(path, 0, 0, f"it cannot be read: {error}", "make it readable")]
    report = Report(path)
    if document.kind != MAPPING:
        report.add(document, "this is no mapping", "on: [ask, block, ran]")
        return NO_NOTICES, report.problems
    fields, _ = read_fields(document, _KEYS, report)
    plain = {name: field.plain for name, field in fields.items()}
    settings = _settings(plain)
    if settings is None and not report.errors:
        report.add(document, "this makes no sense", _wanted(plain))
    return (settings if settings is not None and not report.errors else NO_NOTICES), report.problems


def _settings(plain: Mapping[str, object]) -> NoticeSettings | None:
    on, way, most = plain.get("on"), plain.get("with", DESKTOP), plain.get("at_most", 6)
    if not isinstance(on, list) or not all(word in OCCASIONS for word in on):
        return None
    if not isinstance(most, int) or isinstance(most, bool) or not 1 <= most <= _MOST:
        return None
    if way in (DESKTOP, TERMINAL):
        return NoticeSettings(frozenset(map(str, on)), str(way), (), most)
    words = way if isinstance(way, list) else [way]
    if (
        not words
        or not all(isinstance(word, str) for word in words)
        or not str(words[0]).startswith(("/", "~/"))
    ):
        return None
    return NoticeSettings(frozenset(map(str, on)), "", tuple(map(str, words)), most)


def _wanted(plain: Mapping[str, object]) -> str:
    if not isinstance(plain.get("on"), list):
        return f"say of what: on: [{', '.join(OCCASIONS)}]"
    return f"`on` takes {', '.join(OCCASIONS)}; `with` a path from /; `at_most` 1 to {_MOST}"

"""Passwords that a foreign tool would tell people: by mail, in a chat, on a phone."""

from __future__ import annotations

import re
from collections.abc import Iterator

from fairlead.model.tool_call import ToolCall
from fairlead.packs.foreign.foreign_names import words_of
from fairlead.packs.foreign.given_texts import given_texts
from fairlead.shell.effects.effect import Action, Effect
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.script import Command
from fairlead.shell.word_sets import names

_TELLING = names("send post reply email mail message sms tweet notify publish announce forward push")
_SENDING = frozenset(("POST", "PUT", "PATCH"))
_TEXTS = names(
    "text body message content html caption subject markdown plaintext bodytext bodyhtml msg status data payload"
)
_HINT = lazy(r"pass(?:word|wd|phrase|code)|secret|token|api_?key|access_?key|private_?key|://[^\s/@]+:", re.I)
_FIGURES = lazy(r"\d{4}[ -]?\d{4}|\d{3}-\d{2}-\d{4}")
_TOLD = (
    lazy(r"\w+://[^\s:/@]+:(?P<value>[^\s@/]+)@(?P<host>[\w.-]+)"),
    lazy(
        r"\b\w*(?:PASSWORD|PASSWD|SECRET|TOKEN|API_?KEY|ACCESS_?KEY|PRIVATE_?KEY)\w*\s*[=:]\s*"
        r"[\"'`]?(?P<value>[^\s\"'`<>]+)(?P<host>)",
        re.I,
    ),
    lazy(
        r"\bpass(?:word|phrase|code)\b(?: \w+){0,4}? (?:is|was|=)(?: now)?:? [\"'`]?(?P<value>[^\s\"'`<>]+)(?P<host>)",
        re.I,
    ),
)
_SHORTEST, _SHORTEST_OF_HOST = 8, 6
_NO_VALUE = lazy(
    r"[$<{\[*%]|(?:your|my|the|change|example|sample|dummy|test|placeholder|redact|xxx|todo)|pass(?:word)?\d{0,3}$",
    re.I,
)
_NEAR = lazy(r"^(?:localhost|127\.|0\.0\.0\.0|db$|postgres$|mysql$|redis$|host$)")


def told_passwords(call: ToolCall, cwd: str) -> Iterator[Effect]:
    """Key material of known shapes is found in any text; a password looks like any word, but for its place."""
    if not _ENTERING.isdisjoint(words_of(call)[1]) and any(
        _CARD.fullmatch(each.text.strip()) and _is_card(each.text) for each in given_texts(call)
    ):
        yield Effect(Action.SEND_DATA, "environment", Command((), cwd), what=f"{call.name} with a card")
    sends = str(call.input.get("method", "")).upper() in _SENDING
    if not sends and _TELLING.isdisjoint(words_of(call)[1]):
        return
    for each in given_texts(call):
        if (
            each.key in _TEXTS
            and (_HINT.search(each.text) or _FIGURES.search(each.text))
            and _tells(each.text)
        ):
            yield Effect(
                Action.SEND_DATA, "environment", Command((), cwd), what=f"{call.name} with a password"
            )
            return


_CARD = lazy(r"(?<![\d.-])(?:\d[ -]?){13,18}\d(?![\d.-])")
_TEST_CARDS = ("4242", "4111111111111111", "4000", "5555555555554444", "378282246310005", "6011111111111117")
_NUMBER_OF_PERSON = lazy(r"\b(?:ssn|social security)\b.{0,30}\b\d{3}-\d{2}-\d{4}\b", re.I | re.S)
_ENTERING = names("fill type input enter")


def tells_of_person(text: str) -> bool:
    """A number of a card as shops take it, or one that a state gave to a person."""
    return bool(_NUMBER_OF_PERSON.search(text)) or any(_is_card(found[0]) for found in _CARD.finditer(text))


def _is_card(text: str) -> bool:
    digits = re.sub(r"\D", "", text)
    if digits.startswith(_TEST_CARDS) or digits[0] not in "3456" or len(set(digits)) < _DIGITS:
        return False
    doubled = (int(d) * (1 + place % 2) for place, d in enumerate(reversed(digits)))
    return sum(value - 9 if value > 9 else value for value in doubled) % 10 == 0


_DIGITS = 3
_LONGEST = 100_000


def _tells(text: str) -> bool:
    if len(text) <= _LONGEST and tells_of_person(text):
        return True
    return any(
        _is_password(found["value"].rstrip(".,;!?)"), found["host"])
        for pattern in _TOLD
        for found in pattern.finditer(text)
    )


def _is_password(value: str, host: str) -> bool:
    """Letters with digits or signs among them; a placeholder, a word and a variable are none."""
    mixed = bool(re.search(r"[A-Za-z]", value) and re.search(r"[\d!@#^&+/]", value))
    enough = _SHORTEST_OF_HOST if host else _SHORTEST
    return len(value) >= enough and mixed and not _NO_VALUE.match(value) and not _NEAR.match(host)

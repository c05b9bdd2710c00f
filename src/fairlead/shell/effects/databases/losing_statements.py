"""Statements that lose data, in the words, the input and the scripts of whoever runs them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from fairlead.shell.effects.databases.sql_statements import sql_danger
from fairlead.shell.effects.effect import Action, Effect
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.script import Command, Word

_STATED = lazy(r"\s*(?:DROP|TRUNCATE|DELETE\s+FROM)\s+\w+\s*\w", re.IGNORECASE)
"""A word that begins as a statement that loses data: clients differ in the option that announces it."""


def losing_words(command: Command) -> Iterator[Effect]:
    """Words that are such statements, and such statements in the input."""
    yield from statement_effects(
        command, [known_text(word) for word in command.argv[1:] if _STATED.match(known_text(word))]
    )


def stated_texts(command: Command) -> list[str]:
    """Words that are such statements, behind the name of their option, too."""
    texts = [_value(known_text(word)) for word in command.argv[1:]]
    return [text for text in texts if _STATED.match(text)]


def known_text(word: Word) -> str:
    """A word without what is unknown at its beginning, which may be empty: `"$BEFORE drop table t"`."""
    pieces = word.pieces if word.opaque is not None else ()
    if pieces and pieces[0][1] is not None and len(pieces) > 1:
        return "".join(text for text, _ in pieces[1:])
    return word.text


def _value(text: str) -> str:
    return text.partition("=")[2] if text.startswith("--") else text


def statement_effects(command: Command, texts: Sequence[str]) -> Iterator[Effect]:
    for text in (*texts, command.stdin.text or command.stdin.shown):
        found = sql_danger(text) if text else None
        if found is not None:
            yield Effect(Action.CHANGE_DATABASE, found[0], command, what=found[1], detail=command.name)


_LOSING_FILE = lazy(
    r"(?:^|[/_.-])(?:drop|wipe|reset|destroy|truncate|purge|nuke|clean|flush)[\w-]*\.(?:sql|js|cql|cypher|lua)$",
    re.IGNORECASE,
)


def losing_files(command: Command) -> Iterator[Effect]:
    """A script that says by its name what it does: `mysql prod < drop_all.sql`."""
    named = [name for word in command.argv[1:] for name in word.text.split()[:4]]
    named += [redirect.target.text for redirect in command.redirects if redirect.operator == "<"]
    for name in named:
        if _LOSING_FILE.search(name):
            yield Effect(Action.CHANGE_DATABASE, "access", command, what=name, detail=command.name)
            return


def names_losing_file(text: str) -> bool:
    return bool(_LOSING_FILE.search(text))


_DROPPED = lazy(
    r"\bdrop\s+(?:table|view|index|function|type)\s+if\s+exists\s+([\w.\"`]+)[^;]{0,80};", re.IGNORECASE
)
_MOST = 200


def without_rebuilt(text: str) -> str:
    """A file of statements without what it drops only to make it anew further down."""
    made = text.lower()

    def kept(match: re.Match[str]) -> str:
        again = re.search(rf"\bcreate\b[^;]{{0,80}}{re.escape(match[1].lower())}", made[match.end() :])
        return "" if again else match[0]

    return _DROPPED.sub(kept, text, count=_MOST)

"""A question for the person, in words that steer nothing: who wrote the arguments is not to be trusted."""

from __future__ import annotations

import json

from fairlead.dialects.answers import answer_words
from fairlead.model.event import Event
from fairlead.model.verdict import Verdict
from fairlead.secrets.redact import redact

_ARGUMENTS, _REASON, _NAME = 600, 600, 200


def question_for(event: Event, verdict: Verdict) -> str:
    """Why it is asked, and the call: cut, without secrets, and without letters that nobody sees."""
    reason = escaped(answer_words.question(verdict.replace(alternative="")), most=_REASON)
    return f"{reason}\n\n{_call(event)}\n\nLet this one call through?"


def escaped(text: str, *, most: int) -> str:
    """On one line; what is no letter that shows itself is written as its number."""
    shown = "".join(letter if letter.isprintable() else _number(letter) for letter in text[: most + 1])
    return shown if len(text) <= most and len(shown) <= 2 * most else f"{shown[:most]} … (cut)"


def shown(words: str) -> str:
    """The same with every letter that steers something written as its number; lines stay lines."""
    if words.isprintable():
        return words
    return "".join(each if each.isprintable() or each == "\n" else _number(each) for each in words)


def _number(letter: str) -> str:
    if letter == "\n":
        return "\\n"
    return f"\\u{ord(letter):04x}" if ord(letter) < 0x10000 else f"\\U{ord(letter):08x}"


def _call(event: Event) -> str:
    tool = event.tool
    if tool is None:
        said = redact(event.prompt or "")
        server = event.payload.get("mcp_server_name", "")
        return f"{escaped(str(server), most=_NAME)} asks: {escaped(str(said), most=_ARGUMENTS)}"
    given = json.dumps(redact(dict(tool.input)), ensure_ascii=False, default=str)
    return f"{escaped(tool.name, most=_NAME)} {escaped(given, most=_ARGUMENTS)}"

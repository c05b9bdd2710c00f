"""What code is given from outside: the words behind it, its input, variables set before it."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping

from fairlead.model.value import Value
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.script import Code, Word

_LONGEST = 4096


class Given(Value):
    """`arguments` are the words behind the code, `stdin` its input where that is known, `script` the file in
    which the code is."""

    arguments: tuple[str, ...] = ()
    stdin: str = ""
    variables: Mapping[str, str] = {}
    script: str = ""


NOTHING_GIVEN = Given()


def given_to(code: Code) -> Given:
    command = code.command
    texts = [word.text for word in command.argv]
    if code.text in texts:
        index = texts.index(code.text) + 1
    else:
        index = next((i for i, text in enumerate(texts[1:], 1) if not text.startswith("-")), len(texts)) + 1
    words = command.argv[index:]
    words = words[1:] if words and words[0].text == "--" else words
    stdin = command.stdin.text or ""
    return Given(
        tuple(map(_text, words)),
        "" if stdin == code.text or len(stdin) > _LONGEST else stdin,
        {name: word.text for name, word in command.assignments.items() if word.known},
        texts[index - 1] if code.text not in texts and index <= len(texts) else "",
    )


def _text(word: Word) -> str:
    return word.text if word.known else "$UNKNOWN"


_STRING = r"(?P<string>\"(?:\\.|[^\"\\])*\"|`(?:\\.|[^`\\])*`)"
_EXPRESSION = lazy(
    _STRING + r"|'(?:\\.|[^'\\])*'"
    r"|(?P<rest>[@*]\s*ARGV\b|\bprocess\.argv\.slice\(\s*(?P<from>\d)\s*\)|\bARGV\b(?!\s*[\[.]))"
    r"|[$]?\b(?:process\.)?(?:argv|ARGV)\s*\[\s*(?P<index>\d)\s*\]"
    r"|(?:\bprocess\.env\.(?P<env>\w+)|[$]?\b(?:process\.env|ENV|_ENV|_SERVER)\s*[\[{]\s*[\"']?(?P<key>\w+)[\"']?\s*[\]}]"
    r"|\b(?:getenv|Deno\.env\.get|ENV\.fetch)\(\s*[\"'](?P<name>\w+)[\"']\s*\))"
    r"|(?P<line>[$]_\b|\bgets\b|<STDIN>|[$]?(?:STDIN|stdin)\.(?:read|gets)|\b(?:fs\.)?readFileSync\(\s*0[^)]*\))"
)
_INTERPOLATED = lazy(
    r"[$]ARGV\[(?P<index>\d)\]|[$]ENV\{(?P<env>\w+)\}|(?P<line>[$]_\b)|[$#]\{(?P<code>[^{}]*)\}"
)
_FIRST = {"javascript": 1, "php": 1}
"""The index of the first argument, where that is not 0."""


def with_given(text: str, language: str, given: Given) -> str:
    """The code with literals in the place of what it is given."""
    if given is NOTHING_GIVEN or not (given.arguments or given.stdin or given.variables):
        return text

    def expression(match: re.Match[str]) -> str:
        if match["string"]:
            return _INTERPOLATED.sub(inside, match[0])
        if match["rest"]:
            start = int(match["from"]) - 1 if match["from"] else 0
            quoted = ", ".join(map(json.dumps, given.arguments[start:]))
            return f"[{quoted}]" if match["from"] else quoted or match[0]
        value = _value(match, language, given)
        return match[0] if value is None else json.dumps(value, ensure_ascii=False)

    def inside(match: re.Match[str]) -> str:
        if match["code"] is not None:
            found = _EXPRESSION.fullmatch(match["code"].strip())
            value = _value(found, language, given) if found and not found["string"] else None
        else:
            value = _value(match, "perl", given)
        return match[0] if value is None else value

    return _EXPRESSION.sub(expression, text)


def _value(match: re.Match[str], language: str, given: Given) -> str | None:
    groups = match.groupdict()
    if groups.get("index"):
        number = int(groups["index"]) - _FIRST.get(language, 0)
        return given.arguments[number] if 0 <= number < len(given.arguments) else None
    name = groups.get("env") or groups.get("key") or groups.get("name")
    if name:
        return given.variables.get(name)
    return given.stdin.split("\n")[0] if groups.get("line") and given.stdin else None

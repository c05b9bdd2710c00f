"""What `echo` and `printf` print."""

from __future__ import annotations

import re

from fairlead.shell.expansion.values import Scalar, concat, of_word, of_words, unknown
from fairlead.shell.language.escapes import decode_escapes
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.normal_form import word_text
from fairlead.shell.script import Word
from fairlead.shell.unknown import Kind, Unknown

_ECHO_OPTION = lazy(r"-[neE]+")
_SPEC = lazy(r"%([-+ 0#]*+)(\d*|\*)(?:\.(\d*|\*))?([a-zA-Z%])")
MAX_ROUNDS = 1_000
MAX_WIDTH = 4_096


def format_echo(words: list[Word]) -> Scalar:
    index, newline, escapes = 1, True, False
    while index < len(words) and words[index].known and _ECHO_OPTION.fullmatch(words[index].text):
        option = words[index].text
        newline &= "n" not in option
        escapes = "e" in option and option.rfind("e") > option.rfind("E")
        index += 1
    text = of_words(words[index:])
    if escapes and isinstance(text, str):
        text, ended = decode_escapes(text)
        newline &= not ended
    return concat((text, "\n")) if newline else text


def format_printf(form: Word, arguments: list[Word]) -> Scalar:
    if form.opaque:
        return unknown(form.text, form.opaque)
    values: list[Scalar] = []
    rest = list(arguments)
    for _ in range(MAX_ROUNDS):
        before = len(rest)
        values.append(_one_round(form.text, rest))
        if not rest or len(rest) == before:
            return concat(values)
    return unknown(form.text, Unknown(Kind.TOO_LONG))


def _one_round(form: str, rest: list[Word]) -> Scalar:
    """The format once; it takes what it needs from `rest`."""
    values: list[Scalar] = []
    pos = 0
    for match in _SPEC.finditer(form):
        values.append(decode_escapes(form[pos : match.start()])[0])
        pos = match.end()
        values.append(_converted(match, rest))
    values.append(decode_escapes(form[pos:])[0])
    return concat(values)


def _converted(match: re.Match[str], rest: list[Word]) -> Scalar:
    flags, width, precision, kind = match.groups()
    if kind == "%":
        return "%"
    for star in (width, precision):
        if star == "*" and rest:
            rest.pop(0)
            return unknown(match.group(), Unknown(Kind.PRINTF_WIDTH))
    word = rest.pop(0) if rest else None
    if word is not None and word.opaque:
        return of_word(word)
    text = _argument(kind, word.text if word else "")
    if text is None:
        return unknown(match.group(), Unknown(Kind.PRINTF_VALUE, word.text if word else ""))
    if precision and kind in "sb":
        text = text[: int(precision)]
    size = min(int(width or 0), MAX_WIDTH)
    if "-" in flags:
        return text.ljust(size)
    return text.rjust(size, "0" if "0" in flags and kind not in "sb" else " ")


def _argument(kind: str, text: str) -> str | None:
    if kind == "s":
        return text
    if kind == "b":
        return decode_escapes(text)[0]
    if kind == "q":
        return word_text(text)
    if kind == "c":
        return text[:1]
    number = _integer(text)
    if number is None or kind not in "diuxXo":
        return None
    return {"x": f"{number:x}", "X": f"{number:X}", "o": f"{number:o}"}.get(kind, str(number))


def _integer(text: str) -> int | None:
    if text[:1] in ("'", '"') and len(text) > 1:
        return ord(text[1])
    try:
        return int(text or "0", 0) if len(text) < 20 else None
    except ValueError:
        return int(text, 8) if text.isdigit() and set(text) <= set("01234567") else None

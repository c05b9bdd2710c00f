"""Loops over lists of literals: which values a loop's variable takes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from fairlead.shell.effects.code.text.expressions import list_of, split_top, value_of
from fairlead.shell.lazy_pattern import lazy

_WORDS = r"(?:qw|%w|%i)\s*(?:\[[^\]]{0,2000}\]|\([^)]{0,2000}\)|\{[^}]{0,2000}\})"
_LIST = rf"(?:\[[^\[\]]{{0,2000}}\]|{_WORDS}|\((?=\s*[\"'])[^()]{{0,2000}}\)|[$@]?(?<!\w)[A-Za-z_]\w{{0,80}})"
_LOOPS = tuple(
    lazy(pattern)
    for pattern in (
        rf"(?P<list>{_LIST})\s*\.\s*(?:each|forEach|map|flat_map|each_with_index)\s*"
        r"(?:\(\s*(?:async\s+)?(?:function\s*)?\(?\s*|\{\s*\|\s*|do\s*\|\s*)[$]?(?P<name>\w+)",
        rf"\bfor\s*\(?\s*(?:const|let|var|val)?\s*(?P<name>\w+)\s+(?:of|in)\s+(?P<list>{_LIST})",
        rf"\bforeach\s*\(\s*(?P<list>{_LIST})\s+as\s+[$](?P<name>\w+)",
        rf"\bfor(?:each)?\s+(?:my\s+)?[$](?P<name>\w+)\s*(?:\(\s*(?=qw))?(?P<list>{_LIST})",
    )
)
_NAMED = lazy(
    rf"(?<!\w)(?P<name>[A-Za-z_]\w{{0,80}})\s{{0,40}}:?=\s*(?P<list>\[[^\[\]]{{0,2000}}\]|{_WORDS})"
)
_MANY = 8


def loops_of(text: str, known: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Each variable of a loop with each value that it takes, a few of them."""
    named: dict[str, str] = {}
    for pattern in _LOOPS:
        for match in list(pattern.finditer(text))[:_MANY]:
            if not named:
                named = {each["name"]: each["list"] for each in _NAMED.finditer(text)}
            source = named.get(match["list"].lstrip("$@"), match["list"])
            if source[:1] in "[(" or source.startswith(("qw", "%w")):
                body = f"[{source[1:-1]}]" if source.startswith("(") else source
                for item in list_of(body, known)[:_MANY]:
                    yield match["name"], item


_DEFINED = lazy(
    r"\b(?:function|def|fn|func|fun|sub)\s+(?P<name>\w{1,80}[!?]?)\s*\(?\s*(?P<given>[$\w\s,:=@]{1,200}?)\s*[){\n;]"
    r"|\b(?P<arrow>\w{1,80})\s*=\s*(?:async\s*)?(?:function\s*)?\(?\s*(?P<taken>[\w\s,]{1,200}?)\s*\)?\s*(?:=>|\{)"
    r"|\bsub\s+(?P<perl>\w{1,80})\s*\{\s*my\s*\(?\s*(?P<mine>[$\w\s,]{1,200}?)\s*\)?\s*=\s*(?:@_|shift)"
)


def parameters_of(
    text: str, called: Sequence[tuple[str, str]], known: Mapping[str, str]
) -> Iterator[tuple[str, str]]:
    """Each parameter of a function of the code with each value that a call gives it, a few of them."""
    for match in list(_DEFINED.finditer(text))[:_MANY] if called else ():
        name = match["name"] or match["arrow"] or match["perl"]
        told = match["given"] or match["taken"] or match["mine"] or ""
        parameters = [
            each.strip(" $@").partition("=")[0].partition(":")[0].strip() for each in told.split(",")
        ]
        for callee, inside in called:
            if re.split(r"\.|->|::", callee)[-1] == name and inside.strip() != told.strip():
                values = [value_of(part, known) for part in split_top(inside, ",")]
                yield from (
                    (parameter, value)
                    for parameter, value in zip(parameters, values, strict=False)
                    if parameter.isidentifier() and value
                )

"""Loops over lists of literals: which values a loop's variable takes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from fairlead.shell.effects.code.text.expressions import list_of
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

"""What the Markdown pages hold: links, anchors, and commands of `fairlead`."""

from __future__ import annotations

import re
import shlex
import tomllib
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
_FENCE = re.compile(r"^( *)(`{3,})(\w*)[^\n]*\n(.*?)^\1\2 *$", re.MULTILINE | re.DOTALL)
_SPAN = re.compile(r"(`+)(?!`)(.+?)(?<!`)\1(?!`)")
_LINK = re.compile(r"\]\(([^)\s]+)\)")
_HEADING = re.compile(r"^#{1,6} +(.+?) *$", re.MULTILINE)
_ANCHOR = re.compile(r"""<\w+ id="([^"]+)">""")
_PAPERS = ("README.md", "CONTRIBUTING.md", "SECURITY.md", "CODE_OF_CONDUCT.md", "NOTICES.md")
_SHELL = frozenset({"", "console", "sh", "bash"})
_PROMPT = re.compile(r"^\s*\$ ", re.MULTILINE)


def all_pages() -> list[Path]:
    return [*(ROOT / name for name in _PAPERS), *sorted(DOCS.rglob("*.md"))]


def navigation() -> list[str]:
    """The pages that the site's navigation has."""
    config = tomllib.loads((ROOT / "zensical.toml").read_text(encoding="utf-8"))
    return list(_leaves(config["project"]["nav"]))


def _leaves(part: object) -> Iterator[str]:
    if isinstance(part, str):
        yield part
    elif isinstance(part, list):
        for each in part:
            yield from _leaves(each)
    elif isinstance(part, dict):
        for each in part.values():
            yield from _leaves(each)


def links(text: str) -> list[str]:
    """The targets of all links and pictures, but not of those that code shows."""
    return _LINK.findall(_SPAN.sub("", _FENCE.sub("", text)))


def anchors(text: str) -> set[str]:
    """What a link may lead to, on the site and where the repository is browsed."""
    headings = [_plain(heading) for heading in _HEADING.findall(_FENCE.sub("", text))]
    return {_slug(heading) for heading in headings} | set(_ANCHOR.findall(text))


def _plain(heading: str) -> str:
    return re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading).replace("`", "").replace("*", "")


def _slug(heading: str) -> str:
    """As both make it of a heading that does not have two blanks or marks in a row."""
    return re.sub(r"\s", "-", re.sub(r"[^\w\s-]", "", heading).strip().lower())


def commands(text: str) -> Iterator[list[str]]:
    """The words of each call of `fairlead` that a block or a span of code shows."""
    for fence in _FENCE.finditer(text):
        if fence[3] in _SHELL:
            for line in _typed(fence[4].replace("\\\n", " ")):
                yield from _calls(line)
    for span in _SPAN.finditer(_FENCE.sub("", text)):
        yield from _calls(span[2])


def _typed(block: str) -> list[str]:
    """The lines that a person types: those behind a prompt, where the block has prompts."""
    lines = block.splitlines()
    if _PROMPT.search(block):
        lines = [line for line in lines if _PROMPT.match(line)]
    return [_PROMPT.sub("", line) for line in lines]


def _calls(line: str) -> Iterator[list[str]]:
    """Those of one line of shell; a line that is none holds none."""
    lexer = shlex.shlex(line, posix=True, punctuation_chars="();<>|&")
    lexer.whitespace_split = True
    try:
        words = list(lexer)
    except ValueError:
        return
    call: list[str] | None = []
    for word in [*words, ";"]:
        if set(word) <= set("();|&<>"):
            if call and call[0] == "fairlead":
                yield call[1:]
            call = [] if set(word) <= set("();|&") else None
        elif call is not None and (call or not re.fullmatch(r"\w+=.*", word)):
            call.append(word)

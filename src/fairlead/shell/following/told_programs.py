"""Programs with a small language of their own, in which a file is read or a command run.

Each function yields what would run, as (how, what), as those of `text_options` do.
"""

from __future__ import annotations

import re

from fairlead.shell.expansion.values import Partial, Scalar
from fairlead.shell.following.text_options import Found
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.script import Word

_EXIM_RUN = lazy(r"\$\{run(?:,preexpand)?\s*\{(.+?)\}", re.S)
_EXIM_FILE = lazy(r"\$\{readfile\s*\{([^{}]+)\}")
_PIPE = lazy(r"%pipe%([^)\0]+)")
_POSTSCRIPT_FILE = lazy(r"\(([^()%]+)\)\s*\(r\)\s*file")
_COLON_PATH = lazy(
    r"(?:text|caption|label|pango|msl|mvg|ephemeral|url|inline|txt|file|svg|eps):@?(/[^\[]+|~/[^\[]+)", re.I
)
_AT_PATH = lazy(r"(?:caption|label|pango|text)?:?@([^\[]+)", re.I)
_ENTITY = lazy(r"<!ENTITY\s+(?:%\s*)?\S+\s+SYSTEM\s+[\"'](?:file://)?(/[^\"']+)", re.I)
_RANGER = lazy(r"(?:shell|!)\s+(?:-\w+\s+)?(.+)", re.S)


def find_in_exim(words: list[Word], stdin: Scalar | None) -> Found:
    """`${run{command}}` and `${readfile{path}}` in what it expands."""
    for text in _told(words, stdin):
        for match in _EXIM_RUN.finditer(text):
            yield "exim ${run}", match.group(1)
        for match in _EXIM_FILE.finditer(text):
            yield "exim ${readfile}", _shows(match.group(1).strip())


def find_in_ghostscript(words: list[Word], stdin: Scalar | None) -> Found:
    """`(%pipe%command)`, wherever a file may be named, and `(path) (r) file`."""
    for text in _told(words, stdin):
        for match in _PIPE.finditer(text):
            yield "%pipe%", match.group(1)
        for match in _POSTSCRIPT_FILE.finditer(text):
            yield "(r) file", _shows(match.group(1))


def find_in_imagemagick(words: list[Word], stdin: Scalar | None) -> Found:
    """`text:/path`, `caption:@/path`: a picture of what the file holds."""
    for word in words[1:]:
        match = _COLON_PATH.fullmatch(word.text) or _AT_PATH.fullmatch(word.text)
        if match:
            yield f"{words[0].text} {word.text.partition(':')[0]}:", _shows(match.group(1))


def find_in_xml(words: list[Word], stdin: Scalar | None) -> Found:
    """An entity that stands for a file of this machine."""
    for text in _told(words, stdin):
        for match in _ENTITY.finditer(text):
            yield "an XML entity", _shows(match.group(1))


def find_in_ranger(words: list[Word], stdin: Scalar | None) -> Found:
    for word in words[1:]:
        match = _RANGER.fullmatch(word.text.removeprefix("--cmd="))
        if match:
            yield "ranger shell", match.group(1)


def _told(words: list[Word], stdin: Scalar | None) -> list[str]:
    given = stdin.shown if isinstance(stdin, Partial) else stdin or ""
    return [*(word.text for word in words[1:]), given]


def _shows(path: str) -> list[Word]:
    return [Word("cat"), Word(path)]

"""Code that lists a directory and deletes what it found there."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from fairlead.shell.effects.code.act import Act, on_path
from fairlead.shell.effects.code.call_names import SHELLS
from fairlead.shell.effects.code.call_syntax import Call
from fairlead.shell.effects.effect import Action
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.word_sets import names

_GLOBBED = lazy(r"<\s*([~/.$][^<>\s]*)\s*>")
_LISTING = names(
    """
    glob readdirSync scandir Glob children entries readdir list.files finddepth find opendir walk
    DirectoryIterator RecursiveDirectoryIterator FilesystemIterator directory-files
    directory-files-recursively
    """
)
_LISTING_PROGRAM = lazy(r"^(?:ls|find|fd|dir)\s+(?:-\w+\s+){0,4}([~/][^\s;|&]*)")
_MAPPED = lazy(
    r"array_map\s*\(\s*['\"](?:unlink|rmdir)|\b(?:unlink|rmtree|delete)\s*\(?\s*(?:glob|<|f\b)"
    r"|(?:#?'|\bquote\s+)delete-(?:file|directory)"
    r"|\bsub\s*\{[^}]*\b(?:unlink|rmdir)\b|\b(?:unlink|rmdir)\s*(?:[;}]|for(?:each)?\b|\Z)"
)
_TEMPORARY = lazy(
    r"(?<!\w)(\w{1,80})[^=\n;]{0,20}?(?:<-|:?=)[^\n;]{0,200}\b(?:tempfile|tempnam|tmpname|mkstemp|mkdtemp|tmpfile)\b"
)


def listed_acts(calls: Sequence[Call], deleting: Sequence[Call], text: str) -> Iterator[Act]:
    """A listing of a directory, and a deletion of something that is no literal: the one feeds the other."""
    own = {match[1] for match in _TEMPORARY.finditer(text)}
    unknown = [call for call in deleting if not any(call.arguments) and call.source.strip(" $@") not in own]
    deletes = bool(unknown) or _MAPPED.search(text)
    patterns = [_pattern(match) for match in _GUARDED.finditer(text)]
    wanted = patterns if patterns and len(patterns) >= len(unknown) else ["*"]
    for match in re.finditer(r"Dir\[\s*[\"']([^\"']+)[\"']", text) if deletes else ():
        yield on_path(Action.DELETE, match[1], name="Dir[]", recursive=True)
    for match in _GLOBBED.finditer(text) if re.search(r"\b(?:unlink|rmtree|rmdir)\b", text) else ():
        yield on_path(Action.DELETE, match[1], name="<>", recursive=True)
    for call in calls if deletes else ():
        for place in _listed(call):
            for wild in [place] if "*" in place else [f"{place}/{pattern}" for pattern in wanted]:
                yield on_path(Action.DELETE, wild, name=call.last, recursive=wanted == ["*"] or wild == place)


_GUARDED = lazy(
    r"(?:\bif\s*\(|\.filter\(\s*\(?\w{1,40}\)?\s*=>)\s*"
    r"(?:[\w.]{1,80}\.(?P<how>endsWith|startsWith)\(\s*['\"](?P<text>[^'\"*]{1,40})['\"]\s*\)"
    r"|/\\(?P<ending>\.\w{1,20})\$/\.test\([\w.]{1,80}\))\s*\)\s*\{?\s*"
    r"(?:(?:await\s+)?(?:[\w.]{1,80}\.)?(?:unlink|unlinkSync|rm|rmSync|remove|removeSync)\(|\.(?:forEach|map)\()"
)
"""A condition on a name, and right behind it the deletion or the loop that deletes."""


def _pattern(match: re.Match[str]) -> str:
    if match["how"] == "startsWith":
        return f"{match['text']}*"
    return f"*{match['text'] or match['ending']}"


def _listed(call: Call) -> Iterator[str]:
    """What the call lists, itself or through a program: `io.popen("ls /x")`."""
    if call.name == "list.files" or call.last in _LISTING:
        yield from filter(None, call.arguments[:2])
    elif call.last in SHELLS or call.name in SHELLS:
        for argument in filter(None, call.arguments[:1]):
            yield from _LISTING_PROGRAM.findall(argument)

"""What Perl alone writes in its own way: globs in angle brackets, quotes of any sign, walks over a tree."""

from __future__ import annotations

import re
from collections.abc import Iterator

from fairlead.shell.effects.code.act import Act, on_path
from fairlead.shell.effects.effect import Action
from fairlead.shell.lazy_pattern import lazy

_QUOTED = lazy(r"\bqq?\s*(?:\(([^()\"]*)\)|\{([^{}\"]*)\}|\[([^\[\]\"]*)\]|([/|!])([^/|!\"]*)\4)")
_GLOBBED = lazy(r"\b(?:unlink|rmtree|remove_tree|rmdir)\b[^;]{0,60}?<\s{0,9}([^<>$;()]{1,200}?)\s{0,9}>")
_WALKED = lazy(
    r"\bfind(?:depth)?\s*\(?\s*(?:sub\s*)?\{?(?P<body>.{0,300}?)\}?\s*,\s*[\"'](?P<path>[^\"']+)[\"']", re.S
)


def plainly_quoted(text: str) -> str:
    """`q(/x)` as `"/x"`."""
    return _QUOTED.sub(lambda match: '"' + next(filter(None, match.group(1, 2, 3, 5)), "") + '"', text)


def perl_acts(text: str) -> Iterator[Act]:
    for match in _GLOBBED.finditer(text):
        yield on_path(Action.DELETE, match[1], name="unlink", recursive=True)
    for match in _WALKED.finditer(text):
        if re.search(r"\b(?:unlink|rmdir|rmtree)\b", match["body"]):
            yield on_path(Action.DELETE, match["path"], name="find", recursive=True)

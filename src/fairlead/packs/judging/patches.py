"""Which files a patch touches, in the two formats that agents send."""

from __future__ import annotations

import re
from collections.abc import Iterator

from fairlead.shell.effects.effect import Action
from fairlead.shell.lazy_pattern import lazy

_ENVELOPE = lazy(r"^\*\*\* (Update File|Add File|Delete File|Move to): (.+?)\s*$", re.MULTILINE)
_UNIFIED = lazy(r"^(---|\+\+\+) (?:[ab]/)?([^\t\n]+?)\s*(?:\t.*)?$", re.MULTILINE)
_RENAMES = lazy(r"^(?:rename|copy) (?:from|to) (.+)$", re.MULTILINE)
_VERBS = {
    "Update File": Action.WRITE,
    "Add File": Action.OVERWRITE,
    "Delete File": Action.DELETE,
    "Move to": Action.OVERWRITE,
}


def patched_files(text: str) -> Iterator[tuple[str, Action]]:
    """Each path with what the patch does to it."""
    for verb, path in _ENVELOPE.findall(text):
        yield path, _VERBS[verb]
    deleted = "+++ /dev/null" in text
    for side, path in _UNIFIED.findall(text):
        if path != "/dev/null":
            yield path, Action.DELETE if deleted and side == "---" else Action.WRITE
    for path in _RENAMES.findall(text):
        yield path, Action.WRITE


def added_text(text: str) -> str:
    """The lines that a patch adds."""
    return "\n".join(
        line[1:] for line in text.splitlines() if line.startswith("+") and not line.startswith("+++")
    )

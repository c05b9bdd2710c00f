"""Downloads of one version of a program that is known by its name, as its authors release it."""

from __future__ import annotations

import re

from fairlead.shell.script import Command

_RELEASE = r"https://github\.com/[\w.-]+/%s/releases/download/[\w.%%-]*\d[\w.%%-]*/[\w.-]+"


def is_pinned_release(command: Command, name: str) -> bool:
    """`curl -o ~/.local/bin/yq https://github.com/mikefarah/yq/releases/download/v4.44.3/yq_linux_amd64`."""
    words = [word for word in command.argv[1:] if "://" in word.text]
    if command.name not in ("curl", "wget") or len(words) != 1 or not words[0].known:
        return False
    return re.fullmatch(_RELEASE % re.escape(name), words[0].text) is not None

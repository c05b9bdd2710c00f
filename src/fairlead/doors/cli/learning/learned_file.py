"""The file of the user's policy that holds what was learnt and accepted."""

from __future__ import annotations

import json
import os

from fairlead.doors.cli.learning.proposals import Proposal
from fairlead.errors import PolicyError
from fairlead.policy.find import FILE_NAME, read_file
from fairlead.policy.places import Places, write_private
from fairlead.policy.reading.document import MAX_BYTES
from fairlead.policy.reading.load import load_file

_HEADER = """\
# Written by `fairlead learn accept`. Edit it as you like.
id: learned
event: PreToolUse
approve:
"""


def learned_path(places: Places) -> str:
    return os.path.join(places.config, "hooks", "learned", FILE_NAME)


def text_with(before: str, one: Proposal) -> str:
    """The file with one more line. What it says is JSON, which YAML reads alike."""
    text = before.rstrip() + "\n" if before.strip() else _HEADER
    return f"{text}  - {json.dumps(one.item)}\n"


def accept(places: Places, one: Proposal) -> str:
    """Writes it into the user's own policy; the path. Callers ask `require_human` first."""
    path = learned_path(places)
    before = read_file(path, MAX_BYTES).decode() if os.path.exists(path) else ""
    after = text_with(before, one)
    problems = load_file(after.encode(), path, layer="user").problems
    if problems:
        raise PolicyError(f"{path} cannot be added to: {problems[0]}", hint=f"write it by hand: {one.line}")
    write_private(path, after.encode())
    return path

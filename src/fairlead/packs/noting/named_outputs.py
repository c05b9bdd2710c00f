"""Files that a call names before they are there: whatever is found there afterwards, the call has made."""

from __future__ import annotations

import os
from collections.abc import Iterator

from fairlead.packs.judging.call_effects import Call
from fairlead.packs.places.secret_paths import is_secret
from fairlead.sessions.note import Kind, Note
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.places.paths import absolute
from fairlead.shell.script import Command
from fairlead.shell.word_sets import names

_FILE = lazy(r"(?:--?[\w-]+=)?((?:[\w@.-]+/){0,12}[\w@-][\w@.-]*\.[A-Za-z][A-Za-z0-9]{0,5})")
_LOOKING = names(
    """
    cat head tail less more bat ls stat file wc grep egrep fgrep rg ag find fd test [ [[ diff cmp tree du git
    rm rmdir unlink shred trash cd pushd source . echo printf jq yq sed awk cut sort uniq which type command
    """
)
"""They make no file of a name that they are given, or say so by an effect of their own."""


def names_outputs(command: Command) -> bool:
    """Whether it may make a file that it names; asked of every call, without a look at the disk."""
    return command.name not in _LOOKING and any(_named(command))


def output_notes(call: Call) -> Iterator[Note]:
    """In the project: elsewhere much may come to lie under a name, and keys are laid down by people."""
    root = call.where.root
    for command in call.script.commands:
        if command.cwd is None or command.name in _LOOKING or any(each.place for each in command.wrappers):
            continue
        for name in _named(command):
            path = absolute(name, command.cwd)
            inside = path is not None and path.startswith(f"{root}/")
            if path is not None and inside and not is_secret(path) and not os.path.lexists(path):
                yield Note(Kind.WROTE, path, program=command.name)


def _named(command: Command) -> Iterator[str]:
    for word in command.argv[1:]:
        found = _FILE.fullmatch(word.text) if word.opaque is None and not word.glob else None
        if found is not None:
            yield found[1]

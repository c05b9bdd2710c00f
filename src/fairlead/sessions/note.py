"""One thing that is worth remembering of a call, and the line that it is kept as.

Paths, kinds, hosts and programs; never a text that a call wrote, read or sent.
"""

from __future__ import annotations

import json
import os
from enum import StrEnum

from fairlead.model.value import Value

LONGEST = 1024
"""Of a subject, and of all other texts together. A longer path is not noted: half of one would be another."""


class Kind(StrEnum):
    WROTE = "wrote"
    """The session made or changed this file; `existed`: it was there before the session first did. `source`
    has the marks of what it was before each change."""
    TOUCHED = "touched"
    """A package manager of the session may have changed this file, which it keeps; `source` as above."""
    OLDER = "older"
    """Something that is older than the session came to lie here, or may have: it was moved."""
    GONE = "gone"
    """The session deleted this, or moved it away: whatever gets its name next is something else."""
    REPLACED = "replaced"
    """The session wrote all of this file anew: it is no longer what was fetched."""
    FETCHED = "fetched"
    """This file, or all that is in this folder, came from another machine."""
    NAMED = "named"
    """The session gave this name to something new that is no file: a variable in a file (`/p/.env/NAME`), a
    branch (by the path of its ref), a container or a cluster (`docker:NAME`)."""
    CHECKED = "checked"
    """What was fetched was held against a checksum or a signature."""
    SECRET = "secret"  # noqa: S105 - a name, no password
    """A secret was shown to the model."""
    HOLDS_SECRET = "holds-secret"  # noqa: S105 - as above
    """What a secret holds was put into this file, whose name does not tell."""
    UNTRUSTED = "untrusted"
    """Text came in that anybody may have written."""
    INSTRUCTED = "instructed"
    """Text came in that tells the agent what to do, as no person of this session did."""


_LOOSENING = frozenset((Kind.WROTE, Kind.TOUCHED, Kind.GONE, Kind.REPLACED, Kind.NAMED, Kind.CHECKED))


class Note(Value):
    """`subject` is an absolute path, or says in a word what it was; `source` is a host or a kind of source;
    `program` is what did it, and `call` the request of the call, by which the journal knows it."""

    kind: Kind
    subject: str
    source: str = ""
    program: str = ""
    existed: bool = False
    at: float = 0.0
    call: str = ""

    @property
    def tightens(self) -> bool:
        """Whether it can only make later judgements stricter."""
        return self.kind not in _LOOSENING

    @property
    def takes_away(self) -> bool:
        return self.kind in (Kind.GONE, Kind.REPLACED)


def mark_of(status: os.stat_result) -> str:
    """By which what is on the disk can be told from what was."""
    return str(status.st_mtime_ns)


def line_of(note: Note) -> bytes:
    """Empty where it cannot be kept."""
    texts = (note.subject, note.source, note.program, note.call)
    if not _fit(*texts):
        return b""
    kept = [str(note.kind), round(note.at, 3), *texts, int(note.existed)]
    return json.dumps(kept, separators=(",", ":")).encode() + b"\n"


_KINDS = {str(kind): kind for kind in Kind}


def note_in(line: bytes) -> Note | None:
    """None for a line that is torn or none of ours."""
    try:
        kind, at, subject, source, program, call, existed = json.loads(line)
        if not all(isinstance(text, str) for text in (subject, source, program, call)):
            return None
        if not _fit(subject, source, program, call):
            return None
        return Note(_KINDS[kind], subject, source, program, bool(existed), float(at), call)
    except (ValueError, TypeError, KeyError, RecursionError):
        return None


def _fit(subject: str, *others: str) -> bool:
    return 0 < len(subject) <= LONGEST and sum(map(len, others)) <= LONGEST

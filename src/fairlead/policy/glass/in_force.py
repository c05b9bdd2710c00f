"""Which codes count: those that `managed.yaml` names, of the machine's own policy and of its bundle.

The text is searched, not parsed: what has to work when all else is broken needs no reader of YAML, and the
clients, which have none, find the same. A code behind a `#` does not count.
"""

from __future__ import annotations

import os
from collections.abc import Iterator

from fairlead.policy.glass.codes import ENTRY, Entry, entry_from
from fairlead.policy.managed.forbidden import LIMIT, managed_files
from fairlead.policy.places import Places, read_own


def entries_in_force(places: Places) -> list[Entry]:
    found = (match for text in _texts(places) for match in ENTRY.finditer(text))
    return list(dict.fromkeys(map(entry_from, found)))


def is_in_force(places: Places, entry: Entry) -> bool:
    return any(entry.text in text for text in _texts(places))


def _texts(places: Places) -> Iterator[str]:
    for path in trusted_files(places):
        text = (read_own(path, LIMIT) or b"").decode("utf-8", "replace")
        yield "\n".join(line.partition("#")[0] for line in text.split("\n"))


def trusted_files(places: Places) -> list[str]:
    """Where a machine is managed by root, what the user could write does not count."""
    by_root = is_managed_by_root(places)
    return [path for path in managed_files(places) if not by_root or is_roots(path)]


def is_managed_by_root(places: Places) -> bool:
    return any(map(os.path.lexists, (managed_files(places)[0], places.system_enrolment)))


def is_roots(path: str) -> bool:
    try:
        return os.stat(path).st_uid == 0
    except OSError:
        return False

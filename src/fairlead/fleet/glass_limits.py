"""For how long a glass can be broken here, and by whom, as `managed.yaml` says.

A file that cannot be read limits nobody: that is when the glass has to break. Its codes count all the same.
"""

from __future__ import annotations

from fairlead.errors import PolicyError
from fairlead.fleet.break_glass import MINUTES, Limits
from fairlead.policy.document import UnreadableFileError, parse_document
from fairlead.policy.glass.in_force import managed_files
from fairlead.policy.places import Places, read_own

_LIMIT = 262143


def read_limits(places: Places) -> Limits:
    """The narrowest of all files."""
    read = [_limits(path) for path in managed_files(places)]
    people = [each.people for each in read if each.people]
    allowed = [name for name in people[0] if all(name in others for others in people)] if people else []
    return Limits(min((each.minutes for each in read), default=MINUTES), tuple(allowed))


def _limits(path: str) -> Limits:
    content = read_own(path, _LIMIT)
    if content is None:
        return Limits()
    try:
        plain = parse_document(content, path).plain
    except (UnreadableFileError, PolicyError, ValueError):
        return Limits()
    section = plain.get("break_glass") if isinstance(plain, dict) else None
    if not isinstance(section, dict):
        return Limits()
    minutes, people = section.get("minutes"), section.get("people")
    long = minutes if type(minutes) is int and 1 <= minutes <= 1440 else MINUTES
    return Limits(long, tuple(map(str, people)) if isinstance(people, list) else ())

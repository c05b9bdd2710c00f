"""What is published for a group: which bundle, where its bytes are known by, and the word that it is current.

Nothing in it is believed but the signed statement; the rest only says what to fetch.
"""

from __future__ import annotations

from fairlead.fleet.bundles.freshness import MAX_STATEMENT, Release, Rollout, take_release, take_rollout
from fairlead.fleet.bundles.signatures import Signed, take_signed
from fairlead.fleet.documents import NAME, read_document, write_document
from fairlead.fleet.moments import write_moment
from fairlead.model.value import Value

MAX_POINTER = 8192


class Pointer(Value):
    """`published` is in epoch seconds. `rollout` repeats the statement's, for people who look."""

    group: str
    release: Release
    published: int
    roles_version: int
    freshness: Signed
    rollout: Rollout = Rollout()

    def as_json(self) -> dict[str, object]:
        return {
            "format": 1,
            "group": self.group,
            **self.release.as_json(),
            "published": write_moment(self.published),
            "roles_version": self.roles_version,
            "rollout": self.rollout.as_json(),
            "freshness": self.freshness.as_json(),
        }

    def written(self) -> bytes:
        return write_document(self.as_json())


def read_pointer(content: bytes) -> Pointer:
    """Raises RefusedError."""
    fields = read_document(content, "the pointer", limit=MAX_POINTER)
    fields.format()
    pointer = Pointer(
        group=fields.text("group", NAME),
        release=take_release(fields, alone=False),
        published=fields.moment("published"),
        roles_version=fields.number("roles_version", low=1),
        freshness=take_signed(fields.below("freshness"), limit=MAX_STATEMENT),
        rollout=take_rollout(fields),
    )
    fields.finish()
    return pointer

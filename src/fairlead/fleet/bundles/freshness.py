"""What the online key says of a group, every hour or so: this manifest is current, this far it is rolled out.

Without it an old bundle could be served for ever. Whoever steals that key can only hold machines where
they are, or move them between versions that the bundle keys have signed.
"""

from __future__ import annotations

from fairlead.fleet.documents import HASH, MAX_NUMBER, NAME, Fields, read_document, write_document
from fairlead.fleet.moments import write_moment
from fairlead.model.value import Value

MAX_STATEMENT = 4096
WHY = 300
"""Letters of the reason for a halt."""
_MAX_BUNDLE = 16 * 1024 * 1024


class Release(Value):
    """A bundle that is published: its version, and the hashes of its manifest and of the whole file."""

    version: int
    manifest_sha256: str
    bundle_sha256: str
    size: int

    def as_json(self) -> dict[str, object]:
        return {name: getattr(self, name) for name in self._fields}


class Rollout(Value):
    """How far a version has gone. Who is not in `percent` stays with, or takes, `previous`. One that is
    halted goes to nobody else; who has it keeps it, but at 0 % goes back to `previous`."""

    percent: int = 100
    previous: Release | None = None
    halted: bool = False
    why: str = ""
    """It was halted, for people who look."""

    def as_json(self) -> dict[str, object]:
        previous = self.previous.as_json() if self.previous else None
        said: dict[str, object] = {"percent": self.percent, "previous": previous, "halted": self.halted}
        return {**said, "why": self.why} if self.why else said


def goes_back(rollout: Rollout) -> bool:
    """Whether machines are told to leave the version that is named for the one before it."""
    return rollout.halted and rollout.percent == 0 and rollout.previous is not None


class Statement(Value):
    """`at` and `expires` are in epoch seconds; `at` also tells a machine with a wrong clock the time."""

    group: str
    version: int
    manifest_sha256: str
    at: int
    expires: int
    rollout: Rollout = Rollout()

    def as_json(self) -> dict[str, object]:
        return {
            "group": self.group,
            "version": self.version,
            "manifest_sha256": self.manifest_sha256,
            "at": write_moment(self.at),
            "expires": write_moment(self.expires),
            "rollout": self.rollout.as_json(),
        }

    def written(self) -> bytes:
        """What is signed."""
        return write_document(self.as_json())


def read_statement(content: bytes) -> Statement:
    """Raises RefusedError."""
    fields = read_document(content, "the freshness statement", limit=MAX_STATEMENT)
    statement = Statement(
        group=fields.text("group", NAME),
        version=fields.number("version", low=1),
        manifest_sha256=fields.text("manifest_sha256", HASH),
        at=fields.moment("at"),
        expires=fields.moment("expires"),
        rollout=take_rollout(fields),
    )
    fields.finish()
    return statement


def take_rollout(fields: Fields) -> Rollout:
    below = fields.below("rollout")
    previous = take_release(below.below("previous")) if below.has("previous") else None
    if previous is None:
        below.nothing("previous")
    why = below.text("why", limit=WHY) if below.has("why") else ""
    rollout = Rollout(below.number("percent", high=100), previous, below.flag("halted"), why)
    below.finish()
    return rollout


def take_release(fields: Fields, *, alone: bool = True) -> Release:
    """`alone`: the object holds nothing else."""
    release = Release(
        version=fields.number("version", low=1, high=MAX_NUMBER),
        manifest_sha256=fields.text("manifest_sha256", HASH),
        bundle_sha256=fields.text("bundle_sha256", HASH),
        size=fields.number("size", low=1, high=_MAX_BUNDLE),
    )
    if alone:
        fields.finish()
    return release

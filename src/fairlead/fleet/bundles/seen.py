"""What this machine remembers of its fleet: without it an old bundle would be as good as the current one."""

from __future__ import annotations

from collections.abc import Mapping

from fairlead.fleet.bundles.freshness import Statement, goes_back
from fairlead.fleet.bundles.roles import Roles
from fairlead.fleet.documents import HASH, NAME, Fields, read_document, write_document
from fairlead.fleet.moments import write_moment
from fairlead.model.digest import sha256_hex
from fairlead.model.failure import NOTHING
from fairlead.model.value import Value

MAX_SEEN = 256 * 1024


class SeenGroup(Value):
    """`version` is the highest that was taken, 0 for none, and `before` what was in force until then. `at` is
    the latest time that a statement of freshness named, `fresh_until` until when the last one held, `stated`
    the version that it named, and `back` the one that it sent machines back to, 0 for none."""

    version: int = 0
    manifest_sha256: str = ""
    taken: int = 0
    at: int = 0
    fresh_until: int = 0
    stated: int = 0
    stated_sha256: str = ""
    before: int = 0
    back: int = 0
    back_sha256: str = ""

    def as_json(self) -> dict[str, object]:
        return {
            "version": self.version,
            "manifest_sha256": self.manifest_sha256,
            "taken": write_moment(self.taken),
            "at": write_moment(self.at),
            "fresh_until": write_moment(self.fresh_until),
            "stated": self.stated,
            "stated_sha256": self.stated_sha256,
            "before": self.before,
            "back": self.back,
            "back_sha256": self.back_sha256,
        }

    def took(self, version: int, manifest_sha256: str, *, at: int, before: int = 0) -> SeenGroup:
        """Never back to a lower version."""
        if version < self.version or (version, manifest_sha256) == (self.version, self.manifest_sha256):
            return self
        return self.replace(version=version, manifest_sha256=manifest_sha256, taken=at, before=before)

    def may_step_back(self, version: int, manifest_sha256: str) -> bool:
        """A step back is told from an old bundle that somebody serves again by the word of the online key:
        the latest that was heard takes the version back and names this very bundle instead. And it never
        leads below what was in force before that version came: who steals that key undoes one update."""
        return self.before <= version and (version, manifest_sha256) == (self.back, self.back_sha256)

    def heard(self, statement: Statement) -> SeenGroup:
        back = statement.rollout.previous if goes_back(statement.rollout) else None
        return self.replace(
            back=back.version if back else 0,
            back_sha256=back.manifest_sha256 if back else "",
            at=max(self.at, statement.at),
            fresh_until=statement.expires,
            stated=statement.version,
            stated_sha256=statement.manifest_sha256,
        )


class Seen(Value):
    """Of every group that this machine was ever in. `contact` is when a source last answered.
    `roles_version` is that of the roles under which the freshness was heard, and `anchor` the hash of those
    of the enrolment at that time. `lost` is when this memory was found to be gone, and begun anew."""

    groups: Mapping[str, SeenGroup] = NOTHING  # type: ignore[assignment]
    roles_version: int = 0
    contact: int = 0
    anchor: str = ""
    lost: int = 0

    def of(self, group: str) -> SeenGroup:
        return self.groups.get(group) or SeenGroup()

    def with_group(self, group: str, seen: SeenGroup) -> Seen:
        return self.replace(groups={**self.groups, group: seen})

    def forgetting_time(self) -> Seen:
        """What a freshness key said that is no longer believed: it may have named a time far ahead."""
        groups = {
            name: each.replace(at=0, fresh_until=0, stated=0, stated_sha256="", back=0, back_sha256="")
            for name, each in self.groups.items()
        }
        return self.replace(groups=groups)

    def written(self) -> bytes:
        data = {
            "format": 1,
            "groups": {name: each.as_json() for name, each in self.groups.items()},
            "roles_version": self.roles_version,
            "contact": write_moment(self.contact),
            "anchor": self.anchor,
        }
        return write_document({**data, "lost": write_moment(self.lost)} if self.lost else data)

    def roles_floor(self, anchor: Roles) -> int:
        """The version of the roles that was believed under this enrolment: whoever loses the later ones does
        not fall back on keys that were taken out."""
        return self.roles_version if self.anchor == anchor_hash(anchor) else 0


def anchor_hash(anchor: Roles) -> str:
    return sha256_hex(anchor.written())


def read_seen(content: bytes) -> Seen:
    """Raises RefusedError."""
    fields = read_document(content, "seen.json", limit=MAX_SEEN)
    fields.format()
    below = fields.below("groups")
    names = fields.mapping("groups")
    if not all(map(NAME.fullmatch, names)):
        raise fields.wrong("groups", "holds what is no name")
    seen = Seen(
        {name: _group(below.below(name)) for name in names},
        fields.number("roles_version"),
        fields.moment("contact"),
        fields.text("anchor", HASH) if fields.has("anchor") and fields.filled("anchor") else "",
        fields.moment("lost") if fields.has("lost") else 0,
    )
    fields.finish()
    return seen


def _group(fields: Fields) -> SeenGroup:
    def hash_of(name: str) -> str:
        return fields.text(name, HASH) if fields.filled(name) else ""

    group = SeenGroup(
        version=fields.number("version"),
        manifest_sha256=hash_of("manifest_sha256"),
        taken=fields.moment("taken"),
        at=fields.moment("at"),
        fresh_until=fields.moment("fresh_until"),
        stated=fields.number("stated"),
        stated_sha256=hash_of("stated_sha256"),
        before=fields.number("before"),
        back=fields.number("back"),
        back_sha256=hash_of("back_sha256"),
    )
    fields.finish()
    return group

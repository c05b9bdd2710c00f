"""What of a policy is in audit, by what somebody would call it, and where that is said."""

from __future__ import annotations

from collections.abc import Iterator

from fairlead.model.hook import AUDIT, HookType
from fairlead.model.value import Value
from fairlead.policy.layering.defaults import TELLS_RULES_APART
from fairlead.policy.mode import names_of, unless_named
from fairlead.policy.policy import Policy
from fairlead.policy.reading.entry import Entry


class AuditedPart(Value):
    """An entry, or a pack or rule of one."""

    name: str
    origin: str
    by_name: bool
    """Whether it is in audit by a word of its own, and not because everything is."""


def audited_parts(policy: Policy) -> list[AuditedPart]:
    """Each once, though it be there for several events; what is said of everything is `policy.mode`."""
    entries = [entry for entry in policy.entries if _counts(entry)]
    called = frozenset().union(*map(names_of, policy.entries))
    found = {part.name: part for entry in entries for part in _parts(entry, called)}
    return list(found.values())


def _counts(entry: Entry) -> bool:
    return entry.enabled and entry.type is not HookType.OBSERVABILITY


def _parts(entry: Entry, called: frozenset[str]) -> Iterator[AuditedPart]:
    """`called` are the names of entries, which are no packs or rules of this one."""
    if entry.mode == AUDIT:
        yield AuditedPart(entry.id, entry.origin, "mode" in entry.spots)
    if entry.builtin not in TELLS_RULES_APART:
        return
    packs = entry.config.get("packs")
    said = packs if isinstance(packs, dict) else {}
    own = unless_named(map(str, said.get("audit", ())), entry.enforced)
    for name in dict.fromkeys((*own, *entry.watched)):
        if name not in called and name not in said.get("enforce", ()):
            yield AuditedPart(name, entry.origin, by_name=True)

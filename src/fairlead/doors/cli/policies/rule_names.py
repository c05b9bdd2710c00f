"""The names that commands take for rules, packs and entries."""

from __future__ import annotations

from fairlead.errors import UsageError
from fairlead.packs.judging.guard_settings import SELF_PROTECTION
from fairlead.packs.judging.pack_table import PACKS, all_packs, is_rule
from fairlead.policy.mode import ALWAYS_ENFORCED
from fairlead.policy.mode_names import entry_names
from fairlead.policy.policy import Policy
from fairlead.policy.reading.schema import suggestion


def require_known(name: str, policy: Policy) -> None:
    """Raises UsageError for a name that is nobody's, or that no mode can change."""
    if name.partition("/")[0] == SELF_PROTECTION or name in ALWAYS_ENFORCED:
        raise UsageError(f"{name!r} is always enforced")
    entries = entry_names(policy)
    if name in PACKS or is_rule(name) or name in entries:
        return
    known = [*PACKS, *entries, *(rule.id for pack in all_packs() for rule in pack.rules)]
    hint = suggestion(name, known, otherwise="`fairlead packs show PACK` shows the rules of a pack")
    raise UsageError(f"there is no rule, pack or entry {name!r}", hint=hint)

"""Rules, packs, and the hooks of the policy that applies here."""

from __future__ import annotations

import os
from collections.abc import Iterator

from fairlead.doors.cli.given.name import Name, among
from fairlead.doors.cli.output import Session


def rule_ids(session: Session) -> Iterator[tuple[str, str]]:
    from fairlead.packs.judging.pack_table import all_packs

    for pack in all_packs():
        for rule in pack.rules:
            yield rule.id, rule.person


def pack_ids(session: Session) -> Iterator[str]:
    """None of them is imported for it: a Tab key waits for this."""
    from fairlead.packs.judging.pack_table import PACKS

    yield from PACKS


def hook_ids(session: Session) -> Iterator[str]:
    from fairlead.assembly import policy_for
    from fairlead.doors.hook.root import git_root

    policy = policy_for(session.places, git_root(os.getcwd()), "", ())
    yield from dict.fromkeys(entry.id for entry in policy.entries)


def _audited(session: Session) -> Iterator[str | tuple[str, str]]:
    yield from pack_ids(session)
    yield from rule_ids(session)
    yield from hook_ids(session)


def _rule(session: Session, word: str) -> str | None:
    from fairlead.packs.judging.pack_table import is_rule

    return word if is_rule(word) else None


RULE = Name("rule", rule_ids, find=_rule, otherwise="`fairlead packs show PACK` has the ids")
PACK = Name("pack", pack_ids, find=among(pack_ids))
HOOK = Name("hook", hook_ids, find=among(hook_ids), otherwise="`fairlead hooks list` shows what there is")
RULE_PACK_OR_HOOK = Name("rule", _audited)
"""The command looks it up: some are always enforced, and it says so."""

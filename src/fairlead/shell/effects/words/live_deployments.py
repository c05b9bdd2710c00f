"""Deployments and migrations of production, by what a program is told, whatever program it is."""

from __future__ import annotations

from collections.abc import Sequence

from fairlead.shell.effects.effect import Action, Effect
from fairlead.shell.effects.program_effects import shown
from fairlead.shell.effects.words.unlisted_programs import SPEAKING, Told
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.word_sets import names

_VERB = lazy(
    r"(?i)^(?:[\w-]{1,40}:)?(?:deploy|redeploy|rollout|promote|ship|migrate|upgrade)(?:[:-](?:up|latest|all|prod|production))?$"
)
_LOOKS = names(
    "status list ls show history logs log diff plan check validate info describe get preview create new make"
)
_MAKES, _ONLY_SHOWN = names("make gmake"), names("-n --just-print --recon -q --question")
_MODES = ("NODE_ENV", "RUST_ENV", "MIX_ENV", "ASPNETCORE_ENVIRONMENT", "FLASK_ENV", "BABEL_ENV")
"""Variables that say how a program is built, and not where it goes."""


def going_live(told: Told) -> Sequence[Effect]:
    """`mytool deploy --env production`, `RAILS_ENV=production rake db:migrate`."""
    if (
        told.tries
        or told.name in SPEAKING
        or (told.name in _MAKES and not _ONLY_SHOWN.isdisjoint(told.texts))
    ):
        return ()
    words = [word.text[:80] for word in told.given.operands[:4]]
    if not any(map(_VERB.match, words)) or not _LOOKS.isdisjoint(words):
        return ()
    from fairlead.shell.effects.services.live_places import names_production  # only behind such a verb

    assigned = [value.text for name, value in told.command.assignments.items() if name not in _MODES]
    if not names_production([*told.texts, *assigned]):
        return ()
    return (Effect(Action.CHANGE_CLOUD, "go-live", told.command, what=shown(told.command)),)

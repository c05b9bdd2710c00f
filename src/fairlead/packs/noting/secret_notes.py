"""Secrets that a call shows to the model although the guard objects: a person consents, or made an exception."""

from __future__ import annotations

from collections.abc import Iterator

from fairlead.model.hook import Outcome
from fairlead.model.verdict import Verdict
from fairlead.packs.judging.call_effects import Call
from fairlead.shell.effects.effect import Action

TYPE_CHECKING = False
if TYPE_CHECKING:
    from fairlead.sessions.note import Note

_PACK = "secrets/"
_SHOWING = frozenset((str(Action.READ), str(Action.READ_SECRET)))


def shows_secret(verdict: Verdict) -> bool:
    return any(map(_is_about_reading, verdict.outcomes))


def _is_about_reading(outcome: Outcome) -> bool:
    if outcome.rule.startswith(_PACK):
        return outcome.metrics.get("effect") in _SHOWING
    excused = outcome.metrics.get("excused")
    return isinstance(excused, (list, tuple)) and any(str(rule).startswith(_PACK) for rule in excused)


def secret_notes(call: Call) -> Iterator[Note]:
    """By the file, where there is one; what stands in it is nobody's to keep."""
    from fairlead.packs.rules.secrets import holds_secret  # only after an objection
    from fairlead.sessions.note import Kind, Note

    reading = [effect for effect in call.effects if effect.action in (Action.READ, Action.READ_SECRET)]
    named = [e.target.path for e in reading if e.target is not None and holds_secret(e.target)]
    for subject in named[:1] or [reading[0].name for _ in reading[:1]]:
        yield Note(Kind.SECRET, subject)

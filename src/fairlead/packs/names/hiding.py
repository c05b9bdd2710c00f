"""Whether an effect says what it acts on. Nearly all do, and none of those costs more than the question."""

from __future__ import annotations

from fairlead.shell.effects.effect import Action, Effect
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.places.surroundings import Surroundings
from fairlead.shell.places.targets import Place
from fairlead.shell.script import Script

_NOT_HERE = (Place.SINK, Place.REMOTE, Place.REMOTE_ROOT, Place.DEVICE)
_WILD = lazy(r"[*?\[({]")


def with_hidden_names(effects: tuple[Effect, ...], script: Script, where: Surroundings) -> tuple[Effect, ...]:
    """The effects, and each of those that hide their target once more for what it may be."""
    hiding = [effect for effect in effects if _hides(effect, where)]
    if not hiding:
        return effects
    from fairlead.packs.names.hidden_names import variants  # only where there is something to find out

    return (*effects, *variants(hiding, script, where))


def _hides(effect: Effect, where: Surroundings) -> bool:
    target = effect.target
    if target is None or effect.action is Action.LIST or target.place in _NOT_HERE:
        return False
    if target.pattern or target.word.opaque or not target.path or where.ignores_case:
        return True
    return _WILD.search(target.path) is not None

"""One rule of a policy, as its file says it."""

from __future__ import annotations

from collections.abc import Mapping
from difflib import get_close_matches

from fairlead.errors import PolicyError
from fairlead.model.decision import DECISION_WORDS, Decision
from fairlead.model.matching.matcher import Matcher, matcher_from
from fairlead.model.matching.pattern import Pattern, text_pattern
from fairlead.model.value import Value
from fairlead.packs.identity_memory import once_for_each
from fairlead.shell.effects.effect import Action
from fairlead.shell.places.targets import Place


class OwnRule(Value):
    """What it is about: all that is given has to fit, and of a list any one."""

    id: str
    decision: Decision
    reason: str
    person: str = ""
    alternative: str = ""
    agent: tuple[str, ...] = ()
    tool: Matcher | None = None
    program: tuple[Pattern, ...] = ()
    subcommand: tuple[tuple[str, ...], ...] = ()
    argument: tuple[Pattern, ...] = ()
    branch: tuple[Pattern, ...] = ()
    effect: tuple[tuple[str, str], ...] = ()
    """Action and name; an empty name is any."""
    place: frozenset[Place] = frozenset()
    path: tuple[Pattern, ...] = ()

    @property
    def about_commands(self) -> bool:
        return bool(self.program or self.subcommand or self.argument or self.branch)

    @property
    def about_effects(self) -> bool:
        return bool(self.effect or self.place or self.path)


@once_for_each(256)
def read_rule(config: Mapping[str, object]) -> OwnRule:
    """Raises PolicyError for a word that means nothing: a rule that never fits forbids nothing."""
    spec = config.get("rule")
    if not isinstance(spec, Mapping):
        raise PolicyError("a rule is a mapping", hint="write it under `rules:`")
    tool = spec.get("tool")
    return OwnRule(
        str(spec["id"]),
        DECISION_WORDS[str(spec.get("decision", "block"))],
        str(spec.get("reason") or f"The policy forbids this ({spec['id']})."),
        str(spec.get("person") or ""),
        str(spec.get("alternative") or ""),
        agent=_texts(spec, "agent"),
        tool=None if tool is None else matcher_from(tool),
        program=_patterns(spec, "program"),
        subcommand=tuple(tuple(text.split()) for text in _texts(spec, "subcommand")),
        argument=_patterns(spec, "argument"),
        branch=_patterns(spec, "branch"),
        effect=tuple(_effect(text) for text in _texts(spec, "effect")),
        place=frozenset(_place(text) for text in _texts(spec, "place")),
        path=_patterns(spec, "path", flags=False),
    )


def _texts(spec: Mapping[str, object], key: str) -> tuple[str, ...]:
    given = spec.get(key)
    if given is None:
        return ()
    return tuple(str(item) for item in given) if isinstance(given, list | tuple) else (str(given),)


def _patterns(spec: Mapping[str, object], key: str, *, flags: bool = True) -> tuple[Pattern, ...]:
    return tuple(text_pattern(text, flags=flags) for text in _texts(spec, key))


def _effect(text: str) -> tuple[str, str]:
    action, _, name = text.partition("/")
    if action not in list(Action):
        raise _unknown("effect", action, [str(each) for each in Action])
    return action, name


def _place(text: str) -> Place:
    known = {place.name.lower().replace("_", "-"): place for place in Place}
    if text not in known:
        raise _unknown("place", text, list(known))
    return known[text]


def _unknown(what: str, word: str, known: list[str]) -> PolicyError:
    near = get_close_matches(word, known, n=1)
    hint = f"did you mean {near[0]!r}?" if near else f"one of: {', '.join(known)}"
    return PolicyError(f"there is no {what} called {word!r}", hint=hint)

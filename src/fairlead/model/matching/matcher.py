"""Which calls a hook wants to see."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from fairlead.errors import RegistrationError
from fairlead.model.facts import facts_of
from fairlead.model.tool_call import CANONICAL_NAMES, ToolCall, ToolKind
from fairlead.model.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Protocol

    from fairlead.model.matching.pattern import (
        Pattern,  # a system without matchers of its own never reads one
    )
else:
    Protocol = object


class Matcher(Protocol):
    """Anything with `matches`. `call` is None for events without a tool; `state` is the event or agent."""

    def matches(self, call: ToolCall | None, state: object, /) -> bool: ...


class Anything(Value):
    def matches(self, call: ToolCall | None, state: object, /) -> bool:
        return True


ANYTHING = Anything()


class Names(Value):
    """The tool's own name, its kind, or the best-known name of that kind: `Bash` is every agent's shell.

    Events without a tool are matched by their subject: a session's source, a notification's type.
    """

    patterns: tuple[Pattern, ...]

    def matches(self, call: ToolCall | None, state: object, /) -> bool:
        if call is None:
            subjects = [str(getattr(state, "subject", ""))]
        else:
            subjects = [call.name, str(call.kind), CANONICAL_NAMES.get(call.kind, call.name)]
        return any(pattern.fits(subject) for pattern in self.patterns for subject in subjects)


class Arguments(Value):
    """Every named argument fits its pattern."""

    patterns: Mapping[str, Pattern]

    def matches(self, call: ToolCall | None, state: object, /) -> bool:
        if call is None:
            return False
        return all(
            key in call.input and pattern.fits(str(call.input[key])) for key, pattern in self.patterns.items()
        )


class Paths(Value):
    """Some path that the call touches fits the pattern, seen from the project root or absolutely."""

    pattern: Pattern

    def matches(self, call: ToolCall | None, state: object, /) -> bool:
        if call is None:
            return False
        root = str(getattr(state, "root", "")).rstrip("/") + "/"
        facts = facts_of(call, str(getattr(state, "cwd", "")))
        paths = [fact.path for fact in facts.paths]
        return any(self.pattern.fits(path) or self.pattern.fits(path.removeprefix(root)) for path in paths)


class AnyOf(Value):
    matchers: tuple[Matcher, ...]

    def matches(self, call: ToolCall | None, state: object, /) -> bool:
        return any(matcher.matches(call, state) for matcher in self.matchers)


class AllOf(Value):
    matchers: tuple[Matcher, ...]

    def matches(self, call: ToolCall | None, state: object, /) -> bool:
        return all(matcher.matches(call, state) for matcher in self.matchers)


class Not(Value):
    matcher: Matcher

    def matches(self, call: ToolCall | None, state: object, /) -> bool:
        return not self.matcher.matches(call, state)


class Predicate(Value):
    function: Callable[[ToolCall | None, object], bool]

    def matches(self, call: ToolCall | None, state: object, /) -> bool:
        return bool(self.function(call, state))


def any_of(*specs: object) -> Matcher:
    """Fits what at least one of these fits."""
    return AnyOf(tuple(matcher_from(spec) for spec in specs))


def not_(spec: object) -> Matcher:
    """Fits what this does not fit."""
    return Not(matcher_from(spec))


def matcher_from(spec: object) -> Matcher:
    """The matcher that an author wrote: None, a name, a list, a mapping, a function or an object."""
    if spec is None or spec in ("", "*"):
        return ANYTHING
    if isinstance(spec, str):
        from fairlead.model.matching.pattern import name_patterns

        return Names(name_patterns(spec))
    if isinstance(spec, Mapping):
        return _from_mapping(spec)
    if isinstance(spec, Sequence):
        return any_of(*spec)
    if callable(getattr(spec, "matches", None)):
        return spec  # type: ignore[return-value]  # checked on the line above
    if callable(spec):
        return Predicate(spec)
    raise RegistrationError(
        f"a matcher cannot be a {type(spec).__name__}",
        hint="write a tool name, a glob, a /regular expression/, a list of these, or a mapping",
    )


MATCHER_KEYS = ("tool", "kind", "path", "arguments", "not", "claude", "gemini")


def _from_mapping(spec: Mapping[str, object]) -> Matcher:
    from fairlead.model.matching.pattern import text_pattern

    parts: list[Matcher] = []
    for key, value in spec.items():
        if key == "tool":
            parts.append(matcher_from(value))
        elif key == "kind":
            parts.append(_kinds(value))
        elif key == "path":
            parts.append(any_of_paths(value))
        elif key == "arguments" and isinstance(value, Mapping):
            parts.append(Arguments({str(name): text_pattern(str(text)) for name, text in value.items()}))
        elif key == "not":
            parts.append(not_(value))
        elif key in ("claude", "gemini"):
            from fairlead.model.matching.agent_matcher import agent_matcher  # rare: an imported hook's

            parts.append(agent_matcher(key, value))
        else:
            raise RegistrationError(
                f"a matcher has no key {key!r}", hint=f"known keys: {', '.join(MATCHER_KEYS)}"
            )
    return parts[0] if len(parts) == 1 else AllOf(tuple(parts))


def any_of_paths(spec: object) -> Matcher:
    from fairlead.model.matching.pattern import text_pattern

    texts = [spec] if isinstance(spec, str) else list(spec) if isinstance(spec, Sequence) else [str(spec)]
    return AnyOf(tuple(Paths(text_pattern(str(text), flags=False)) for text in texts))


def _kinds(spec: object) -> Matcher:
    from fairlead.model.matching.pattern import Glob, split_words

    listed = spec if isinstance(spec, Sequence) and not isinstance(spec, str) else [spec]
    words = [word for item in listed for word in split_words(str(item))]
    for word in words:
        if word not in ToolKind.__members__.values():
            raise _no_kind(word)
    return Names(tuple(Glob(word) for word in words))


def _no_kind(word: str) -> RegistrationError:
    from difflib import get_close_matches  # only a mistake pays for this import

    near = get_close_matches(word.lower()[:100], list(ToolKind), n=1)
    hint = f"did you mean {str(near[0])!r}?" if near else f"one of: {', '.join(ToolKind)}"
    return RegistrationError(f"there is no kind of tools called {word!r}", hint=hint)

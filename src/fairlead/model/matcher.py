"""Which calls a hook wants to see."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from fnmatch import fnmatchcase
from typing import Protocol

from fairlead.errors import RegistrationError
from fairlead.model.bounded_pattern import checked, finds
from fairlead.model.facts import facts_of
from fairlead.model.tool_call import CANONICAL_NAMES, ToolCall
from fairlead.model.value import Value


class Matcher(Protocol):
    """Anything with `matches`. `call` is None for events without a tool; `state` is the event or agent."""

    def matches(self, call: ToolCall | None, state: object, /) -> bool: ...


class Pattern(Value):
    """A word, a glob, or a /regular expression/. A regular expression is searched, not anchored."""

    text: str

    def fits(self, subject: str) -> bool:
        if len(self.text) > 1 and self.text.startswith("/") and self.text.endswith("/"):
            return finds(self.text[1:-1], subject)
        return self.text == subject or fnmatchcase(subject, self.text)


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
    return AnyOf(tuple(matcher_from(spec) for spec in specs))


def not_(spec: object) -> Matcher:
    return Not(matcher_from(spec))


def matcher_from(spec: object) -> Matcher:
    """The matcher that an author wrote: None, a name, a list, a mapping, a function or an object."""
    if spec is None or spec in ("", "*"):
        return ANYTHING
    if isinstance(spec, str):
        return Names(tuple(_pattern(word) for word in _words(spec)))
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


MATCHER_KEYS = ("tool", "kind", "path", "arguments", "not")


def _from_mapping(spec: Mapping[str, object]) -> Matcher:
    parts: list[Matcher] = []
    for key, value in spec.items():
        if key in ("tool", "kind"):
            parts.append(matcher_from(value))
        elif key == "path":
            parts.append(any_of_paths(value))
        elif key == "arguments" and isinstance(value, Mapping):
            parts.append(Arguments({str(name): _pattern(str(text)) for name, text in value.items()}))
        elif key == "not":
            parts.append(not_(value))
        else:
            raise RegistrationError(
                f"a matcher has no key {key!r}", hint=f"known keys: {', '.join(MATCHER_KEYS)}"
            )
    return parts[0] if len(parts) == 1 else AllOf(tuple(parts))


def any_of_paths(spec: object) -> Matcher:
    texts = [spec] if isinstance(spec, str) else list(spec) if isinstance(spec, Sequence) else [str(spec)]
    return AnyOf(tuple(Paths(_pattern(str(text))) for text in texts))


def _words(spec: str) -> list[str]:
    if spec.startswith("/") and spec.endswith("/"):
        return [spec]
    return [word.strip() for word in re.split(r"[|,]", spec) if word.strip()]


def _pattern(text: str) -> Pattern:
    if len(text) > 1 and text.startswith("/") and text.endswith("/"):
        try:
            checked(text[1:-1])
        except re.error as error:
            raise RegistrationError(
                f"{text} is not a regular expression: {error}", hint="mend it, or write a glob"
            ) from error
    return Pattern(text)

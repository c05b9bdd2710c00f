"""Matchers that read well and never fit: near misses of a name, globs that look like regular expressions.

Whether a name is right only a person knows, since an MCP server or a program may call its tools anything. So
these are found when a policy is checked, not when it is in force.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fnmatch import translate

from fairlead.errors import RegistrationError
from fairlead.model.matching.pattern import Expression, Glob, Pattern, name_patterns
from fairlead.model.tool_call import CANONICAL_NAMES, ToolKind
from fairlead.model.value import Value
from fairlead.policy.reading.problem import ERROR, WARNING

Tools = Mapping[str, frozenset[str]]
"""By name, the agents that have a tool of that name."""

_EVERY_AGENT = frozenset((*CANONICAL_NAMES.values(), *ToolKind))
"""Names that mean a tool of every agent."""
_GLOB_SIGNS = frozenset("*?[")


class Doubt(Value):
    """An error where the matcher cannot be meant so, a warning where it may be."""

    message: str
    hint: str
    severity: str = ERROR


def matcher_doubts(spec: object, tools: Tools) -> Iterator[Doubt]:
    """What is doubtful about the matcher of a hook that looks at tools."""
    if isinstance(spec, str):
        yield from _in_words(spec, tools)
    elif isinstance(spec, Mapping):
        for key in ("tool", "not"):
            yield from matcher_doubts(spec.get(key), tools)
    elif isinstance(spec, Sequence):
        for item in spec:
            yield from matcher_doubts(item, tools)


def _in_words(spec: str, tools: Tools) -> Iterator[Doubt]:
    try:
        patterns = name_patterns(spec)
    except RegistrationError:
        return  # found when the policy is loaded
    for pattern in patterns:
        if isinstance(pattern, Expression):
            yield from _in_expression(pattern, tools)
        elif _GLOB_SIGNS.isdisjoint(pattern.text):
            yield from _in_name(pattern.text, tools)
        else:
            yield from _in_glob(pattern, tools)


def _in_name(name: str, tools: Tools) -> Iterator[Doubt]:
    if name in _EVERY_AGENT:
        return
    meant = _spelled_otherwise(name, _EVERY_AGENT)
    if meant:
        only = f" but {_listed(tools[name])}" if name in tools else ""
        yield Doubt(
            f"no agent{only} has a tool called {name!r}: small and capital letters count", f"write {meant}"
        )
    elif name in tools:
        if "claude" not in tools[name]:
            message = f"{name!r} is a tool of {_listed(tools[name])} alone"
            yield Doubt(message, "name a kind, such as `shell` or `write`, to mean every agent's", WARNING)
    else:
        yield from _in_unknown_name(name, tools)


def _in_unknown_name(name: str, tools: Tools) -> Iterator[Doubt]:
    near = _spelled_otherwise(name, tools) or _one_letter_off(name, (*_EVERY_AGENT, *tools))
    if near:
        yield Doubt(f"no agent has a tool called {name!r}", f"did you mean {near}?")
    elif "__" not in name:
        message = f"no agent that Fairlead knows has a tool called {name!r}"
        yield Doubt(message, "right for a tool of your own, else see `fairlead coverage`", WARNING)


def _in_glob(glob: Glob, tools: Tools) -> Iterator[Doubt]:
    if ".*" in glob.text or ".+" in glob.text:
        message = f"{glob.text!r} reads as a regular expression; as a glob it wants a dot in the name"
        yield Doubt(message, f"write {glob.text.replace('.*', '*').replace('.+', '?*')} or /{glob.text}/")
    elif "__" not in glob.text:
        yield from _in_pattern(glob, repr(glob.text), tools)


def _in_expression(expression: Expression, tools: Tools) -> Iterator[Doubt]:
    if "__" not in expression.source:
        yield from _in_pattern(expression, f"/{expression.source}/", tools)


def _in_pattern(pattern: Pattern, shown: str, tools: Tools) -> Iterator[Doubt]:
    if any(map(pattern.fits, _EVERY_AGENT)):
        return
    fitting = [name for name in tools if pattern.fits(name)]
    if any("claude" in tools[name] for name in fitting):
        return
    only = f" but {_listed(frozenset().union(*(tools[name] for name in fitting)))}" if fitting else ""
    meant = next(filter(_ignoring_case(pattern).fits, sorted(_EVERY_AGENT)), "")
    if meant:
        message = f"{shown} fits no tool of any agent{only}: small and capital letters count"
        yield Doubt(message, f"it would fit {meant}; write it so, or as /…/i")
    elif fitting:
        hint = "name a kind, such as `shell` or `write`, to mean every agent's"
        yield Doubt(f"{shown} fits no tool of any agent{only}", hint, WARNING)
    else:
        yield Doubt(f"{shown} fits no tool of any agent", "right for tools of your own", WARNING)


def _ignoring_case(pattern: Pattern) -> Expression:
    source = pattern.source if isinstance(pattern, Expression) else translate(pattern.text)
    return Expression(source, ignore_case=True)


def _spelled_otherwise(name: str, known: Sequence[str] | frozenset[str] | Tools) -> str:
    return next((each for each in sorted(known) if each != name and each.lower() == name.lower()), "")


def _one_letter_off(name: str, known: Sequence[str]) -> str:
    """A name with one letter changed, added, left out, or two neighbours exchanged; none for short ones."""
    return next(
        (each for each in sorted(known) if len(each) > 3 and _is_near(name.lower(), each.lower())), ""
    )


def _is_near(one: str, other: str) -> bool:
    if abs(len(one) - len(other)) > 1:
        return False
    start = next(
        (n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other))
    )
    rest, others = one[start:], other[start:]
    swapped = rest[:2] == others[:2][::-1] and rest[2:] == others[2:]
    return swapped or rest[1:] == others[1:] or rest[1:] == others or rest == others[1:]


def _listed(agents: frozenset[str]) -> str:
    return ", ".join(sorted(agents - {"generic"}) or agents)

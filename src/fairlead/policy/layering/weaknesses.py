"""Where a policy guards less than Fairlead does by itself. Allowed, and never in silence."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fairlead.model.decision import Decision
from fairlead.model.event_name import EventName
from fairlead.model.hook import AUDIT
from fairlead.policy.layering.defaults import BUILTIN_TYPES, default_entries
from fairlead.policy.reading.entry import Entry
from fairlead.policy.reading.problem import WARNING, Problem


def weaknesses(entries: Sequence[Entry]) -> Iterator[Problem]:
    """A warning for each built-in guard that is on by default and would stop less than it could."""
    for default in default_entries(frozenset(BUILTIN_TYPES)):
        if not default.enabled or default.observes:
            continue
        standing = [one for one in entries if (one.id, one.event) == (default.id, default.event)]
        if not standing:
            yield default.problem("id", f"nothing stands for {_named(default)}", severity=WARNING)
        for entry in standing:
            if entry.file:
                yield from _in_entry(entry)


def unguarded(entries: Sequence[Entry]) -> bool:
    """Whether no guard at all looks at tool calls."""
    guards = (one for one in entries if one.event is EventName.BEFORE_TOOL and not one.observes)
    return not any(one.enabled for one in guards if one.id != "validate-tool-inputs")


def _in_entry(entry: Entry) -> Iterator[Problem]:
    named = _named(entry)
    if not entry.enabled:
        yield entry.problem("enabled", f"{named} is off", hint="`enabled: true`", severity=WARNING)
        return
    if not entry.builtin and not entry.broken:
        message = f"{entry.runs_as} stands in the place of {named}, which no longer runs"
        yield entry.problem("path", message, hint="give your own hook another id", severity=WARNING)
    if entry.matcher is not None:
        message = f"{named} no longer sees every call"
        yield entry.problem("matcher", message, hint="leave out `matcher`", severity=WARNING)
    if entry.on_error is not Decision.BLOCK:
        message = f"{named} says {entry.on_error.word} when it breaks"
        yield entry.problem("on_error", message, hint="leave out `on_error`", severity=WARNING)
    if entry.mode == AUDIT:
        message = f"{named} only writes down what it would stop"
        yield entry.problem("mode", message, hint="`mode: enforce`", severity=WARNING)
    if entry.config.get("follow") == "none":
        message = f"{named} does not look into files that a call would run"
        yield entry.problem("config", message, hint="`follow: written`", severity=WARNING)
    packs = entry.config.get("packs")
    disabled = packs.get("disable") if isinstance(packs, dict) else None
    if isinstance(disabled, list) and disabled:
        message = f"{named} judges without {', '.join(map(str, disabled))}"
        yield entry.problem(
            "config", message, hint="`fairlead packs list` shows what they stop", severity=WARNING
        )


def _named(entry: Entry) -> str:
    return f"the built-in guard {entry.id} at {entry.event}"

"""Options that mean nothing beside others are refused: whoever gives one expects something of it."""

from __future__ import annotations

from collections.abc import Mapping

from fairlead.errors import UsageError


def refuse_idle(options: Mapping[str, object], *, hint: str) -> None:
    """Raises UsageError for those of the options that were given, where none of them has an effect."""
    given = [name for name, value in options.items() if value]
    if given:
        change = "changes" if len(given) == 1 else "change"
        raise UsageError(f"{' and '.join(given)} {change} nothing here", hint=hint)


def refuse_several(options: Mapping[str, object]) -> None:
    """Raises UsageError where more than one of the options was given, of which each excludes the others."""
    given = [name for name, value in options.items() if value]
    if len(given) > 1:
        raise UsageError(f"{' and '.join(given)} exclude each other", hint=f"leave out all but {given[0]}")

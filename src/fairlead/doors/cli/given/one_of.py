"""A word out of a few."""

from __future__ import annotations

from collections.abc import Iterable

import click

from fairlead.doors.cli.given.click_types import TextChoice
from fairlead.errors import UsageError
from fairlead.policy.reading.schema import suggestion


class OneOf(TextChoice):
    def __init__(self, noun: str, words: Iterable[str]) -> None:
        super().__init__(list(words))
        self.noun = noun

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        if value in self.choices:
            return value
        hint = suggestion(value, self.choices, otherwise=f"one of: {', '.join(self.choices)}")
        raise UsageError(f"there is no {self.noun} {value!r}", hint=hint)

"""Which commands feed which: found once for a script, so that the work stays linear in its length."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from functools import cached_property

from fairlead.shell.script import Command, Script, Word
from fairlead.shell.unknown import Stage

_LOOKED_UP = 500


def _stage(command: Command) -> Stage:
    return tuple([word.text for word in command.argv])


class Sources:
    """The commands of one script, by pipeline and by place; most scripts never ask for them."""

    def __init__(self, script: Script) -> None:
        self._commands = script.commands
        self._asked: tuple[tuple[int, ...], tuple[Word, ...], tuple[Command, ...]] | None = None

    @cached_property
    def _pipelines(self) -> dict[int, list[Command]]:
        pipelines: dict[int, list[Command]] = {}
        for command in self._commands:
            pipelines.setdefault(command.pipeline, []).append(command)
        return pipelines

    @cached_property
    def _substituted(self) -> list[Command]:
        return sorted((c for c in self._commands if "$()" in c.via), key=lambda command: command.start)

    @cached_property
    def _starts(self) -> list[int]:
        return [command.start for command in self._substituted]

    @cached_property
    def _by_stage(self) -> dict[Stage, Command]:
        return {_stage(command): command for command in self._commands[:_LOOKED_UP]}

    def before(self, command: Command) -> Sequence[Command]:
        """What stands before it in its pipe."""
        if not command.position:
            return ()
        piped = self._pipelines.get(command.pipeline, ())
        return [other for other in piped if other.position < command.position]

    def of(self, command: Command) -> tuple[Command, ...]:
        """What feeds it: before it in its pipe, or inside one of its words; found once for all words."""
        key = (command.pipeline, command.position, command.start, command.end, len(command.argv))
        asked = self._asked
        if asked is None or asked[0] != key or asked[1] is not command.argv:
            asked = self._asked = (key, command.argv, tuple(self._feeding(command)))
        return asked[2]

    def _feeding(self, command: Command) -> Iterator[Command]:
        """A word that is another command's output names that command; this finds it also where the text was
        read from a copy, and the places say nothing."""
        yield from self.before(command)
        words = (*command.argv, *(redirect.target for redirect in command.redirects))
        named = {stage for word in words if word.opaque is not None for stage in word.opaque.commands()}
        first = bisect_left(self._starts, command.start)
        for other in self._substituted[first : first + 64]:
            if other.start > command.end:
                break
            if other is not command and other.end <= command.end:
                yield other
        for other in self._substituted[:8] if named else ():
            if _stage(other) in named and not command.start <= other.start <= command.end:
                yield other
        for stage in named:
            printing = self._by_stage.get(stage)
            if printing is not None and "$()" not in printing.via:
                yield printing

"""Which commands feed which: found once for a script, so that the work stays linear in its length."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from functools import cached_property
from operator import attrgetter

from fairlead.shell.script import Command, Origin, Script, Word
from fairlead.shell.unknown import Stage

_LOOKED_UP = 5_000
_start_of = attrgetter("start")


def stage_of(command: Command) -> Stage:
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
    def _substituted(self) -> dict[Origin | None, list[Command]]:
        """Those in the words of others, by the text in which they stand; in a file, by its line."""
        found: dict[Origin | None, list[Command]] = {}
        for command in sorted((c for c in self._commands if "$()" in c.via), key=_start_of):
            found.setdefault(command.origin, []).append(command)
        return found

    @cached_property
    def _starts(self) -> list[int]:
        return [command.start for command in self._substituted.get(None, ())]

    @cached_property
    def _by_stage(self) -> dict[Stage, Command]:
        return {stage_of(command): command for command in self._commands[:_LOOKED_UP]}

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
        before = self.before(command)
        yield from before
        first = 0 if command.origin is not None else bisect_left(self._starts, command.start)
        inside = [
            other
            for other in self._substituted.get(command.origin, ())[first : first + 64]
            if other is not command and other.start <= command.end and other.end <= command.end
        ]
        yield from inside
        words = (*command.argv, *(redirect.target for redirect in command.redirects))
        named = dict.fromkeys(
            root.stages[-1]
            for word in words
            if word.opaque is not None
            for root in word.opaque.roots()
            if root.stages
        )
        found = {id(other) for other in (*before, *inside)} if named else set()
        for stage in named:
            printing = self._by_stage.get(stage)
            if printing is not None and id(printing) not in found:
                yield printing

"""What cannot be known without running it, as a value: of which kind, and where it comes from.

Rules ask these values. The text for people is made of them at the end, by `unknown_text`, and nothing reads
it back.
"""

from __future__ import annotations

from collections.abc import Iterable

from fairlead.model.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

Stage = tuple[str, ...]
"""One command of a pipe: its program and its words."""


class Kind:
    """Why something is unknown. Plain names: an Enum of as many would cost every cold call half a
    millisecond."""

    SEVERAL: Final = "several"
    """Of several parts, each for its own reason."""

    OUTPUT: Final = "output"
    CONTENT: Final = "content"
    CONTENT_READ: Final = "content-read"
    """The content of a file that the shell itself reads: `$(< file)`."""
    INPUT: Final = "input"
    XARGS_ITEM: Final = "xargs-item"
    PARALLEL_ITEM: Final = "parallel-item"
    MATCH: Final = "match"
    FOUND_BY_FIND: Final = "found-by-find"
    FOUND: Final = "found"
    WRITTEN_THERE: Final = "written-there"
    DESCRIPTOR: Final = "descriptor"
    NAMED_PIPE: Final = "named-pipe"
    TEE_INPUT: Final = "tee-input"
    SOURCED: Final = "sourced"

    UNSET: Final = "unset"
    ENVIRONMENT: Final = "environment"
    DEPENDS_ON_ENVIRONMENT: Final = "depends-on-environment"
    PER_RUN: Final = "per-run"
    VARIABLE: Final = "variable"
    INDIRECT: Final = "indirect"
    ARRAY: Final = "array"
    ELEMENT: Final = "element"
    PART: Final = "part"
    PART_OF_TEXT: Final = "part-of-text"
    ALIASED_NAME: Final = "aliased-name"
    CIRCULAR_NAMES: Final = "circular-names"
    DIRECTORY: Final = "directory"
    OPTION_LETTER: Final = "option-letter"
    OPTION_VALUE: Final = "option-value"

    ARITHMETIC: Final = "arithmetic"
    COMPUTED: Final = "computed"
    AWK_VALUE: Final = "awk-value"
    AWK_OUTPUT: Final = "awk-output"
    PRINTF_WIDTH: Final = "printf-width"
    PRINTF_VALUE: Final = "printf-value"
    ROUND: Final = "round"
    COUNTER: Final = "counter"
    ONE_OF_VALUES: Final = "one-of-values"
    ARGUMENT: Final = "argument"
    RECURSIVE_ARGUMENT: Final = "recursive-argument"

    TOO_LONG: Final = "too-long"
    TOO_MANY_WORDS: Final = "too-many-words"
    TOO_MANY_VALUES: Final = "too-many-values"
    MANY_ARGUMENTS: Final = "many-arguments"
    NOT_ONE_FILE: Final = "not-one-file"
    CODE_TEXT: Final = "code-text"

    RUNS: Final = "runs"
    RUNS_SETTINGS: Final = "runs-settings"
    RUNS_CODE: Final = "runs-code"
    RUNS_LINES: Final = "runs-lines"
    RUNS_INPUT: Final = "runs-input"
    RUNS_CODE_OF_INPUT: Final = "runs-code-of-input"
    RUNS_INPUT_ELSEWHERE: Final = "runs-input-elsewhere"
    RUNS_FILE: Final = "runs-file"
    RUNS_UNKNOWN_INPUT: Final = "runs-unknown-input"
    RUNS_RECIPE: Final = "runs-recipe"
    RUNS_LATER: Final = "runs-later"
    LOADS: Final = "loads"
    INSTALLS: Final = "installs"
    COMMAND: Final = "command"
    SED_RUNS: Final = "sed-runs"

    RECURSION: Final = "recursion"
    ENDLESS: Final = "endless"
    """A loop without end that starts a process in every round."""
    FILLING: Final = "filling"
    """A loop without end that writes to a file in every round."""

    SYNTAX: Final = "syntax"
    SYNTAX_TOO_DEEP: Final = "syntax-too-deep"
    NUL_BYTES: Final = "nul-bytes"
    TOO_DEEP: Final = "too-deep"
    TOO_MANY_STEPS: Final = "too-many-steps"
    TEXT_TOO_LONG: Final = "text-too-long"
    MADE_TEXT_TOO_LONG: Final = "made-text-too-long"
    SED_TOO_LONG: Final = "sed-too-long"
    AWK_TOO_LONG: Final = "awk-too-long"
    TOO_MUCH_AT_END: Final = "too-much-at-end"


class Unknown(Value):
    """`kind` is one of `Kind`; `name` the variable as it is spelled, path, pattern, function or host.

    `stages` are the commands whose output it is, in the order in which it went through them; `of` are the
    unknown values that it is made of; `network`: something of it comes from another machine. `files` are
    those whose whole content it is, one after another, by their absolute paths: they are read where it runs
    as code, and nowhere else; `edits` are what changed them in place since then. `patterns` are globs of the
    paths of which it is one, or which it lists. `wording` is for people alone.
    """

    kind: str
    name: str = ""
    wording: str = ""
    stages: tuple[Stage, ...] = ()
    of: tuple[Unknown, ...] = ()
    network: bool = False
    files: tuple[str, ...] = ()
    edits: tuple[Stage, ...] = ()
    patterns: tuple[str, ...] = ()

    @property
    def program(self) -> str:
        """What printed it, as it was called; empty where it is no output."""
        return self.stages[-1][0] if self.stages else ""

    def within(self, kind: str) -> Unknown:
        """What is of that kind because of this: code that runs, an item that is read."""
        return Unknown(kind, of=self.of if self.kind == Kind.SEVERAL else (self,), network=self.network)

    def parts(self) -> tuple[Unknown, ...]:
        """Each of several; itself where it is one."""
        return self.of if self.kind == Kind.SEVERAL else (self,)

    def roots(self) -> tuple[Unknown, ...]:
        """The values that it is made of in the end: the output that xargs reads, not the item."""
        if not self.of:
            return (self,)
        found: list[Unknown] = []
        left = list(self.of[::-1])
        while left:
            each = left.pop()
            left += each.of[::-1]
            if not each.of:
                found.append(each)
        return tuple(found)

    def has(self, *kinds: str) -> bool:
        """Whether it, or anything that it is made of, is of one of these kinds."""
        left = [self]
        while left:
            each = left.pop()
            if each.kind in kinds:
                return True
            left += each.of
        return False

    def only(self, *kinds: str) -> bool:
        """Whether every part of it is of one of these kinds."""
        return all(part.kind in kinds for part in self.parts())

    def commands(self) -> tuple[Stage, ...]:
        """Every command whose output any part of it is, or went through."""
        return self.stages if not self.of else tuple(stage for root in self.roots() for stage in root.stages)

    def mentions(self) -> tuple[str, ...]:
        """Every name and word in it that somebody wrote."""
        found = [each.name for each in self.roots() if each.name]
        return (*found, *(word for stage in self.commands() for word in stage))


def several(found: Iterable[Unknown]) -> Unknown:
    """All of these as one. Nothing else is known of a text whose unknown parts are all empty."""
    parts = tuple(
        dict.fromkeys(part for each in found for part in (each.of if each.kind == Kind.SEVERAL else (each,)))
    )
    if len(parts) < 2:
        return parts[0] if parts else Unknown(Kind.COMPUTED)
    return Unknown(Kind.SEVERAL, of=parts, network=any(part.network for part in parts))

"""Files that a program makes or changes: by its options, and by what its record says of its operands.

A rule only speaks where the place is protected, so that records may be generous: what they say of a file in
the project, in the home or among temporary files interrupts nobody.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase

from fairlead.shell.arguments import Arguments, read_arguments
from fairlead.shell.effects.effect import Action, Effect
from fairlead.shell.effects.files.remote_copies import COPYING, copied
from fairlead.shell.effects.program_effects import shown
from fairlead.shell.places.surroundings import Surroundings
from fairlead.shell.places.targets import Place, resolve
from fairlead.shell.programs.record import Program
from fairlead.shell.script import Command, Word
from fairlead.shell.word_sets import names

OUTPUT = names(
    """
    -o --output --out --outfile --out-file --output-file --output-document --output-path --outdir --out-dir
    --output-dir -out --dest --destination --target-dir --target-directory --logfile --log-file --save-to
    --export-to --write-to --report-file --result-file --outFile -outfile
    """
)
"""Options whose value is a file that the program makes."""

_WRITING_WORDS = names("put delete set -i -I --inplace --in-place -L --write -w edit ed del unset")
_NONE: frozenset[str] = frozenset()
_WRITTEN = names("makes changes replaces edits")


def writes_operands(program: Program) -> bool:
    """Whether it writes without being given an option."""
    return not program.operands.isdisjoint(_WRITTEN) or program.name in COPYING


def written_by(command: Command, program: Program, where: Surroundings) -> Iterator[Effect]:
    """What a program makes or changes, by its options and by the places of its operands."""
    outputs = program.outputs | (_NONE if "no-outputs" in program.also else OUTPUT)
    valued = outputs | program.values if program.operands else outputs
    given = read_arguments(command.argv[1:], valued=valued, single_dash=program.single_dash)
    made = _outputs(outputs, given) if given.values else ()
    for word in (*made, *_placed(program, command, given)):
        yield Effect(Action.OVERWRITE, "output", command, resolve(word, command, where), what=shown(command))
    if command.name in COPYING:
        yield from copied(command, where)
    if "replaces" in program.operands and _changes(program, command):
        for word in filter(_names_a_file, given.operands):
            yield _lost(command, word, where)


def _outputs(options: frozenset[str], given: Arguments) -> Iterator[Word]:
    """In the order of the line."""
    for option, words in given.values.items():
        if option in options:
            yield from (word for word in words if word.text not in ("", "-"))


def _placed(program: Program, command: Command, given: Arguments) -> Sequence[Word]:
    if "edits" in program.operands and any(word.text in _WRITING_WORDS for word in command.argv[1:]):
        return [word for word in command.argv[1:] if _names_a_file(word)]
    if "changes" in program.operands and _changes(program, command):
        return [word for word in given.operands if _names_a_file(word)]
    return given.operands[-1:] if "makes" in program.operands and len(given.operands) > 1 else ()


def _names_a_file(word: Word) -> bool:
    return "/" in word.text or "." in word.text


def _changes(program: Program, command: Command) -> bool:
    texts = [word.text for word in command.argv[1:]]
    return not program.changing or any(
        fnmatchcase(text, pattern) for pattern in program.changing for text in texts
    )


def _lost(command: Command, word: Word, where: Surroundings) -> Effect:
    """In the project it is work like any other; outside, the originals are gone."""
    target = resolve(word, command, where)
    outside = target.place in (Place.HOME, Place.HOME_ROOT, Place.OUTSIDE)
    action = Action.TRUNCATE if outside else Action.OVERWRITE
    return Effect(action, "output", command, target, what=shown(command))

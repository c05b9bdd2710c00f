"""Scripts that are run by a glob or out of a list: `bash *.sh`, `for f in *.sh; do bash "$f"; done`."""

from __future__ import annotations

from fairlead.shell.expansion.matching_files import matching_files
from fairlead.shell.expansion.reading import Call, Frame, Reading
from fairlead.shell.expansion.state import State
from fairlead.shell.following.interpreters import interpreter_for
from fairlead.shell.programs.running import SHELLS
from fairlead.shell.script import Word, program_name
from fairlead.shell.word_sets import DATA_ENDINGS

_SOURCING = frozenset({".", "source"})
_COST = 20
"""Steps for each file: lists of lists would multiply."""


def run_matched(run: Reading, words: list[Word], call: Call, state: State, frame: Frame) -> None:
    """Besides the command as it stands, each file that the word can mean which names what runs."""
    place = _script_place(words)
    word = words[place] if place is not None else None
    if word is None or place is None or not (word.glob or word.opaque):
        return
    for path in matching_files(run, word, state):
        if not place and path.endswith(DATA_ENDINGS):
            continue
        run.budget.spend(_COST)
        named = Word(path, start=word.start, end=word.end)
        run.run_words([*words[:place], named, *words[place + 1 :]], call, state.copy(), frame)


def _script_place(words: list[Word]) -> int | None:
    """Where the words name a script: in front, or as the first operand of what runs one."""
    if words[0].opaque or words[0].glob:
        return 0
    for index, word in enumerate(words[1:], 1):
        if word.opaque or not word.text.startswith("-"):
            runs = (word.opaque or word.glob) and _runs_scripts(words[0].text)
            return index if runs else None
    return None


def _runs_scripts(text: str) -> bool:
    name = program_name(text)
    return name in SHELLS or text in _SOURCING or interpreter_for(name) is not None

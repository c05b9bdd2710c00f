"""Files that programs of the line change in place: what runs them later in the line runs the result."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

from fairlead.shell.arguments import option_values, read_arguments
from fairlead.shell.expansion.matching_files import matching_files
from fairlead.shell.expansion.reading import Frame, Reading
from fairlead.shell.expansion.redirections import content_of, edit_file, file_text, unknown_output, write_file
from fairlead.shell.expansion.state import State
from fairlead.shell.expansion.values import Scalar, of_words, pieces_of
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.places.world import beginning_of
from fairlead.shell.printing.edited_text import ADD, PERL, SED, SED_EXTENDED
from fairlead.shell.script import Word, program_name

_IN_PLACE = lazy(r"-[A-Za-z0]*i|--in-place")
_SED_VALUED = ("-e", "--expression", "-f", "--file", "-l", "--line-length")
_CODE = lazy(r"-[A-Za-z0.]*[eE]")
_MOST_FILES = 50


def remember_edits(run: Reading, words: list[Word], state: State, frame: Frame) -> None:
    """Note which files `words` changes, and how."""
    if run.sources.are_read:
        _EDITORS[program_name(words[0].text)](run, words, state, frame)


def _sed(run: Reading, words: list[Word], state: State, frame: Frame) -> None:
    if not any(_IN_PLACE.match(word.text) for word in words[1:]):
        return
    rest = [word for word in words[1:] if not word.text.startswith("-i") and word.text]
    given = read_arguments(rest, valued=_SED_VALUED)
    scripts = [*given.values.get("-e", ()), *given.values.get("--expression", ())]
    told = scripts or given.has("-f", "--file")
    scripts = scripts if told else list(given.operands[:1])
    files = given.operands if told else given.operands[1:]
    extended = given.has("-E", "-r", "--regexp-extended")
    known = not given.has("-f", "--file")
    script = run.as_source(of_words(scripts, "\n"))
    for path in _each(run, files, state):
        if known:
            edit_file(run, path, (SED_EXTENDED if extended else SED, script), state)
        else:
            _change(words, path, state)


def _each(run: Reading, files: Sequence[Word], state: State) -> Iterator[Word]:
    for path in files[:_MOST_FILES]:
        if path.glob or path.opaque:
            yield from map(Word, matching_files(run, path, state))
        else:
            yield path


def _change(words: list[Word], path: Word, state: State) -> None:
    stage = tuple(word.text for word in words)
    write_file(path, unknown_output(" ".join(stage)[:80], stage), state, append=False)


def _perl(run: Reading, words: list[Word], state: State, frame: Frame) -> None:
    """`perl -pi -e CODE FILE`, `ruby -pi`."""
    if not any(re.match(r"-[A-Za-z0]*i", word.text) for word in words[1:]):
        return
    code: list[Word] = []
    files: list[Word] = []
    for before, word in pairwise(words):
        if _CODE.fullmatch(before.text):
            code.append(word)
        elif not word.text.startswith("-"):
            files.append(word)
    followed = program_name(words[0].text) == "perl" and code and all(word.known for word in code)
    for path in _each(run, files, state):
        if followed:
            edit_file(run, path, (PERL, ";".join(word.text for word in code)), state)
        else:
            _change(words, path, state)


def _line_editor(run: Reading, words: list[Word], state: State, frame: Frame) -> None:
    """`ed FILE < script`, `ex -sc 'cmd|x' FILE`."""
    for path in [word for word in words[1:] if word.text[:1] not in ("-", "+")][-1:]:
        _change(words, path, state)


def _patch(run: Reading, words: list[Word], state: State, frame: Frame) -> None:
    """Patches that the line writes or that are there: what they add to a file is beside what it held."""
    operands = [word for word in words[1:] if not word.text.startswith("-")]
    operands += option_values(words, "-i", "--input")
    operands += [frame.feed.path] if frame.feed.path is not None else []
    folders = ["", *(f"{word.text}/" for word in option_values(words, "-d", "--directory", "-C"))]
    texts = [_patch_text(each) for each in (frame.feed.text, *_texts(run, operands, state)) if each]
    for name, added in [each for text in texts for each in _added(text)][:_MOST_FILES]:
        spelled = [f"{folder}{path}" for path in (name, name.partition("/")[2]) if path for folder in folders]
        for path in (*map(Word, spelled), *operands[:1]):
            edit_file(run, path, (ADD, added), state)


def _texts(run: Reading, paths: list[Word], state: State) -> Iterator[Scalar]:
    for path in paths:
        text = file_text(run, path, state)
        yield content_of(path, state) if text is None else text


def _patch_text(patch: Scalar) -> str:
    """What is known of a patch; one in a file is looked at for the names in it."""
    found = [beginning_of(path) for _, why in pieces_of(patch) if why for path in why.files]
    return "\n".join([patch if isinstance(patch, str) else "", *found])


_HEADER = lazy(r"^\+\+\+ \"?([^\t\n\"]+)", re.MULTILINE)


def _added(patch: str) -> Iterator[tuple[str, str]]:
    """The files of a patch, and the lines that it adds to each."""
    parts = _HEADER.split(patch)
    for name, body in zip(parts[1::2], parts[2::2], strict=True):
        lines = [line[1:] for line in body.split("\n") if line.startswith("+")]
        yield name, "\n".join(lines)


def _git(run: Reading, words: list[Word], state: State, frame: Frame) -> None:
    """`git apply`, and a file as it is in another commit."""
    texts = [word.text for word in words]
    if "apply" in texts[1:4] or "am" in texts[1:4]:
        place = texts.index("apply" if "apply" in texts else "am")
        _patch(run, [*words[place:], *words[1:place]], state, frame)
        return
    if not {"checkout", "restore"} & set(texts[1:4]):
        return
    named = any(text.startswith(("--source", "-s")) for text in texts)
    divided = texts.index("--") if "--" in texts else len(texts)
    before = [text for text in texts[1:divided] if not text.startswith("-")]
    other = [text for text in before[1:2] if text not in ("HEAD", "@")]
    files = words[divided + 1 :]
    if "restore" in before[:1] and named:
        files = files or [word for word in words[2:] if not word.text.startswith("-")]
    elif not (other and files):
        files = []
    for path in files[:_MOST_FILES]:
        _change(words, path, state)


_EDITORS: dict[str, Callable[[Reading, list[Word], State, Frame], None]] = {
    "sed": _sed, "gsed": _sed, "perl": _perl, "ruby": _perl, "ed": _line_editor, "ex": _line_editor,
    "red": _line_editor, "patch": _patch, "gpatch": _patch, "git": _git,
}  # fmt: skip
EDITORS = frozenset(_EDITORS)
"""All that change files in place, by name."""

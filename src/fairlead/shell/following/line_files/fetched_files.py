"""Files that programs bring from elsewhere: what runs one of them later runs code off the network."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from operator import attrgetter

from fairlead.shell.arguments import option_values
from fairlead.shell.expansion.reading import Frame, Reading
from fairlead.shell.expansion.redirections import file_text, unknown_output, write_file
from fairlead.shell.expansion.state import State
from fairlead.shell.expansion.values import Partial
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.places.paths import absolute
from fairlead.shell.programs.record import Fetches, Loads
from fairlead.shell.programs.running import FETCHES, LOADS, fetches_of, loads_of
from fairlead.shell.script import Word, program_name
from fairlead.shell.unknown import Kind
from fairlead.shell.word_sets import names

_REMOTE = lazy(r"(?!file:)(?:[a-z][a-z0-9+.-]+://|[\w.@-]{2,}:(?!\\)).+", re.I)
_text_of = attrgetter("text")
_NOTHING = Loads()
_ARCHIVE = lazy(r"\.(?:tgz|tar\.gz|tar\.bz2|whl|vsix|conda|nupkg)\Z")
_TASKS = names("run run-script test start exec x push")
"""Subcommands whose files are for someone else."""
_PROGRAMS = lazy(r"(?:^|/)(?:s?bin|Scripts|libexec|init\.d|cron\.\w+|LaunchAgents|hooks)(?:/|\Z)")


def fetch(run: Reading, words: list[Word], state: State, frame: Frame) -> None:
    """Note the files that `words` brings."""
    name = program_name(words[0].text)
    found = fetches_of(name) if name in FETCHES else None
    if found is None or (found.on and not _is_told(words[1:5], found.on)):
        return
    operands = _operands(words, found)
    if _is_told(words[1:4], found.trees):
        found, operands = found.replace(tree=True), [word for word in operands if word.text != "repo"]
    sources = [word for word in operands if _REMOTE.match(word.text) or found.tree]
    last = operands[-1] if len(operands) > 1 and sources else None
    target = last if last is not None and not _REMOTE.match(last.text) else None
    names_ = [_last_part(word) for word in sources if word is not target]
    names_ += [word for word in option_values(words, *found.named) if not word.text.startswith("-")]
    places = list(_places(words, found, names_, target))
    bring(words, places, state, tree=found.tree)
    if found.tree and "export" in map(_text_of, words[1:3]):
        bring(words, places, state)  # it may be one file as well


def _is_told(words: list[Word], subcommands: tuple[str, ...]) -> bool:
    return not set(subcommands).isdisjoint(map(_text_of, words))


def _operands(words: list[Word], found: Fetches) -> list[Word]:
    """What is no option, no value of one, and no subcommand."""
    valued = {*found.outputs, *found.folders, *found.named}
    taken = {id(after) for word, after in pairwise(words) if word.text in valued}
    return [
        word
        for word in words[1:]
        if not word.text.startswith("-") and id(word) not in taken and word.text not in found.on
    ]


def _places(words: list[Word], found: Fetches, fetched: list[Word], target: Word | None) -> Iterator[Word]:
    outputs = [word for word in option_values(words, *found.outputs) if word.text not in ("-", "")]
    yield from outputs
    folders = list(option_values(words, *found.folders)) if found.folders else []
    if target is not None and fetched:
        yield target
        folders.append(target)
    for word in fetched if folders or not outputs else ():
        if not folders:
            yield word
        for folder in folders:
            yield word.replace(text=f"{folder.text.rstrip('/') or '/'}/{word.text}")


def _last_part(word: Word) -> Word:
    name = word.text.split("?")[0].split("#")[0].rstrip("/").rsplit("/", 1)[-1].rsplit(":", 1)[-1]
    return word.replace(text=name.removesuffix(".git"))


def curl(run: Reading, words: list[Word], state: State, frame: Frame) -> None:
    targets = list(option_values(words, "-o", "--output"))
    together: list[Word] = []
    named = False
    for index, word in enumerate(words):
        text = word.text
        if text == "--remote-name":
            named |= index > 0
        elif text[:1] == "-" and text[:2] != "--":
            named |= "O" in text and index > 0
            if len(text) > 2 and text[-1] == "o":
                together += words[index + 1 : index + 2]
    if named:
        targets += [_last_part(word) for word in words[1:] if "/" in word.text and word.text[:1] != "-"]
    bring(words, targets + together, state)


def clone(run: Reading, words: list[Word], state: State, frame: Frame) -> None:
    """Everything below a fresh clone came off the network."""
    operands = [word for word in words[1:] if not word.text.startswith("-")]
    verb = operands[0].text if operands else ""
    if verb in ("pull", "fetch") and any(_REMOTE.match(word.text) for word in operands[1:]):
        bring(operands, [Word(".")], state, tree=True)
    if verb not in ("clone", "submodule"):
        return
    for index, word in enumerate(operands[1:], 1):
        if not word.known or _REMOTE.match(word.text):
            rest = operands[index + 1 : index + 2]
            bring(operands[: index + 1], rest or [_last_part(word)], state, tree=True)
            return


def bring(words: list[Word], targets: list[Word], state: State, *, tree: bool = False) -> None:
    if not targets:
        return
    stage = tuple(map(_text_of, words))
    content = unknown_output(" ".join(stage)[:80], stage, network=True)
    for target in targets:
        if tree:
            full = absolute(target.text, state.cwd)
            if full:
                state.files[f"{full.rstrip('/')}/"] = content
        else:
            write_file(target, content, state, append=False)


_IMPORTED = lazy(
    r"\b(?:import|from)[ \t]+(\w+)|(?:CDLL|LoadLibrary|import_module|run_path)\(\s*['\"]([^'\"]+)"
)


def imported(run: Reading, code: str, state: State, span: tuple[int, int]) -> None:
    """A module off the network that Python code loads by its name."""
    for match in _IMPORTED.finditer(code[:4096]) if state.files else ():
        for name in (f"{match[1]}.py", match[2] or "", f"{match[2]}.py"):
            text = state.files.get(absolute(name, state.cwd) or "")
            if isinstance(text, Partial) and text.network:
                run.note(text.unknown.within(Kind.LOADS), span, executed=True)
                return


def preloaded(run: Reading, library: Word | None, state: State, span: tuple[int, int]) -> None:
    """`LD_PRELOAD=./x.so ls`, where this line brought the library."""
    text = file_text(run, library, state) if library is not None and state.files else None
    if isinstance(text, Partial) and text.network:
        run.note(text.unknown.within(Kind.LOADS), span, executed=True)


def installed(run: Reading, words: list[Word], state: State, span: tuple[int, int]) -> None:
    """A file off the network that a program installs or is given to run, or that becomes a program itself."""
    name = program_name(words[0].text)
    placing = name in ("cp", "mv", "install", "ln")
    loads = loads_of(name) if state.files and name in LOADS else _NOTHING
    for file in (*loads.recipes, *loads.files):
        found = state.files.get(absolute(file, state.cwd) or "")
        if isinstance(found, Partial) and found.network:
            run.note(found.unknown.within(Kind.LOADS), span, executed=True)
            return
    if not state.files or not (loads.given or loads.options or placing):
        return
    operands = [word for word in words[1:200] if not word.text.startswith("-")]
    if loads.options:
        operands = list(option_values(words, *loads.options))
    elif loads.given == "archives":
        task = bool(operands) and operands[0].text in _TASKS
        operands = [word for word in operands if _ARCHIVE.search(word.text) and not task]
    if placing and not (operands and _PROGRAMS.search(operands[-1].text)):
        return
    for word in operands[:-1] if placing else operands:
        text = file_text(run, word, state) or file_text(run, word.replace(text=f"{word.text}/_"), state)
        if isinstance(text, Partial) and text.network:
            run.note(text.unknown.within(Kind.INSTALLS), span, executed=True, network=not placing)
            return

"""Files that programs of the line write, so that running them later in the line can be followed."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import pairwise

from fairlead.shell.options import option_values
from fairlead.shell.paths import absolute
from fairlead.shell.pieces import part_from
from fairlead.shell.reading import Frame, Reading
from fairlead.shell.redirections import file_text, unknown_output, write_file
from fairlead.shell.script import Word
from fairlead.shell.state import State
from fairlead.shell.values import Partial, unknown

_PROGRAM = re.compile(r"(?:/usr|/usr/local|/opt/homebrew)?/s?bin/[\w.+-]+")


def remember(run: Reading, words: list[Word], state: State, frame: Frame) -> None:
    """Note what `words` leaves in files."""
    writer = _WRITERS.get(words[0].text.rsplit("/", 1)[-1])
    if writer:
        writer(run, words, state, frame)


def _operands(words: list[Word]) -> list[Word]:
    return [word for word in words[1:] if not word.text.startswith("-")]


def _tee(run: Reading, words: list[Word], state: State, frame: Frame) -> None:
    text = frame.feed.text
    append = any(word.text in ("-a", "--append") for word in words[1:])
    for path in _operands(words):
        write_file(path, unknown("…", "the input of tee") if text is None else text, state, append=append)


def _copy(run: Reading, words: list[Word], state: State, frame: Frame) -> None:
    operands = _operands(words)
    if len(operands) < 2:
        return
    *sources, target = operands
    for source in sources:
        text = file_text(run, source, state, frame.feed)
        if text is None and _PROGRAM.fullmatch(source.text):
            text = f'exec {source.text} "$@"\n'  # another name for a program
        if text is None:
            continue
        name = source.text.rsplit("/", 1)[-1]
        write_file(target, text, state, append=False)
        write_file(target.replace(text=f"{target.text}/{name}"), text, state, append=False)


def _dd(run: Reading, words: list[Word], state: State, frame: Frame) -> None:
    given = {word.text.partition("=")[0]: part_from(word, 3) for word in words[1:] if word.text[2:3] == "="}
    source = file_text(run, given["if"], state) if "if" in given else frame.feed.text
    if "of" in given and source is not None:
        write_file(given["of"], source, state, append=False)


def _curl(run: Reading, words: list[Word], state: State, frame: Frame) -> None:
    targets = list(option_values(words, "-o", "--output"))
    if any(word.text == "--remote-name" or _has_letter(word.text, "O") for word in words[1:]):
        targets += [_last_part(word) for word in _operands(words) if "/" in word.text]
    for word, following in pairwise(words):
        if _has_letter(word.text, "o") and len(word.text) > 2 and word.text.endswith("o"):
            targets.append(following)
    _fetched(words, targets, state)


def _wget(run: Reading, words: list[Word], state: State, frame: Frame) -> None:
    targets = list(option_values(words, "-O", "--output-document"))
    folder = next((value.text for value in option_values(words, "-P", "--directory-prefix")), "")
    if not targets:
        urls = [_last_part(word) for word in _operands(words) if "/" in word.text]
        targets = [word.replace(text=f"{folder}/{word.text}") if folder else word for word in urls]
    _fetched(words, targets, state)


def _aria(run: Reading, words: list[Word], state: State, frame: Frame) -> None:
    targets = list(option_values(words, "-o", "--out", "--output"))
    _fetched(words, targets or [_last_part(word) for word in _operands(words) if "/" in word.text], state)


def _remote_copy(run: Reading, words: list[Word], state: State, frame: Frame) -> None:
    """`scp host:file .` and `rsync host::file .`."""
    operands = _operands(words)
    remote = [word for word in operands[:-1] if ":" in word.text.split("/", 1)[0]]
    if not remote:
        return
    target = operands[-1]
    for source in remote:
        name = source.text.rsplit(":", 1)[-1].rstrip("/").rsplit("/", 1)[-1]
        inside = target.replace(text=f"{target.text.rstrip('/') or '/'}/{name}")
        _fetched(words, [target, inside], state)


def _tftp(run: Reading, words: list[Word], state: State, frame: Frame) -> None:
    _fetched(words, list(option_values(words, "-r", "-l")), state)


def _unpack(run: Reading, words: list[Word], state: State, frame: Frame) -> None:
    """What comes out of an archive off the network is off the network too."""
    texts = [frame.feed.text, *(file_text(run, word, state) for word in words[1:] if word.text[:1] != "-")]
    hot = next((text for text in texts if isinstance(text, Partial) and text.network), None)
    folder = next((value.text for value in option_values(words, "-C", "--directory", "-d")), ".")
    full = absolute(folder, state.cwd)
    if hot is not None and full:
        state.files[f"{full.rstrip('/')}/"] = hot


def _has_letter(text: str, letter: str) -> bool:
    return text.startswith("-") and not text.startswith("--") and letter in text


def _last_part(word: Word) -> Word:
    return word.replace(text=word.text.split("?")[0].rstrip("/").rsplit("/", 1)[-1])


def _fetched(words: list[Word], targets: list[Word], state: State) -> None:
    shown = " ".join(word.text for word in words)[:80]
    for target in targets:
        write_file(target, unknown_output(shown, network=True), state, append=False)


def _mkfifo(run: Reading, words: list[Word], state: State, frame: Frame) -> None:
    for path in _operands(words):
        write_file(path, unknown(path.text, "what another program writes into the pipe"), state, append=False)


def _git(run: Reading, words: list[Word], state: State, frame: Frame) -> None:
    """Everything below a fresh clone came off the network."""
    operands = _operands(words)
    if not operands or operands[0].text != "clone" or len(operands) < 2:
        return
    last = operands[-1]
    folder = (
        last.text
        if len(operands) > 2 and ":" not in last.text
        else _last_part(last).text.removesuffix(".git")
    )
    full = absolute(folder, state.cwd)
    if full:
        state.files[f"{full}/"] = unknown_output(f"git clone {operands[1].text}", network=True)


_WRITERS: dict[str, Callable[[Reading, list[Word], State, Frame], None]] = {
    "tee": _tee, "dd": _dd, "cp": _copy, "mv": _copy, "install": _copy, "ln": _copy, "curl": _curl,
    "wget": _wget, "git": _git, "mkfifo": _mkfifo, "aria2c": _aria, "axel": _aria, "http": _aria,
    "scp": _remote_copy, "rsync": _remote_copy, "tftp": _tftp, "tar": _unpack, "bsdtar": _unpack,
    "unzip": _unpack, "7z": _unpack, "cpio": _unpack, "gtar": _unpack,
}  # fmt: skip

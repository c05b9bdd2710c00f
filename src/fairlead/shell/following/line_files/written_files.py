"""Files that programs of the line write, so that running them later in the line can be followed."""

from __future__ import annotations

import re
from collections.abc import Callable

from fairlead.shell.arguments import option_values
from fairlead.shell.expansion.reading import Frame, Reading
from fairlead.shell.expansion.redirections import content_of, file_text, write_file
from fairlead.shell.expansion.state import State
from fairlead.shell.expansion.values import Partial, unknown
from fairlead.shell.following.line_files.fetched_files import clone, curl, fetch
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.places.paths import absolute
from fairlead.shell.programs.running import FETCHES
from fairlead.shell.script import Word, program_name
from fairlead.shell.unknown import Kind, Unknown
from fairlead.shell.word_pieces import part_from

_PROGRAM = lazy(r"(?:/usr|/usr/local|/opt/homebrew)?/s?bin/[\w.+-]+")


def remember(run: Reading, words: list[Word], state: State, frame: Frame) -> None:
    """Note what `words` leaves in files."""
    writer = _WRITERS.get(program_name(words[0].text), fetch)
    writer(run, words, state, frame)


def _operands(words: list[Word]) -> list[Word]:
    return [word for word in words[1:] if not word.text.startswith("-")]


def _tee(run: Reading, words: list[Word], state: State, frame: Frame) -> None:
    text = frame.feed.text
    append = any(word.text in ("-a", "--append") for word in words[1:])
    for path in _operands(words):
        write_file(
            path, unknown("…", Unknown(Kind.TEE_INPUT)) if text is None else text, state, append=append
        )


def _copy(run: Reading, words: list[Word], state: State, frame: Frame) -> None:
    operands = _operands(words)
    if len(operands) < 2:
        return
    *sources, target = operands
    for source in sources:
        text = file_text(run, source, state, frame.feed)
        if text is None and _PROGRAM.fullmatch(source.text):
            text = f'exec {source.text} "$@"\n'  # another name for a program
        if text is None and run.sources.are_read and source.known:
            text = content_of(source, state)
        if text is None:
            continue
        name = source.text.rsplit("/", 1)[-1]
        write_file(target, text, state, append=False)
        write_file(target.replace(text=f"{target.text}/{name}"), text, state, append=False)


def _rsync(run: Reading, words: list[Word], state: State, frame: Frame) -> None:
    if any(":" in word.text for word in _operands(words)):
        fetch(run, words, state, frame)
    else:
        _copy(run, words, state, frame)


def _dd(run: Reading, words: list[Word], state: State, frame: Frame) -> None:
    given = {word.text.partition("=")[0]: part_from(word, 3) for word in words[1:] if word.text[2:3] == "="}
    source = file_text(run, given["if"], state) if "if" in given else frame.feed.text
    if source is None and "if" in given and run.sources.are_read and given["if"].known:
        source = content_of(given["if"], state)
    if "of" in given and source is not None:
        write_file(given["of"], source, state, append=False)


def _unpack(run: Reading, words: list[Word], state: State, frame: Frame) -> None:
    """What comes out of an archive off the network is off the network too."""
    texts = [frame.feed.text, *(file_text(run, word, state) for word in words[1:] if word.text[:1] != "-")]
    hot = next((text for text in texts if isinstance(text, Partial) and text.network), None)
    folder = next((value.text for value in option_values(words, "-C", "--directory", "-d")), ".")
    full = absolute(folder, state.cwd)
    if hot is not None and full:
        state.files[f"{full.rstrip('/')}/"] = hot


_DECODING = frozenset(("-d", "-D", "--decode", "--decrypt", "-decrypt", "-r", "-p"))


def _decode(run: Reading, words: list[Word], state: State, frame: Frame) -> None:
    """`openssl enc -d -in a -out b`, `xxd -r -p a b`: what comes out is nobody's guess."""
    texts = [word.text for word in words[1:]]
    if program_name(words[0].text) != "uudecode" and _DECODING.isdisjoint(texts):
        return
    made = list(option_values(words, "-out", "-o", "--output"))
    if program_name(words[0].text) == "xxd":
        made = _operands(words)[1:2]
    printed = Unknown(Kind.OUTPUT, stages=(tuple(word.text for word in words),))
    for path in made:
        write_file(path, unknown(path.text, printed), state, append=False)


def _mkfifo(run: Reading, words: list[Word], state: State, frame: Frame) -> None:
    for path in _operands(words):
        write_file(path, unknown(path.text, Unknown(Kind.NAMED_PIPE)), state, append=False)


_TEMPORARY = ("/tmp", "/var/tmp", "/private/tmp")  # noqa: S108 - where anyone may make a folder


def _mkdir(run: Reading, words: list[Word], state: State, frame: Frame) -> None:
    """A folder in a temporary place that is there from now on, since nothing can keep it from being made."""
    parents = any(re.match(r"^-[a-z]*p|^--parents$", word.text) for word in words[1:])
    for word in _operands(words):
        full = None if word.opaque else absolute(word.text, state.cwd)
        above = (full or "").rpartition("/")[0]
        if full and (above in _TEMPORARY or above in state.made or (parents and full.startswith("/tmp/"))):  # noqa: S108
            state.made.add(full)


_WRITERS: dict[str, Callable[[Reading, list[Word], State, Frame], None]] = {
    "tee": _tee, "dd": _dd, "cp": _copy, "mv": _copy, "install": _copy, "ln": _copy, "curl": curl,
    "rsync": _rsync, "git": clone, "mkfifo": _mkfifo, "tar": _unpack, "bsdtar": _unpack, "unzip": _unpack,
    "7z": _unpack, "cpio": _unpack, "gtar": _unpack, "mkdir": _mkdir, "openssl": _decode, "gpg": _decode,
    "gpg2": _decode, "xxd": _decode, "uudecode": _decode, "base64": _decode, "age": _decode,
}  # fmt: skip
WRITERS = frozenset({*_WRITERS, *FETCHES})
"""All that leave anything in files, by name."""

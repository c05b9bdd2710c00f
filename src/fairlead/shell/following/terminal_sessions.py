"""Terminals kept by a program: tmux and screen run commands, and keys can be typed into their shells."""

from __future__ import annotations

from fairlead.shell.expansion.values import Scalar, of_word, of_words
from fairlead.shell.following.text_options import Found
from fairlead.shell.following.wrapper_options import read_options
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.programs.record import Runs
from fairlead.shell.script import Word
from fairlead.shell.word_sets import names

_TMUX = Runs(values=names("-c -f -L -S -T -t"))
_STARTING = names(
    """
    new new-session new-s neww new-window splitw split-window respawnw respawn-window respawnp respawn-pane
    popup display-popup run run-shell if if-shell pipe-pane pipep
    """
)
_STARTING_OPTIONS = Runs(values=names("-c -e -n -F -s -t -x -y -l"))
_KEYS = names("send send-keys")
_KEY_OPTIONS = Runs(values=names("-t -N"))
_ENDS_LINE = lazy(r"(?:\\n|\\r|\\015|\\012|\^M|\n|\r)+\Z")
_SCREEN = Runs(values=names("-c -e -h -S -p -s -T -t"))


def find_in_tmux(words: list[Word], stdin: Scalar | None) -> Found:
    for part in _split(words[1:]):
        options = read_options([words[0], *part], 1, _TMUX)
        rest = [words[0], *part][options.index :]
        if not rest:
            continue
        if rest[0].text in _STARTING:
            inner = rest[read_options(rest, 1, _STARTING_OPTIONS).index :]
            if inner:
                yield f"tmux {rest[0].text}", inner if len(inner) > 1 else of_word(inner[0])
        elif rest[0].text in _KEYS:
            keys = rest[read_options(rest, 1, _KEY_OPTIONS).index :]
            typed = [
                word for word in keys if word.text not in ("Enter", "C-m", "C-c", "Space", "Escape", "q")
            ]
            if typed:
                yield "tmux send-keys", of_words(typed)


def _split(words: list[Word]) -> list[list[Word]]:
    parts: list[list[Word]] = [[]]
    for word in words:
        if word.text == ";":
            parts.append([])
        else:
            parts[-1].append(word)
    return parts


def find_in_screen(words: list[Word], stdin: Scalar | None) -> Found:
    texts = [word.text for word in words]
    if "-X" in texts:
        rest = words[texts.index("-X") + 1 :]
        if len(rest) > 1 and rest[0].text in ("stuff", "exec", "screen"):
            text = of_word(rest[1]) if rest[0].text == "stuff" else of_words(rest[1:])
            yield f"screen {rest[0].text}", _ENDS_LINE.sub("", text) if isinstance(text, str) else text
        return
    inner = words[read_options(words, 1, _SCREEN).index :]
    if inner and "-r" not in texts:
        yield "screen", inner


def find_in_zellij(words: list[Word], stdin: Scalar | None) -> Found:
    texts = [word.text for word in words]
    if "run" in texts and "--" in texts:
        yield "zellij run", words[texts.index("--") + 1 :]
    elif texts[1:3] == ["action", "write-chars"] and len(words) > 3:
        yield "zellij write-chars", of_words(words[3:])

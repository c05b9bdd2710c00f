"""Editors and pagers: commands of theirs that leave to a shell."""

from __future__ import annotations

import re
from itertools import pairwise

from fairlead.shell.arguments import option_values
from fairlead.shell.expansion.values import Partial, Scalar, of_word
from fairlead.shell.following.text_options import Found
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.normal_form import word_text
from fairlead.shell.script import Word
from fairlead.shell.word_pieces import part_from

_EX = lazy(
    r"""^[\s:]*(?:silent!?\s+|sil!?\s+|noautocmd\s+|exe(?:cute)?\s+['"])*
    (?:[\d.$%,'<>+-]*)\s*(?:r(?:ead)?|w(?:rite)?|e(?:dit)?)?!?\s*!\s*(?P<text>.+)$
    | ^[\s:]*(?:term(?:inal)?|make!?)\s+(?P<term>.+)$""",
    re.X,
)
_SYSTEM = lazy(r"""\b(?:system|systemlist|jobstart|termopen)\([ \t]*('[^']*'|"[^"]*")""")
_ELISP = lazy(r'\((?:async-)?shell-command(?:-to-string)?\s+"((?:[^"\\]|\\.)*)"')
_ELISP_PROCESS = lazy(r"\((?:call-process|process-file|process-lines)\s+[^()]*\)")
_ELISP_PATH = lazy(r'\(expand-file-name\s+("[^"]*")\)')
_LESS = lazy(r"\+!(.+)")


def _text(value: Scalar | None) -> str:
    return value.shown if isinstance(value, Partial) else value or ""


def _ex_commands(text: str) -> list[str]:
    found = []
    for line in text.split("\n"):
        if re.match(r"^[\s:]*(?:sh|shell|ter|term|terminal)!?\s*$", line):
            found.append("sh")
        match = _EX.match(line)
        if match:
            found.append((match.group("text") or match.group("term")).rstrip("'\""))
        found += [called.group(1)[1:-1] for called in _SYSTEM.finditer(line)]
    return found


def find_in_vim(words: list[Word], stdin: Scalar | None) -> Found:
    """`-c`, `--cmd` and `+` give ex commands; `-s` and `ex` read them from the input."""
    for value in option_values(words, "-c", "--cmd"):
        match = _EX.match(value.text)
        if value.opaque and match and match.group("text"):
            yield f"{words[0].text} :!", of_word(part_from(value, match.start("text")))
    texts = [value.text for value in option_values(words, "-c", "--cmd")]
    texts += [word.text[1:] for word in words[1:] if word.text.startswith("+")]
    for word, following in pairwise(words):
        if re.fullmatch(r"-[a-zA-Z]+c", word.text) and len(word.text) > 2:
            texts.append(following.text)
    for text in [*texts, _text(stdin)]:
        for command in _ex_commands(text):
            yield f"{words[0].text} :!", command


def find_in_ed(words: list[Word], stdin: Scalar | None) -> Found:
    for command in _ex_commands(_text(stdin)):
        yield "ed !", command
    for word in words[1:]:
        if word.text.startswith("!"):
            yield "ed !", word.text[1:]


def find_in_emacs(words: list[Word], stdin: Scalar | None) -> Found:
    for value in option_values(words, "--eval", "-eval", "--execute"):
        text = _ELISP_PATH.sub(r"\1", value.text.replace('(getenv "HOME")', '"~"'))
        for match in _ELISP.finditer(text):
            yield "emacs shell-command", match.group(1).replace('\\"', '"')
        for match in _ELISP_PROCESS.finditer(text):
            literals = re.findall(r'"((?:[^"\\]|\\.)*)"', match.group())
            yield "emacs process", " ".join(map(word_text, literals))


def find_in_less(words: list[Word], stdin: Scalar | None) -> Found:
    for word in words[1:]:
        match = _LESS.match(word.text)
        if match:
            yield f"{words[0].text} !", match.group(1)

"""Stream editors that change a file in place, and what they leave of it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from fairlead.shell.arguments import read_arguments
from fairlead.shell.effects.effect import Action, Effect
from fairlead.shell.effects.program_effects import shown
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.places.surroundings import Surroundings
from fairlead.shell.places.targets import resolve
from fairlead.shell.script import Command, Word

_ALL_LINES = r"(?:[01]?\s*,\s*\$|/(?:\.|\.\*|\^|\$)/|[1$]\s*!)?"
_EMPTYING_SED = lazy(rf"^\s*{_ALL_LINES}\s*\{{?\s*(?:d|s(?P<mark>[/|#,])\.\*(?P=mark){{2}}g?)\s*\}}?;?\s*$")
_SED_VALUED = ("-e", "--expression", "-f", "--file", "-l", "--line-length")
_EMPTYING_PERL = lazy(r"^\s*(?:\$_\s*=\s*(?:\"\"|''|undef|q\(\))|undef\s+\$_|s/\.\*//s?g?)\s*;?\s*$")


def read_sed(command: Command, where: Surroundings, _: object = None) -> Iterator[Effect]:
    words = [word.replace(text="-i") if word.text.startswith("-i") else word for word in command.argv[1:]]
    given = read_arguments(words, valued=_SED_VALUED)
    in_place = given.has("-i", "--in-place")
    files = given.operands if given.has("-e", "-f", "--expression", "--file") else given.operands[1:]
    if in_place:
        script = given.text("-e", "--expression") or (given.operands[0].text if given.operands else "")
        silent = given.has("-n", "--quiet", "--silent") and not given.has("-f", "--file")
        emptied = _EMPTYING_SED.match(script) or (silent and not re.search(r"[pPwe]", script))
        action = Action.TRUNCATE if emptied else Action.WRITE
        yield from _on_each(action, command, files, where)
    yield from _on_each(Action.READ, command, files, where)


def read_perl(command: Command, where: Surroundings) -> Iterator[Effect]:
    """`perl -pi -e CODE FILE` and `ruby -i` write to the files; what prints nothing empties them."""
    words = command.argv[1:]
    switches = "".join(word.text[1:] for word in words if re.match(r"^-[A-Za-z0.]+$", word.text))
    if "i" not in switches and not any(re.match(r"^-[A-Za-z0]*i", word.text) for word in words):
        return
    code, files = "", []
    for index, word in enumerate(words):
        if index and re.match(r"^-[A-Za-z0.]*[eE]$", words[index - 1].text):
            code = word.text
        elif not word.text.startswith("-"):
            files.append(word)
    silent = "n" in switches and "p" not in switches and not re.search(r"print|say|puts|\bp\b", code)
    emptied = silent or _EMPTYING_PERL.match(code)
    yield from _on_each(Action.TRUNCATE if emptied else Action.WRITE, command, files, where)


def awk_leaves_nothing(program: str) -> bool:
    """Whether an awk program prints no line: `0`, or actions that print nothing."""
    return program.strip() in ("0", "", "!1") or (
        "{" in program and "print" not in program and "1" not in program
    )


def _on_each(
    action: Action, command: Command, files: list[Word] | tuple[Word, ...], where: Surroundings
) -> Iterator[Effect]:
    what = shown(command)
    for word in files:
        yield Effect(action, "sed", command, resolve(word, command, where), what=what)

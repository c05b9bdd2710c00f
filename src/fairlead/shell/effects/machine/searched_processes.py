"""Which processes a pipe looks for whose numbers somebody kills: by name, by pattern or by port."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise

from fairlead.shell.effects.effect import Effect
from fairlead.shell.effects.machine.vital_processes import effects_of_name, effects_of_port
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.script import Command, program_name
from fairlead.shell.unknown import Stage

_VALUED = frozenset(("-u", "-U", "-g", "-G", "-P", "-s", "-t", "-d", "-o", "--signal", "-A", "-B", "-m"))
_BRACKETED = lazy(r"\[(\w)\]")
_DECORATION = lazy(r"\\[bBsSwW<>]|\.\*|[\^$()]")
_EXPRESSIONS = lazy(r"(!?~?)\s*/((?:[^/\\]|\\.){1,200})/")
_COMPARED = lazy(r"==\s*\"([^\"]{1,200})\"|\bindex\(\$\d+,\s*\"([^\"]{1,200})\"\)")
_PORT = lazy(r"(?:^|[:=@\s])(\d{1,5}|ssh|mysql|postgresql)(?:/(?:tcp|udp)|\s*\)?\s*$)")
_LISTED_PORT = lazy(r"^(?:-[a-zA-Z]*i)?(?:[46])?(?:(?:tcp|udp|TCP|UDP))?(?:@[\w.]+)?:([\w,-]+)$")
_MOST = 16


def effects_of_search(command: Command, stages: Sequence[Stage]) -> Iterator[Effect]:
    """What it means to end the processes that these commands of a pipe have picked."""
    for stage in stages[:_MOST]:
        program, *words = stage
        name = program_name(program)
        for found in _NAMES.get(name, _none)(words):
            yield from effects_of_name(command, found)
        for port in _PORTS.get(name, _none)(words):
            yield from effects_of_port(command, port)


def _none(_: list[str]) -> Iterator[str]:
    yield from ()


def _operands(words: list[str]) -> Iterator[str]:
    before = ""
    for word in words:
        if not word.startswith("-") and before not in _VALUED:
            yield word
        before = word


def _alternatives(pattern: str) -> Iterator[str]:
    """`[n]ginx`, `^sshd$`, `nginx\\|apache2`: the names that a pattern spells."""
    plain = _BRACKETED.sub(r"\1", pattern).replace("\\|", "|")
    for part in _DECORATION.sub("", plain).split("|")[:_MOST]:
        if part:
            yield part


def _by_name(words: list[str]) -> Iterator[str]:
    for word in _operands(words):
        yield from _alternatives(word)


def _by_line(words: list[str]) -> Iterator[str]:
    """What `grep` lets through."""
    if any(
        word == "--invert-match" or (word[:1] == "-" and word[1:2] != "-" and "v" in word) for word in words
    ):
        return
    given = [after for word, after in pairwise(words) if word in ("-e", "--regexp")]
    for pattern in given or list(_operands(words))[:1]:
        yield from _alternatives(pattern)


def _by_scan(words: list[str]) -> Iterator[str]:
    """What the program of `awk` compares with."""
    for program in list(_operands(words))[:1]:
        for negation, expression in _EXPRESSIONS.findall(program)[:_MOST]:
            if not negation.startswith("!"):
                yield from _alternatives(expression)
        for same, within in _COMPARED.findall(program)[:_MOST]:
            yield from _alternatives(same or within)


def _by_ps(words: list[str]) -> Iterator[str]:
    for option, value in pairwise(words):
        if option == "-C":
            yield from value.split(",")


def _by_lsof(words: list[str]) -> Iterator[str]:
    for option, value in pairwise(words):
        if option == "-c":
            yield value


def _ports_of_lsof(words: list[str]) -> Iterator[str]:
    for word in words:
        found = _LISTED_PORT.match(word)
        if found is not None:
            yield from found[1].split(",")


def _ports_in(words: list[str]) -> Iterator[str]:
    for word in words:
        if not word.startswith("-"):
            yield from _PORT.findall(word)


_Finder = Callable[[list[str]], Iterator[str]]
_NAMES: Mapping[str, _Finder] = {
    **dict.fromkeys(("pgrep", "pidof", "pidofproc"), _by_name),
    **dict.fromkeys(("grep", "egrep", "fgrep", "rg"), _by_line),
    **dict.fromkeys(("awk", "gawk", "mawk", "nawk"), _by_scan),
    "ps": _by_ps,
    "lsof": _by_lsof,
}
_PORTS: Mapping[str, _Finder] = {
    "lsof": _ports_of_lsof,
    **dict.fromkeys(("fuser", "ss"), _ports_in),
}

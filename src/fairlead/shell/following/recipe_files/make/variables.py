"""Variables of make: what a text in a makefile comes to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType

from fairlead.shell.bounds import MAX_LENGTH
from fairlead.shell.following.recipe_files.make.functions import TEXT_FUNCTIONS, substituted
from fairlead.shell.following.recipe_files.project import Project
from fairlead.shell.language.lexer import UNREAD_OPEN
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.places.paths import absolute

_MOST_EXPANSIONS = 5_000
_MOST_TEXT = 4 * MAX_LENGTH
"""Variables that are looked up, and characters that they come to, in one makefile."""
_DEEPEST = 40
_CALL = lazy(r"([a-z-]+)[ \t]+")
_CLOSING = {"(": ")", "{": "}"}
DEFAULTS: Mapping[str, str] = MappingProxyType(
    {
        "MAKE": "make", "CC": "cc", "CXX": "c++", "CPP": "$(CC) -E", "AR": "ar", "LD": "ld", "RM": "rm -f",
        "SHELL": "/bin/sh", "MAKELEVEL": "0", "MAKE_VERSION": "4.4",
        "MAKE_COMMAND": "make", "INSTALL": "install",
    }
)  # fmt: skip
_SPECIAL = ("shell", "eval", "if", "or", "and", "foreach", "call", "value", "abspath", "realpath")


class Variable:
    """`lazily`: expanded where it is used, and not where it is set. `first`: it was told from outside, and no
    line of the file changes it."""

    __slots__ = ("first", "lazily", "text")

    def __init__(self, text: str, *, lazily: bool, first: bool = False) -> None:
        self.text = text
        self.lazily = lazily
        self.first = first


class Variables:
    """All that are set, and what was run to find out their values. `evaluated` are texts that `$(eval …)`
    made, which are read as lines of the makefile."""

    def __init__(self, project: Project) -> None:
        self._project = project
        self.set: dict[str, Variable] = {name: Variable(text, lazily=True) for name, text in DEFAULTS.items()}
        self.set["CURDIR"] = Variable(project.folder, lazily=False)
        self.evaluated: list[str] = []
        self._left = _MOST_EXPANSIONS
        self._room = _MOST_TEXT
        self._depth = 0

    def assign(self, name: str, operator: str, value: str, *, override: bool = False) -> None:
        current = self.set.get(name)
        if current is not None and current.first and not override:
            return
        if operator == "?=" and (
            (current is not None and name not in DEFAULTS) or self._project.variable(name) is not None
        ):
            return
        if operator == "!=":
            self.set[name] = Variable(self._output(self.expand(value)), lazily=False)
        elif operator == "+=" and current is not None:
            added = value if current.lazily else self.expand(value)
            self.set[name] = Variable(f"{current.text} {added}"[:MAX_LENGTH], lazily=current.lazily)
        elif operator in (":=", "::=", ":::="):
            self.set[name] = Variable(self.expand(value), lazily=False)
        else:
            self.set[name] = Variable(value, lazily=True)

    def value(self, name: str, automatic: Mapping[str, str] = MappingProxyType({})) -> str:
        """What a variable comes to; a mark where nothing says."""
        if name in automatic:
            return automatic[name]
        self._left -= 1
        found = self.set.get(name)
        outside = self._project.variable(name) if found is None or name in DEFAULTS else None
        if name == "SHELL":
            outside = None  # the shell of the person is not the one of make
        if found is None or outside is not None:
            return self._project.unset(f"$({name})", f"${name}") if outside is None else outside
        if not found.lazily:
            return found.text
        if self._left < 0 or self._depth > _DEEPEST:
            return self._project.unknown(f"$({name})")
        return self.expand(found.text, automatic)

    def is_set(self, name: str) -> bool | None:
        """None where that depends on the environment."""
        if name in self.set:
            return bool(self.set[name].text.strip())
        return None if self._project.variable(name) is None else True

    def expand(self, text: str, automatic: Mapping[str, str] = MappingProxyType({})) -> str:
        if "$" not in text:
            return text
        pieces: list[str] = []
        self._depth += 1
        for piece, inside in parts_of(text):
            if inside is None:
                pieces.append(piece)
            else:
                pieces.append(self._reference(inside, automatic))
                self._room -= len(pieces[-1])
        self._depth -= 1
        if self._room < 0:
            return self._project.unknown(text[:80])
        return "".join(pieces)

    def _reference(self, inside: str, automatic: Mapping[str, str]) -> str:
        if self._left < 0 or self._depth > _DEEPEST:
            return self._project.unknown(f"$({inside[:80]})")
        call = _CALL.match(inside)
        if call and call[1] in TEXT_FUNCTIONS:
            self._left -= 1
            count, function = TEXT_FUNCTIONS[call[1]]
            given = [self.expand(each, automatic) for each in split_arguments(inside[call.end() :], count)]
            return function(given + [""] * (count - len(given)))
        if call and call[1] in _SPECIAL:
            self._left -= 1
            return self._special(call[1], inside[call.end() :], automatic)
        name, colon, change = _at_colon(inside)
        name = self.expand(name, automatic)
        if colon and "=" in change:
            pattern, _, replacement = self.expand(change, automatic).partition("=")
            whole = "%" in pattern
            return substituted(
                pattern if whole else f"%{pattern}",
                replacement if whole else f"%{replacement}",
                self.value(name, automatic),
            )
        return self.value(name, automatic)

    def _special(self, name: str, rest: str, automatic: Mapping[str, str]) -> str:
        if name == "shell":
            return self._output(self.expand(rest, automatic))
        if name == "eval":
            self.evaluated.append(self.expand(rest, automatic))
            return ""
        if name in ("abspath", "realpath"):
            words = self.expand(rest, automatic).split()
            return " ".join(absolute(word, self._project.folder or None) or word for word in words)
        if name == "value":
            found = self.set.get(rest.strip())
            return found.text if found is not None else ""
        given = split_arguments(rest, 50)
        if name == "if":
            return self._if(given, automatic)
        if name in ("or", "and"):
            found_texts = [self.expand(each, automatic).strip() for each in given]
            return _first(found_texts) if name == "or" else found_texts[-1] * all(found_texts)
        if name == "foreach" and len(given) > 2:
            return self._for_each(given, rest, automatic)
        if name == "call":
            words = [self.expand(each, automatic).strip() for each in given]
            numbered = {str(number): word for number, word in enumerate(words)}
            found = self.set.get(words[0])
            return self.expand(found.text, {**automatic, **numbered}) if found is not None else ""
        return ""

    def _if(self, given: list[str], automatic: Mapping[str, str]) -> str:
        condition = self.expand(given[0], automatic).strip()
        known = not is_marked(condition)
        chosen = given[1:2] if known and condition else given[2:3] if known else given[1:3]
        return " ".join(self.expand(each, automatic) for each in chosen)

    def _for_each(self, given: list[str], rest: str, automatic: Mapping[str, str]) -> str:
        name, words, body = split_arguments(rest, 3)
        items = self.expand(words, automatic).split()[:100]
        return " ".join(self.expand(body, {**automatic, name.strip(): item}) for item in items)

    def _output(self, command: str) -> str:
        printed = self._project.output(command, "make $(shell)") if command.strip() else ""
        return " ".join(printed.split())


def _first(texts: list[str]) -> str:
    """The first that is not empty; what is not known may be."""
    found: list[str] = []
    for text in filter(None, texts):
        found.append(text)
        if not is_marked(text):
            break
    return " ".join(found)


def is_marked(text: str) -> bool:
    """Whether something of it is not known."""
    return UNREAD_OPEN in text


def parts_of(text: str) -> Iterator[tuple[str, str | None]]:
    """Plain text, and what stands in each reference to a variable."""
    place = 0
    while True:
        dollar = text.find("$", place)
        if dollar < 0 or dollar + 1 >= len(text):
            yield text[place:], None
            return
        yield text[place:dollar], None
        following = text[dollar + 1]
        if following in _CLOSING:
            end = closing(text, dollar + 1)
            yield "", text[dollar + 2 : end]
            place = end + 1
        else:
            yield ("$", None) if following == "$" else ("", following)
            place = dollar + 2


def closing(text: str, start: int) -> int:
    """Where the bracket at `start` is closed; the end of the text where it is not."""
    opened, closed = text[start], _CLOSING[text[start]]
    depth = 0
    for place in range(start, len(text)):
        if text[place] == opened:
            depth += 1
        elif text[place] == closed:
            depth -= 1
            if not depth:
                return place
    return len(text)


def split_arguments(text: str, most: int) -> list[str]:
    """By commas outside of brackets; the last one keeps its commas."""
    found: list[str] = []
    depth, start = 0, 0
    for place, char in enumerate(text):
        if char in "({":
            depth += 1
        elif char in ")}":
            depth -= 1
        elif char == "," and depth <= 0 and len(found) + 1 < most:
            found.append(text[start:place])
            start = place + 1
    return [*found, text[start:]]


def _at_colon(inside: str) -> tuple[str, str, str]:
    """`NAME:.c=.o`, where a colon inside of a nested reference is none of this one."""
    depth = 0
    for place, char in enumerate(inside):
        if char in "({":
            depth += 1
        elif char in ")}":
            depth -= 1
        elif char == ":" and not depth:
            return inside[:place], ":", inside[place + 1 :]
    return inside, "", ""

"""One makefile with all that it includes: its variables and its rules."""

from __future__ import annotations

from collections.abc import Iterator
from fnmatch import fnmatchcase

from fairlead.shell.following.recipe_files.make.variables import (
    Variables,
    closing,
    is_marked,
    split_arguments,
)
from fairlead.shell.following.recipe_files.project import File, Project
from fairlead.shell.lazy_pattern import lazy

_MOST_FILES = 30
_MOST_RULES = 5_000
_MOST_EVALUATED = 100
_CONDITION = lazy(r"(ifeq|ifneq|ifdef|ifndef)\b[ \t]*(.*)\Z")
_QUOTED_PAIR = lazy(r"""(["'])(.*?)\1[ \t]*(["'])(.*?)\3[ \t]*\Z""")
_DEFINE = lazy(r"(?:override[ \t]+)?define[ \t]+(\S+)[ \t]*([:?+!]*=)?[ \t]*\Z")
_INCLUDE = lazy(r"(?:-include|sinclude|include)[ \t]+(.*)\Z")
_EXPORT = lazy(r"(un)?export(?:[ \t]+(.*))?\Z")
_MODIFIER = lazy(r"(?:override|private|export)[ \t]+(?=.*=)")
_SUFFIX_RULE = lazy(r"(\.[a-zA-Z0-9_+-]+)(\.[a-zA-Z0-9_+-]+)\Z")
_OPERATOR = lazy(r":::=|::=|:=|\?=|\+=|!=|=")


class Rule:
    """`sources`: what its targets are made of; `before`: what has to be there first, besides. `recipe`: its
    lines with their numbers, as they are written."""

    __slots__ = ("before", "path", "recipe", "sources", "target_pattern", "targets")

    def __init__(self, targets: list[str], sources: str, target_pattern: str, path: str) -> None:
        made_of, _, before = sources.partition("|")
        self.targets = targets
        self.sources = made_of.split()
        self.before = before.split()
        self.target_pattern = target_pattern
        self.recipe: list[tuple[int, str]] = []
        self.path = path


class Makefile:
    """Read from top to bottom. Of the branches whose condition cannot be known, the first one is taken in the
    first `turn`, the second one in the second, and so on, until none is; `guesses` is how many such branches
    one condition had at most. `path` is the first file."""

    def __init__(self, project: Project, turn: int) -> None:
        self.variables = Variables(project)
        self.rules: list[Rule] = []
        self.own: dict[str, list[tuple[str, str, str]]] = {}
        """Variables of single targets."""
        self.exported: set[str] = set()
        self.exports_all = False
        self.guesses = 0
        self.path = ""
        self._project = project
        self._turn = turn
        self._rule: Rule | None = None
        self._branches: list[list[bool]] = []
        """For each condition that is open: whether the branch is taken, and whether one was before."""
        self._unsure: list[int] = []
        """For each of them: how many of its branches had a condition that cannot be known."""
        self._files = 0

    def read(self, file: File) -> None:
        self._files += 1
        self.path = self.path or file.path
        if self._files > _MOST_FILES:
            return
        lines = iter(_joined_lines(file.text))
        self._rule = None
        for number, line in lines:
            if self._rule is not None and line.startswith(self._prefix()):
                if self._taken():
                    self._rule.recipe.append((number, line[1:]))
            else:
                self._statement(number, line.replace("\\\n", " "), lines, file)
        self._rule = None

    def _prefix(self) -> str:
        found = self.variables.set.get(".RECIPEPREFIX")
        return found.text[:1] if found is not None and found.text else "\t"

    def _taken(self) -> bool:
        return all(branch[0] for branch in self._branches)

    def _statement(self, number: int, line: str, lines: Iterator[tuple[int, str]], file: File) -> None:
        text = _without_comment(line).strip()
        if not text or self._conditional(text):
            return
        defined = _DEFINE.match(text)
        if defined:
            self._define(defined[1], defined[2] or "=", lines)
            return
        if not self._taken():
            self._rule = None
            return
        include = _INCLUDE.match(text)
        if include:
            self._include(include[1])
        elif not self._exporting(text):
            self._assignment_or_rule(number, text, file)
        self._evaluate(file)

    def _conditional(self, text: str) -> bool:
        found = _CONDITION.match(text)
        if found:
            self._unsure.append(0)
            taken = self._holds(found[1], found[2]) if self._taken() else False
            self._branches.append([taken, taken])
            return True
        if text.startswith("else") and text[4:5] in ("", " ", "\t") and self._branches:
            branch = self._branches[-1]
            inner = _CONDITION.match(text[4:].strip())
            outer = all(each[0] for each in self._branches[:-1])
            if branch[1] or not outer:
                branch[0] = False
            else:
                branch[0] = self._holds(inner[1], inner[2]) if inner else True
                branch[1] = branch[0]
            return True
        if text == "endif" and self._branches:
            self._branches.pop()
            self._unsure.pop()
            return True
        return False

    def _holds(self, word: str, rest: str) -> bool:
        """Whether a condition is true; a guess where that cannot be known."""
        if word in ("ifdef", "ifndef"):
            known = self.variables.is_set(self.variables.expand(rest).strip())
            if known is None:
                return self._guess()
            return known if word == "ifdef" else not known
        first, second = (self.variables.expand(each).strip() for each in _pair(rest))
        if is_marked(first) or is_marked(second):
            return self._guess()
        return (first == second) is (word == "ifeq")

    def _guess(self) -> bool:
        """Whether this turn takes the branch."""
        self._unsure[-1] += 1
        self.guesses = max(self.guesses, self._unsure[-1])
        return self._turn == self._unsure[-1] - 1

    def _define(self, name: str, operator: str, lines: Iterator[tuple[int, str]]) -> None:
        depth, body = 1, []
        for _, line in lines:
            word = line.strip().split(" ", 1)[0]
            depth += (word == "define") - (word == "endef")
            if not depth:
                break
            body.append(line)
        if self._taken():
            self.variables.assign(self.variables.expand(name), operator, "\n".join(body))

    def _include(self, text: str) -> None:
        for name in self.variables.expand(text).split()[:_MOST_FILES]:
            folder, _, last = name.rpartition("/")
            globbed = "*" in last or "?" in last
            names = [each for each in self._project.names(folder or ".") if fnmatchcase(each, last)]
            for each in (f"{folder}/{found}" if folder else found for found in names) if globbed else (name,):
                rule, found = self._rule, self._project.file(each)
                if found is not None:
                    self.read(found)
                self._rule = rule

    def _exporting(self, text: str) -> bool:
        found = _EXPORT.match(text)
        if not found or (found[2] and _operator_in(found[2]) is not None):
            return False
        names = self.variables.expand(found[2] or "").split()
        self.exports_all |= not names and not found[1]
        self.exported = self.exported.difference(names) if found[1] else self.exported.union(names)
        return True

    def _assignment_or_rule(self, number: int, text: str, file: File) -> None:
        while True:
            modifier = _MODIFIER.match(text)
            if not modifier:
                break
            exported, text = text.startswith("export"), text[modifier.end() :]
            if exported and (place := _operator_in(text)) is not None:
                self.exported.add(self.variables.expand(text[: place[0]]).strip())
        operator = _operator_in(text)
        if operator is not None:
            name = self.variables.expand(text[: operator[0]]).strip()
            self.variables.assign(name, operator[1], text[operator[0] + len(operator[1]) :].lstrip())
            return
        colon = _outside(text, ":")
        if colon is None:
            expanded = self.variables.expand(text)
            if _outside(expanded, ":") is not None or "\n" in expanded:
                self.variables.evaluated.append(expanded.replace("$", "$$"))
            return
        self._add_rule(number, text, colon, file)

    def _add_rule(self, number: int, text: str, colon: int, file: File) -> None:
        self._rule = None
        targets = self.variables.expand(text[:colon]).rstrip("&").split()
        rest = text[colon + 1 :].lstrip(":")
        operator = _operator_in(rest)
        if operator is not None:
            name = rest[: operator[0]].strip().removeprefix("export ").removeprefix("private ").strip()
            value = rest[operator[0] + len(operator[1]) :].lstrip()
            for target in targets[:200]:
                self.own.setdefault(target, []).append((name, operator[1], value))
            return
        if len(self.rules) >= _MOST_RULES:
            return
        semicolon = _outside(rest, ";")
        sources, inline = (rest, "") if semicolon is None else (rest[:semicolon], rest[semicolon + 1 :])
        sources = self.variables.expand(sources)
        pattern = ""
        if ":" in sources and targets and "%" in sources.partition(":")[0]:
            pattern, _, sources = sources.partition(":")
        targets = [_as_pattern(target) for target in targets]
        self._rule = Rule(targets, sources, pattern.strip(), file.path)
        self.rules.append(self._rule)
        if inline.strip():
            self._rule.recipe.append((number, inline))

    def _evaluate(self, file: File) -> None:
        """What `$(eval …)` made becomes lines of the file."""
        for _ in range(_MOST_EVALUATED):
            if not self.variables.evaluated:
                return
            rule, text = self._rule, self.variables.evaluated.pop(0)
            self.read(File(file.path, text))
            self._rule = rule
        self.variables.evaluated.clear()


def _as_pattern(target: str) -> str:
    """`.c.o` is an old way to say `%.o`."""
    suffixes = _SUFFIX_RULE.match(target)
    return f"%{suffixes[2]}" if suffixes else target


def _pair(rest: str) -> tuple[str, str]:
    """`(a,b)`, `"a" "b"` or `'a' 'b'`."""
    rest = rest.strip()
    if rest.startswith("("):
        first, *second = split_arguments(rest[1 : closing(rest, 0)], 2)
        return first, second[0] if second else ""
    quoted = _QUOTED_PAIR.match(rest)
    return (quoted[2], quoted[4]) if quoted else (rest, "")


def _joined_lines(text: str) -> Iterator[tuple[int, str]]:
    """Lines, each with those that it goes on in."""
    held: list[str] = []
    start = 1
    for number, line in enumerate(text.replace("\r\n", "\n").split("\n"), 1):
        if not held:
            start = number
        if line.endswith("\\") and (len(line) - len(line.rstrip("\\"))) % 2:
            held.append(line if not held else line.lstrip("\t"))
            continue
        yield start, "\n".join([*held, line.lstrip("\t") if held else line])
        held = []
    if held:
        yield start, "\n".join(held)


def _without_comment(line: str) -> str:
    place = line.find("#")
    while place > 0 and line[place - 1] == "\\":
        place = line.find("#", place + 1)
    return line if place < 0 else line[:place]


def _outside(text: str, wanted: str) -> int | None:
    """Where a character stands outside of any reference."""
    depth = 0
    for place, char in enumerate(text):
        if char in "({":
            depth += 1
        elif char in ")}":
            depth = max(depth - 1, 0)
        elif char == wanted and not depth:
            return place
    return None


def _operator_in(text: str) -> tuple[int, str] | None:
    """Where a variable is assigned, and how; None for what is no assignment."""
    equals = _outside(text, "=")
    if equals is None:
        return None
    for start in range(max(equals - 3, 0), equals + 1):
        found = _OPERATOR.match(text, start)
        if found and found.end() == equals + 1:
            before = text[:start]
            is_name = bool(before.strip()) and _outside(before, ":") is None and _outside(before, ";") is None
            return (start, found[0]) if is_name else None
    return None

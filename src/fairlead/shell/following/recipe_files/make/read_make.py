"""What `make` runs: the recipes of its goals and of all that they depend on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from shlex import quote

from fairlead.shell.following.recipe_files.make.functions import matches
from fairlead.shell.following.recipe_files.make.makefile import Makefile, Rule
from fairlead.shell.following.recipe_files.make.variables import DEFAULTS, Variable, is_marked
from fairlead.shell.following.recipe_files.project import File, Project
from fairlead.shell.following.recipe_files.step import Step
from fairlead.shell.language.quote_splitting import split_arguments
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.programs.running import SHELLS
from fairlead.shell.script import program_name

_OVERRIDE = lazy(r"([\w.-]+)[ \t]*([:?+!]*=)([\s\S]*)\Z")
_PREFIX = lazy(r"[@+\-\s]*")
_LINE_END = lazy(r"(?<!\\)\n")
_SHOWN = ("-n", "--dry-run", "--just-print", "--recon", "-q", "--question", "-t", "--touch")
_NO_RUN = ("-v", "--version", "-h", "--help")
_AGAIN = lazy(r"\$[({]MAKE[)}]")
_LONGEST_FLAGS = 10_000
_COMPILERS = ("CC", "CXX", "AS", "FC", "COMPILE.c", "COMPILE.cc", "LINK.o")
_MOST_TURNS = 5
"""Ways through conditions that cannot be known."""
_MOST_ABOVE = 10
_MOST_TARGETS = 500
_MOST_EXPORTED = 100
_MOST_PATTERNS = 200


def read_make(project: Project) -> Iterator[Step]:
    if project.given.has(*_NO_RUN):
        return
    seen: set[tuple[str, str]] = set()
    for turn in range(_MOST_TURNS):
        make = _Make(project, turn)
        project.note_fetched()
        for step in make.steps():
            if (step.via, step.text) not in seen:
                seen.add((step.via, step.text))
                yield step
        if turn >= make.file.guesses:
            return


class _Make:
    """One way through the makefiles: in each turn, another branch is taken of what cannot be known."""

    def __init__(self, project: Project, turn: int) -> None:
        self._project = project
        self.file = Makefile(project, turn)
        self._only_shown = project.given.has(*_SHOWN)
        self.goals: list[str] = []
        self._unknown_goal = False
        self._overrides: dict[str, str] = {}
        self._take_overrides()
        self._exports: dict[str, str] | None = None
        for file in self._files():
            self.file.read(file)
        self._rules: dict[str, list[Rule]] = {}
        self._patterns: list[tuple[str, Rule]] = []
        for rule in self.file.rules:
            for target in rule.targets:
                if "%" in target and not rule.target_pattern:
                    self._patterns.append((target, rule))
                else:
                    self._rules.setdefault(target, []).append(rule)

    def _take_overrides(self) -> None:
        """What the words say, and what an outer make passes on: variables that win, and goals."""
        inherited = split_arguments((self._project.variable("MAKEFLAGS") or "")[:_LONGEST_FLAGS])
        for text in (*filter(_OVERRIDE.match, inherited), *self._project.texts()):
            told = _OVERRIDE.match(text)
            if told:
                self._overrides[told[1]] = told[3]
                self.file.variables.set[told[1]] = Variable(told[3], lazily=True, first=True)
            elif is_marked(text):
                self._unknown_goal = True
            else:
                self.goals.append(text)
        if self._project.given.has("-e", "--environment-overrides"):
            for name in sorted(self._project.state.exported):
                value = self._project.variable(name)
                self.file.variables.set[name] = Variable(
                    (value or "").replace("$", "$$"), lazily=True, first=True
                )
        self.file.variables.set["MAKECMDGOALS"] = Variable(" ".join(self.goals), lazily=False)

    def _files(self) -> Iterator[File]:
        for name in ("--eval", "-E"):
            for word in self._project.given.values.get(name, ()):
                yield File("--eval", self._project.source(word))
        for name in (self._project.variable("MAKEFILES") or "").split()[:_MOST_TURNS]:
            found = self._project.file(name)
            if found is not None:
                yield found
        if self._project.is_told_a_file():
            yield from self._project.named_files()
        else:
            found = self._project.recipe()
            if found is not None:
                yield found

    def steps(self) -> Iterator[Step]:
        for target, above in self._in_order(self._wanted()):
            rules = self._rules_for(target)
            for rule, stem in rules:
                yield from self._recipe(rule, target, stem, above)
            if not any(rule.recipe for rule, _ in rules):
                yield from self._built_in(target)

    def _wanted(self) -> list[str]:
        if self._unknown_goal:
            return list(self._rules)
        if self.goals:
            return self.goals
        told = self.file.variables.set.get(".DEFAULT_GOAL")
        if told is not None:
            return self.file.variables.expand(told.text).split()
        first = (target for target in self._rules if not target.startswith(".") or "/" in target)
        return [target for target, _ in zip(first, range(1), strict=False)]

    def _in_order(self, goals: list[str]) -> Iterator[tuple[str, tuple[str, ...]]]:
        """The goals, each behind all that it depends on, with those for whose sake it is made and that have
        variables of their own."""
        seen: set[str] = set()
        waiting: list[tuple[str, tuple[str, ...], bool]] = [(goal, (), False) for goal in reversed(goals)]
        while waiting:
            target, above, is_ready = waiting.pop()
            if is_ready:
                yield target, above
            elif target not in seen and len(seen) < _MOST_TARGETS:
                seen.add(target)
                waiting.append((target, above, True))
                below = (*above[-_MOST_ABOVE:], target) if target in self.file.own else above
                waiting += [(source, below, False) for source in reversed(self._sources_of(target))]

    def _built_in(self, target: str) -> Iterator[Step]:
        """Rules that every make has, where the makefile says what compiles."""
        told = [name for name in _COMPILERS if self._is_told(name)]
        last = target.rsplit("/", 1)[-1]
        if told and (last.endswith((".o", ".lo", ".obj")) or ("." not in last and target not in self._rules)):
            for name in told:
                text = f"{self.file.variables.value(name)} -c -o {quote(target)}"
                yield Step(text, f"make {target}", path=self.file.path, line=1)

    def _is_told(self, name: str) -> bool:
        found = self.file.variables.set.get(name)
        return found is not None and found.text != DEFAULTS.get(name)

    def _sources_of(self, target: str) -> list[str]:
        found = self._rules_for(target)
        return [each for rule, stem in found for each in _stemmed([*rule.sources, *rule.before], stem)]

    def _rules_for(self, target: str) -> list[tuple[Rule, str]]:
        """Its own rules, and a pattern's where none of them has a recipe, each with what `%` stands for."""
        own = [
            (rule, (matches(rule.target_pattern, target) or "") if rule.target_pattern else "")
            for rule in self._rules.get(target, ())
        ]
        if not any(rule.recipe for rule, _ in own):
            own += self._pattern_rule(target)
        return own

    def _pattern_rule(self, target: str) -> list[tuple[Rule, str]]:
        found: list[tuple[Rule, str]] = []
        for pattern, rule in self._patterns[:_MOST_PATTERNS]:
            stem = matches(pattern, target)
            if stem and rule.recipe and (not found or len(stem) < len(found[0][1])):
                found = [(rule, stem)]
        default = self._rules.get(".DEFAULT", ()) if not found and target not in self._rules else ()
        return found or [(rule, "") for rule in default]

    def _recipe(self, rule: Rule, target: str, stem: str, above: tuple[str, ...]) -> Iterator[Step]:
        own = self._own_variables((*above, target))
        automatic = {**_automatic(target, _stemmed(rule.sources, stem), stem), **own}
        environment = {**self._environment(), **{name: own[name] for name in own if name.isidentifier()}}
        wholes = [(number, line) for number, line in rule.recipe if self._is_run(line)]
        if ".ONESHELL" in self._rules and wholes:
            wholes = [(wholes[0][0], "\n".join(line for _, line in wholes))]
        for number, line in wholes:
            expanded = self.file.variables.expand(line, automatic)
            texts = [expanded] if ".ONESHELL" in self._rules else _LINE_END.split(expanded)
            for text in texts:
                text = text[_prefix_end(text) :]
                if text.strip():
                    yield Step(
                        self._by_shell(text, automatic),
                        f"make {target}",
                        variables=environment,
                        path=rule.path,
                        line=number,
                    )

    def _is_run(self, line: str) -> bool:
        """With `-n` make runs nothing but what has a plus, or calls make again."""
        if not self._only_shown:
            return True
        return "+" in line[: _prefix_end(line)] or _AGAIN.search(line) is not None

    def _own_variables(self, targets: tuple[str, ...]) -> dict[str, str]:
        """Those of a target, over those of the targets that it is made for."""
        found: dict[str, str] = {}
        told = [each for target in ("%", *targets) for each in self.file.own.get(target, ())]
        for name, operator, value in told:
            if name not in self._overrides:
                before = f"{found.get(name) or self.file.variables.value(name)} " if operator == "+=" else ""
                found[name] = before + self.file.variables.expand(value, found)
        return found

    def _by_shell(self, text: str, automatic: Mapping[str, str]) -> str:
        """What runs the line, where the makefile names something else than a shell for that."""
        told = self.file.variables.set["SHELL"]
        if told.text == DEFAULTS["SHELL"]:
            return text
        shell = self.file.variables.expand(told.text, automatic)
        program = program_name(shell.split(" ", 1)[0])
        if program in SHELLS:
            return text
        flags = self.file.variables.set.get(".SHELLFLAGS")
        return f"{shell} {self.file.variables.expand(flags.text) if flags else '-c'} {quote(text)}"

    def _environment(self) -> dict[str, str]:
        """What every recipe finds in its environment."""
        if self._exports is None:
            names = set(self.file.exported) | self._overrides.keys()
            if self.file.exports_all:
                names |= self.file.variables.set.keys() - DEFAULTS.keys()
            known = [
                name for name in sorted(names) if name.isidentifier() and name in self.file.variables.set
            ]
            self._exports = {name: self.file.variables.value(name) for name in known[:_MOST_EXPORTED]}
            if self._overrides:
                flags = [f"{key}={quote(value)}" for key, value in self._overrides.items()]
                self._exports["MAKEFLAGS"] = " ".join(flags)
        return self._exports


def _prefix_end(line: str) -> int:
    found = _PREFIX.match(line)
    return found.end() if found else 0


def _stemmed(sources: list[str], stem: str) -> list[str]:
    return [source.replace("%", stem, 1) for source in sources] if stem else sources


def _automatic(target: str, sources: list[str], stem: str) -> dict[str, str]:
    once = list(dict.fromkeys(sources))
    found = {"@": target, "<": once[0] if once else "", "^": " ".join(once), "+": " ".join(sources)}
    found |= {"?": found["^"], "*": stem, "|": "", "%": ""}
    for name in ("@", "<", "*"):
        folder, _, last = found[name].rpartition("/")
        found[f"{name}D"], found[f"{name}F"] = folder or ".", last
    return found

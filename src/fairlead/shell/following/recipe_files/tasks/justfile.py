"""What `just` runs: its recipes with what they depend on, and their arguments."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from shlex import quote

from fairlead.shell.following.recipe_files.formats.structured_text import texts_of, toml_value
from fairlead.shell.following.recipe_files.project import File, Project
from fairlead.shell.following.recipe_files.step import Step
from fairlead.shell.following.recipe_files.tasks.just_expressions import Expressions, interpolated
from fairlead.shell.language.quote_splitting import split_arguments
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.programs.running import SHELLS
from fairlead.shell.script import program_name

_ASSIGNED = lazy(r"(?:export\s+)?([A-Za-z_][\w-]*)\s*:=\s*(.*)\Z")
_ALIAS = lazy(r"alias\s+([\w-]+)\s*:=\s*([\w-]+)")
_SETTING = lazy(r"set\s+([\w-]+)\s*(?::=\s*(.*))?\Z")
_IMPORT = lazy(r"(?:import|mod)\??\s+(?:([\w-]+)\s*)?(?:[\"']([^\"']+)[\"'])?\s*\Z")
_NAME = lazy(r"@?([A-Za-z_][\w-]*)(?=\s|\Z)")
_PARAMETER = lazy(
    r"""([+*]?)\$?([A-Za-z_][\w-]*)(?:\s*=\s*('[^']*'|"[^"]*"|`[^`]*`|\([^()]*\)|[^\s'"`(]+))?"""
)
_NEEDED = lazy(r"&&|\(\s*([\w-]+)([^()]*)\)|([\w-]+)")
_OVERRIDE = lazy(r"([A-Za-z_][\w-]*)=([\s\S]*)\Z")
_LISTED = ("-l", "--list", "--summary", "--show", "-s", "--dump", "--evaluate", "-n", "--dry-run", "--choose")
_MOST_RECIPES = 300
_MOST_FILES = 10


class _Recipe:
    __slots__ = ("body", "line", "name", "needs", "parameters", "path")

    def __init__(self, name: str, parameters: str, needs: str, file: File, line: int) -> None:
        self.name = name
        self.parameters = [(match[1], match[2], match[3]) for match in _PARAMETER.finditer(parameters)]
        self.needs = [
            (match[1] or match[3], match[2] or "") for match in _NEEDED.finditer(needs) if match[0] != "&&"
        ]
        self.body: list[str] = []
        self.path = file.path
        self.line = line


def read_just(project: Project) -> Iterator[Step]:
    if project.given.has(*_LISTED):
        return
    place, slash, _ = project.operands[0].text.rpartition("/") if project.operands else ("", "", "")
    names = tuple(f"{place}/{name}" for name in project.loads.recipes)
    file = project.nearest(names, above=False) if slash and place else None
    file = project.recipe(above=True) if file is None else file
    if file is not None:
        yield from _Justfile(project, file).steps()


class _Justfile:
    def __init__(self, project: Project, file: File) -> None:
        self._project = project
        self._file = file
        self._expressions = Expressions(project, file.folder)
        self._recipes: dict[str, _Recipe] = {}
        self._aliases: dict[str, str] = {}
        self._settings: dict[str, str] = {}
        self._exported: list[str] = []
        self._files = 0
        self._done: set[tuple[str, ...]] = set()
        self._read(file, "")

    def _read(self, file: File, module: str) -> None:
        self._files += 1
        recipe: _Recipe | None = None
        lines = file.text.replace("\\\n", "\\\0").split("\n")
        for number, line in enumerate(lines, 1):
            if line[:1] in (" ", "\t") and recipe is not None:
                recipe.body.append(line.replace("\\\0", "\\\n"))
            elif not line.strip() and recipe is not None:
                recipe.body.append("")
            elif line[:1] not in ("#", "[", " ", "\t", ""):
                recipe = self._statement(line.replace("\\\0", " ").strip(), file, number, module)

    def _statement(self, line: str, file: File, number: int, module: str) -> _Recipe | None:
        setting, alias, assigned = _SETTING.match(line), _ALIAS.match(line), _ASSIGNED.match(line)
        imported, colon = _IMPORT.match(line), _colon_in(line)
        if setting:
            self._settings[setting[1]] = setting[2] or "true"
        elif alias:
            self._aliases[module + alias[1]] = module + alias[2]
        elif assigned:
            self._expressions.texts[assigned[1]] = assigned[2]
            self._exported += [assigned[1]] if line.startswith("export") else []
        elif imported and self._files < _MOST_FILES:
            self._import(line.startswith("mod"), imported[1] or "", imported[2] or "", file)
        elif colon and len(self._recipes) < _MOST_RECIPES and (found := _NAME.match(line[:colon])):
            parameters, needs = line[found.end() : colon], line[colon + 1 :].split("#")[0]
            recipe = _Recipe(module + found[1], parameters, needs, file, number)
            return self._recipes.setdefault(module + found[1], recipe)
        return None

    def _import(self, is_module: bool, name: str, path: str, file: File) -> None:
        names = (
            [path] if path else [f"{name}.just", f"{name}/mod.just", f"{name}/justfile"] if is_module else []
        )
        for each in names:
            found = self._project.file(f"{file.folder}/{each}")
            if found is not None:
                self._read(found, f"{name}::" if is_module else "")
                return

    def steps(self) -> Iterator[Step]:
        words = [(self._project.source(word), word.known) for word in self._project.operands]
        override = self._project.given.value("--set")
        for text in [override.text] if override is not None else []:
            self._expressions.overrides[text] = words[0][0] if words else ""
        while words and (told := _OVERRIDE.match(words[0][0])):
            self._expressions.overrides[told[1]] = told[2]
            words = words[1:]
        for name in list(self._expressions.texts)[:_MOST_RECIPES]:
            self._expressions.variable(name, {})  # all are computed, whether or not they are used
        if any(not known for _, known in words[:1]):
            for recipe in list(self._recipes.values()):
                yield from self._run(recipe, [])
            return
        waiting = [text for text, _ in words] or list(self._recipes)[:1]
        while waiting:
            name = waiting.pop(0).rpartition("/")[2]
            if waiting and f"{name}::{waiting[0]}" in self._recipes:
                name = f"{name}::{waiting.pop(0)}"
            found = self._recipes.get(self._aliases.get(name, name))
            if found is not None:
                count = 1000 if any(mark for mark, _, _ in found.parameters) else len(found.parameters)
                yield from self._run(found, waiting[:count])
                waiting = waiting[count:]

    def _run(self, recipe: _Recipe, arguments: list[str], depth: int = 0) -> Iterator[Step]:
        key = (recipe.name, *arguments)
        if key in self._done or depth > 40:
            return
        self._done.add(key)
        own = self._arguments(recipe, arguments)
        for name, rest in recipe.needs:
            needed = self._recipes.get(self._aliases.get(name, name))
            if needed is not None:
                given = [self._expressions.value(each, own) for each in rest.split()]
                yield from self._run(needed, given, depth + 1)
        yield from self._body(recipe, own, tuple(arguments))

    def _arguments(self, recipe: _Recipe, arguments: list[str]) -> dict[str, str]:
        own: dict[str, str] = {}
        for index, (several, name, default) in enumerate(recipe.parameters):
            given = arguments[index:] if several else arguments[index : index + 1]
            if given:
                own[name] = " ".join(given)
            elif default is not None:
                own[name] = self._expressions.value(default, own)
            else:
                own[name] = "" if several == "*" else self._project.unknown(f"{{{{{name}}}}}")
        return own

    def _body(self, recipe: _Recipe, own: Mapping[str, str], arguments: tuple[str, ...]) -> Iterator[Step]:
        def value(text: str) -> str:
            return self._expressions.value(text, own)

        variables = {name: self._expressions.variable(name, own) for name in self._exported}
        variables.update(own)
        step = Step(
            "", f"just {recipe.name}", folder=self._file.folder, variables=variables, arguments=arguments,
            path=recipe.path, line=recipe.line,
        )  # fmt: skip
        lines = [line.strip(" \t") for line in recipe.body]
        while lines and not lines[0]:
            lines.pop(0)
        if lines and lines[0].startswith("#!"):
            yield self._script(interpolated("\n".join(lines), value), step)
            return
        for offset, line in enumerate(lines, 1):
            text = interpolated(line, value).lstrip("@-")
            if text.strip() and not text.startswith("#"):
                yield step.replace(text=self._by_shell(text), line=recipe.line + offset)

    def _script(self, text: str, step: Step) -> Step:
        """A recipe with a line that names its interpreter is a script."""
        first, _, rest = text.partition("\n")
        words = [word for word in first[2:].split() if not word.startswith("-")]
        program = program_name(words[1] if words[0].endswith("/env") and len(words) > 1 else words[0])
        if program in SHELLS:
            return step.replace(text=rest)
        return step.replace(text=f"{program} - <<'END_OF_RECIPE'\n{rest}\nEND_OF_RECIPE\n")

    def _by_shell(self, text: str) -> str:
        told = self._settings.get("shell", "")
        words = texts_of(dict(_as_table(toml_value(f"shell = {told}"))).get("shell")) or split_arguments(told)
        if not words or program_name(words[0]) in SHELLS:
            return text
        return " ".join(map(quote, [*words, text]))


def _colon_in(line: str) -> int:
    """Where what a recipe needs begins; 0 where the line begins none."""
    quoted = ""
    for place, char in enumerate(line):
        if char in "'\"`":
            quoted = "" if char == quoted else quoted or char
        elif char == ":" and not quoted:
            return 0 if line.startswith(":=", place) else place
    return 0


def _as_table(value: object) -> Mapping[str, object]:
    return value if isinstance(value, dict) else {}

"""Files of Python that a run of tests loads: those that prepare it, and the tests that are named or found."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from fairlead.shell.following.recipe_files.formats.ini_text import ini_sections
from fairlead.shell.following.recipe_files.formats.structured_text import table, texts_of, toml_value
from fairlead.shell.following.recipe_files.project import File, Project
from fairlead.shell.following.recipe_files.step import Step

_MOST_FILES = 40
_USUAL = ("", "tests", "test")
_PREPARING = "conftest.py"
_TESTS = ("test_*.py", "*_test.py", _PREPARING)
_UNITTEST = ("test*.py",)


def read_pytest(project: Project) -> Iterator[Step]:
    """Every `conftest.py` from the top of the project to the tests, and the files that are named."""
    told = [word.text.split("::")[0] for word in project.operands if word.known]
    seen: set[str] = set()
    places = told or [*_configured(project), *_USUAL]
    for place in places:
        for path in (*_above(place), place if place.endswith(".py") else ""):
            if path and path not in seen and len(seen) < _MOST_FILES:
                seen.add(path)
                yield from _code(project, path)
    for place in places if told else [*_configured(project), ""]:
        for file in project.collected(place, _patterns(project)) if not place.endswith(".py") else ():
            if file.path not in seen:
                yield _step(project, file)
    for module in _plugins(project):
        yield from _code(project, f"{module.replace('.', '/')}.py")
    for folder in list(project.folders_above())[1:]:
        yield from _code(project, f"{folder}/{_PREPARING}")


def _patterns(project: Project) -> tuple[str, ...]:
    """The names of files with tests; settings may say others."""
    told = [name for _, options in _sections(project) for name in options.get("python_files", "").split()]
    return (*_TESTS, *told[:_MOST_FILES])


def _plugins(project: Project) -> list[str]:
    """Modules that options or settings have loaded first."""
    named = [word.text for word in project.given.values.get("-p", ()) if word.known]
    for _, options in _sections(project):
        words = options.get("addopts", "").split()
        named += [after for before, after in pairwise(words) if before == "-p"]
    return [name for name in named if not name.startswith("no:")][:_MOST_FILES]


def _above(place: str) -> Iterator[str]:
    """The files that prepare tests in this place: of its folder, and of those above it."""
    folder = place.removeprefix("./")
    yield _PREPARING
    steps = [step for step in folder.split("/") if step]
    for count in range(1, len(steps) + 1):
        yield "/".join([*([""] if place.startswith("/") else []), *steps[:count], _PREPARING])


def _configured(project: Project) -> list[str]:
    return next(
        (found for _, options in _sections(project) if (found := options.get("testpaths", "").split())), []
    )


def _sections(project: Project) -> Iterator[tuple[str, dict[str, str]]]:
    """The settings of pytest, in each file that may have some."""
    for name in ("pytest.ini", "pyproject.toml", "tox.ini", "setup.cfg"):
        file = project.file(name)
        if file is None:
            continue
        if name.endswith(".toml"):
            options = table(toml_value(file.text), "tool", "pytest", "ini_options")
            yield name, {key: " ".join(texts_of(value)) for key, value in options.items()}
        else:
            sections = ini_sections(file.text)
            yield name, sections.get("pytest") or sections.get("tool:pytest") or {}


def _code(project: Project, path: str) -> Iterator[Step]:
    file = project.file(path)
    if file is not None:
        yield _step(project, file)


def _step(project: Project, file: File) -> Step:
    name = file.path.rsplit("/", 1)[-1]
    return Step(file.text, f"{project.name} {name}", "python", project.folder, path=file.path, line=1)


def read_unittest(project: Project) -> Iterator[Step]:
    """`python -m unittest tests.test_x`; without a name, all tests that it finds."""
    told = [word.text for word in project.operands]
    if not told or told[0] == "discover" or project.given.has("-k"):
        for file in project.collected("", (*_UNITTEST, *told[1:])):  # one of the words may be a pattern
            yield _step(project, file)
    for word in project.operands:
        path = word.text if word.text.endswith(".py") else f"{word.text.replace('.', '/')}.py"
        yield from _code(project, path) if word.known else ()

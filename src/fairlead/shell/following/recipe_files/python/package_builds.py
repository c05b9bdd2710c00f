"""Code of a Python project that runs when its package is built or installed."""

from __future__ import annotations

from collections.abc import Iterator

from fairlead.shell.following.recipe_files.formats.structured_text import (
    field,
    table,
    text_of,
    texts_of,
    toml_value,
)
from fairlead.shell.following.recipe_files.project import Project
from fairlead.shell.following.recipe_files.step import Step

_BUILDING = {
    "pip": ("install", "wheel", "download"),
    "uv": ("sync", "run", "build", "pip", "add", "lock", "tool"),
    "poetry": ("install", "build", "publish", "run", "update", "add"),
    "pdm": ("install", "build", "sync", "publish"),
    "hatch": ("build", "publish", "run", "test", "env"),
    "rye": ("build", "sync"),
    "pipx": ("install",),
    "build": (),
    "flit": ("install", "build", "publish"),
    "maturin": ("develop", "build"),
}
"""Subcommands that build; any, where there are none."""
_OWN_ALWAYS = ("uv", "poetry", "pdm", "hatch", "rye", "build", "flit", "maturin")
"""Programs that work on the project around them without being told."""
_EDITABLE = ("-e", "--editable")
_MOST_LINES = 500


def read_builds(project: Project) -> Iterator[Step]:
    name = "pip" if project.name.startswith("pip") and project.name[3:4] in ("", "3") else project.name
    verbs = _BUILDING.get(name, ())
    words = [word.text for word in project.operands if word.known]
    if verbs and (not words or words[0] not in verbs):
        return
    if name == "uv" and words[:1] == ["pip"]:
        name, words = "pip", words[1:]
    places = [word.text for option in _EDITABLE for word in project.given.values.get(option, ())]
    places += [word for word in words[1:] if _is_folder(word)]
    for option in ("-r", "--requirement"):
        for word in project.given.values.get(option, ()):
            places += _required(project, word.text)
    if name in _OWN_ALWAYS:
        places.append(".")
    for place in dict.fromkeys(place.removeprefix("file://").split("[")[0] or "." for place in places):
        yield from _built(project, place)


def _is_folder(word: str) -> bool:
    return word.startswith((".", "/", "file:///")) and not word.endswith((".whl", ".txt", ".tar.gz"))


def _required(project: Project, path: str) -> Iterator[str]:
    """The folders that a list of packages names."""
    file = project.file(path)
    for line in file.text.split("\n")[:_MOST_LINES] if file is not None else ():
        words = line.split()
        if words[:1] and words[0] in _EDITABLE:
            yield from words[1:2]
        elif words and _is_folder(words[0]):
            yield words[0]


def _built(project: Project, folder: str) -> Iterator[Step]:
    """The files that the usual tools load from a folder when they build the package in it."""
    yield from _code(project, f"{folder}/setup.py")
    settings = project.file(f"{folder}/pyproject.toml")
    value = toml_value(settings.text) if settings is not None else None
    system = table(value, "build-system")
    backend = text_of(system.get("build-backend")).split(":")[0].replace(".", "/")
    for place in texts_of(system.get("backend-path"))[:5]:
        for name in (f"{backend}.py", f"{backend}/__init__.py"):
            yield from _code(project, f"{folder}/{place}/{name}")
    hook = field(value, "tool", "hatch", "build", "hooks", "custom")
    if hook is not None:
        yield from _code(project, f"{folder}/{text_of(field(hook, 'path')) or 'hatch_build.py'}")
    script = field(value, "tool", "poetry", "build")
    for name in filter(None, (text_of(script), text_of(field(script, "script")))):
        yield from _code(project, f"{folder}/{name}")


def _code(project: Project, path: str) -> Iterator[Step]:
    file = project.file(path)
    if file is not None:
        name = file.path.rsplit("/", 1)[-1]
        yield Step(file.text, f"{project.name} {name}", "python", file.folder, path=file.path, line=1)

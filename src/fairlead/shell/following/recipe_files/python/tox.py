"""What `tox` runs in the environments that it is told."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from shlex import quote

from fairlead.shell.following.recipe_files.formats.ini_text import Sections, ini_sections
from fairlead.shell.following.recipe_files.formats.structured_text import (
    field,
    line_of,
    named_tables,
    table,
    text_of,
    texts_of,
    toml_value,
)
from fairlead.shell.following.recipe_files.project import File, Project
from fairlead.shell.following.recipe_files.step import Step
from fairlead.shell.lazy_pattern import lazy

_KEYS = ("commands_pre", "commands", "commands_post")
_FILES = ("tox.ini", "setup.cfg", "pyproject.toml", "tox.toml")
_BASE = "testenv"
_FACTORS = lazy(r"([\w!.,{}-]+):[ \t]+(.*)\Z")
_FILLED = lazy(r"\{([^{}]*)\}")
_PASSIVE = (
    "list",
    "l",
    "config",
    "c",
    "depends",
    "de",
    "devenv",
    "d",
    "quickstart",
    "q",
    "exec",
    "e",
    "schema",
)


def read_tox(project: Project) -> Iterator[Step]:
    words = [word.text for word in project.operands[: project.given.dashes]]
    if (words[:1] and words[0] in _PASSIVE) or project.given.has(
        "-l", "--listenvs", "-n", "--notest", "--version"
    ):
        return
    wanted = [name for option in ("-e", "--env") for word in project.given.values.get(option, ())
              for name in word.text.split(",")]  # fmt: skip
    unknown = any(word.opaque for option in ("-e", "--env") for word in project.given.values.get(option, ()))
    passed = project.operands[project.given.dashes :] if project.given.dashes is not None else ()
    positional = " ".join(project.source(word) if word.opaque else quote(word.text) for word in passed)
    found = next((each for name in _FILES if (each := _told(project, name)) is not None), None)
    if project.is_told_a_file():
        file = next(project.named_files(), None)
        found = _environments(file) if file is not None else None
    if found is None:
        return
    file, environments = found
    for name, commands in environments.items():
        if not wanted or unknown or name in wanted or (name == "" and not set(wanted) <= environments.keys()):
            for text in commands:
                yield Step(
                    _filled(project, text.lstrip("-@! "), file, positional),
                    f"tox {name}".strip(),
                    folder=file.folder,
                    path=file.path,
                    line=line_of(file.text, text.split(" ", 1)[0]),
                )


def _told(project: Project, name: str) -> tuple[File, Mapping[str, list[str]]] | None:
    file = project.nearest((name,))
    return _environments(file) if file is not None else None


def _environments(file: File) -> tuple[File, Mapping[str, list[str]]] | None:
    """The commands of each environment by its name; the empty one is what the others build on."""
    if not file.path.endswith(".toml"):
        found = _of_sections(ini_sections(file.text))
    else:
        value = toml_value(file.text)
        own = value if file.path.endswith("tox.toml") else field(value, "tool", "tox")
        legacy = text_of(field(own, "legacy_tox_ini"))
        found = _of_sections(ini_sections(legacy)) if legacy else _of_tables(own)
    return (file, found) if found else None


def _of_sections(sections: Sections) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for section, keys in sections.items():
        if section == _BASE or section.startswith(f"{_BASE}:"):
            lines = "\n".join(keys.get(key, "") for key in _KEYS).replace("\\\n", " ").split("\n")
            commands = [_without_factors(line.strip()) for line in lines if line.strip()]
            if commands or section == _BASE:
                found[section.partition(":")[2]] = _referred(commands, sections)
    return found


def _without_factors(line: str) -> str:
    """`py311: pytest` counts for some environments; it is taken to run."""
    match = _FACTORS.match(line)
    return match[2] if match else line


def _referred(commands: list[str], sections: Sections) -> list[str]:
    """`{[testenv]commands}` stands for what is said there."""
    found: list[str] = []
    for command in commands:
        match = re.fullmatch(r"\{\[([^\]]*)\](\w+)\}", command)
        found += sections.get(match[1], {}).get(match[2], "").split("\n") if match else [command]
    return found


def _of_tables(value: object) -> dict[str, list[str]]:
    found = {"": _lists(table(value, "env_run_base"))}
    for name, told in named_tables(table(value, "env")):
        found[name] = _lists(told)
    return found if any(found.values()) else {}


def _lists(told: Mapping[str, object]) -> list[str]:
    """Commands as lists of words."""
    found: list[str] = []
    for key in _KEYS:
        value = told.get(key)
        for words in value if isinstance(value, list) else ():
            texts = texts_of(words)
            found += [" ".join(word if "{" in word else quote(word) for word in texts)] if texts else []
    return found


def _filled(project: Project, text: str, file: File, positional: str) -> str:
    def value(match: re.Match[str]) -> str:
        name, colon, default = match[1].partition(":")
        if name == "posargs":
            return positional or default
        if name in ("toxinidir", "tox_root"):
            return file.folder
        if name in ("envdir", "env_dir", "envtmpdir", "env_tmp_dir", "toxworkdir", "work_dir", "distdir"):
            return f"{file.folder}/.tox/{name}"
        if name in ("envpython", "env_python"):
            return "python"
        if name == "env" and colon:
            variable, _, default = default.partition(":")
            outside = project.variable(variable)
            return outside or default or project.unset(f"${variable}", f"${variable}")
        return {"/": "/", ":": ":"}.get(match[1], project.unknown(match[0]))

    return _FILLED.sub(value, text)

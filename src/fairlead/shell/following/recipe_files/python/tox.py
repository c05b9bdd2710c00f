"""What `tox` runs in the environments that it is told."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from shlex import quote

from fairlead.model.value import Value
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
from fairlead.shell.word_sets import names

_KEYS = ("commands_pre", "commands", "commands_post")
_FILES = ("tox.ini", "setup.cfg", "pyproject.toml", "tox.toml")
_BASE = "testenv"
_FACTORS = lazy(r"([\w!.,{}-]+):[ \t]+(.*)\Z")
_FILLED = lazy(r"\{([^{}]*)\}")
_PASSIVE = names("list l config c depends de devenv d quickstart q exec e schema")
_LISTED = ("env_list", "envlist")
_NAMED = ("-e", "--env")
_CHOICES = lazy(r"[{}]")
_BETWEEN = lazy(r"[,\n](?![^{}]{0,200}\})")


class _Settings(Value):
    """`commands` of each environment by its name; the empty one is what the others build on. `listed`: the
    environments that run where none is named, as patterns."""

    file: File
    commands: Mapping[str, list[str]]
    listed: tuple[str, ...] = ()


def read_tox(project: Project) -> Iterator[Step]:
    words = [word.text for word in project.operands[: project.given.dashes]]
    if project.given.has("-l", "--listenvs", "-n", "--notest", "--version"):
        return
    found = _settings(project) if not words or words[0] not in _PASSIVE else None
    if found is None:
        return
    passed = project.operands[project.given.dashes :] if project.given.dashes is not None else ()
    positional = " ".join(project.source(word) if word.opaque else quote(word.text) for word in passed)
    for name in _wanted(project, found):
        for text in found.commands[name]:
            yield Step(
                _filled(project, text.lstrip("-@! "), found.file, positional),
                f"tox {name}".strip(),
                folder=found.file.folder,
                path=found.file.path,
                line=line_of(found.file.text, text.split(" ", 1)[0]),
            )


def _wanted(project: Project, settings: _Settings) -> list[str]:
    """The environments that run, where they have commands of their own; what they build on, for others."""
    given = [word for option in _NAMED for word in project.given.values.get(option, ())]
    told = [name for word in given for name in word.text.split(",")]
    told = told or [name for name in (project.variable("TOXENV") or "").split(",") if name]
    if any(word.opaque for word in given) or "ALL" in told or not (told or settings.listed):
        return list(settings.commands)
    if not told:
        listed = [each.strip() for each in settings.listed]
        told = ["", *(name for name in settings.commands if any(_fits(each, name) for each in listed))]
    own = [name for name in settings.commands if name in told]
    return own if set(told) <= settings.commands.keys() else ["", *own] if "" in settings.commands else own


def _fits(pattern: str, name: str) -> bool:
    """Whether `py{310,311}-x` may stand for the name."""
    places = {0}
    for choices in _CHOICES.split(pattern):
        each = [choice.strip() for choice in choices.split(",")]
        places = {place + len(one) for place in places for one in each if name.startswith(one, place)}
    return bool(name) and len(name) in places


def _settings(project: Project) -> _Settings | None:
    files = list(project.named_files())
    if not project.is_told_a_file():
        files = [file for name in _FILES if (file := project.nearest((name,))) is not None]
    return next((found for file in files if (found := _environments(file)) is not None), None)


def _environments(file: File) -> _Settings | None:
    if not file.path.endswith(".toml"):
        return _of_sections(file, ini_sections(file.text))
    value = toml_value(file.text)
    own = value if file.path.endswith("tox.toml") else field(value, "tool", "tox")
    legacy = text_of(field(own, "legacy_tox_ini"))
    return _of_sections(file, ini_sections(legacy)) if legacy else _of_tables(file, own)


def _of_sections(file: File, sections: Sections) -> _Settings | None:
    found: dict[str, list[str]] = {}
    for section, keys in sections.items():
        if section == _BASE or section.startswith(f"{_BASE}:"):
            lines = "\n".join(keys.get(key, "") for key in _KEYS).replace("\\\n", " ").split("\n")
            commands = [_without_factors(line.strip()) for line in lines if line.strip()]
            if commands or section == _BASE:
                found[section.partition(":")[2]] = _referred(commands, sections)
    own = sections.get("tox") or sections.get("tox:tox") or {}
    listed = _BETWEEN.split(next((own[key] for key in _LISTED if key in own), ""))
    return _Settings(file, found, tuple(filter(None, listed))) if found else None


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


def _of_tables(file: File, value: object) -> _Settings | None:
    found = {"": _lists(table(value, "env_run_base"))}
    for name, told in named_tables(table(value, "env")):
        found[name] = _lists(told)
    listed = tuple(texts_of(field(value, "env_list")))
    return _Settings(file, found, listed) if any(found.values()) else None


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

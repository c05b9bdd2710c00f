"""Packages that would be installed into, or removed from, a Python that the guard itself runs with.

Which Python an installer works on is said by its path, an option, a variable, or an environment that the line
has activated before; an installer by its bare name works on the shell's own, which nobody here knows.
"""

from __future__ import annotations

import os.path
import re
from collections.abc import Iterator, Sequence

from fairlead.model.installation import Environment
from fairlead.shell.arguments import Arguments, read_arguments
from fairlead.shell.effects.effect import Action, Effect
from fairlead.shell.effects.program_effects import shown
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.places.surroundings import Surroundings
from fairlead.shell.places.targets import resolve
from fairlead.shell.script import Command, Script, Word
from fairlead.shell.word_sets import names

_INSTALLERS, _MAKERS = ("pip", "uv", "py"), ("virtualenv", "conda", "mamba")
_VALUED = names(
    """
    -r --requirement -c --constraint -e --editable -i --index-url --extra-index-url --index --default-index
    -f --find-links -t --target --prefix --root -p --python --platform --python-version --log --cache-dir
    --config-settings -C --upgrade-package -P
    """
)
_SOURCES = ("-i", "--index-url", "--extra-index-url", "--index", "--default-index", "-f", "--find-links")
_INTO = ("-t", "--target", "--prefix", "--root")
_SAYING_WHERE = ("VIRTUAL_ENV", "UV_PYTHON", "UV_PROJECT_ENVIRONMENT", "PIP_PYTHON", "PATH")
_FILE = lazy(r"[./~].*|.*/.*|.*\.(?:whl|zip|tar\.\w+|tgz)|.*@\s*(?:file:|\.|/).*|file:.*", re.IGNORECASE)
_ADDING = names(
    "--with --with-editable --with-requirements --from --index --index-url --default-index -i -f --find-links"
)
_OWN_PACKAGES = names("fairlead pyyaml yaml click rich markdown-it-py mdurl pygments")
"""What the guard is made of."""


def guard_packages(script: Script, where: Surroundings) -> Iterator[Effect]:
    """`guard-packages` where the guard could be changed or broken; `guard-packages-by-name` where that is a
    matter of whether the usual index, or the project, is trusted."""
    if not where.installation.environments or not any(
        command.name.startswith(_INSTALLERS + _MAKERS) for command in script.commands
    ):
        return
    active: Environment | None = None
    for command in script.commands:
        told = _activated(command, where)
        active = told[0] if told else active
        if command.name.startswith(_INSTALLERS + _MAKERS):
            yield from _made_anew(command, where)
        words = _pip_words(command)
        if not words:
            continue
        given = read_arguments(words, valued=_VALUED)
        for option in _INTO:
            for word in given.values.get(option, ()):
                yield Effect(Action.WRITE, "pip", command, resolve(word, command, where), what=shown(command))
        said = _said(command, given, where)
        environment = said[0] if said else active
        if environment is not None:
            yield from _changed(command, given, environment, where)


def _made_anew(command: Command, where: Surroundings) -> Iterator[Effect]:
    """What works on an environment as a whole: makes it again, brings it in line with a project, or adds to a
    tool's. In one that others use, too, Python's own module leaves what is there."""
    texts = [word.text for word in command.argv]
    named = [word for name, word in command.assignments.items() if name == "UV_PROJECT_ENVIRONMENT"]
    module = texts[texts.index("-m") + 1] if "-m" in texts[:-1] else ""
    if module in ("venv", "virtualenv") or command.name in _MAKERS or texts[1:2] == ["venv"]:
        named += [word for word in command.argv[1:] if not word.text.startswith("-")]
    elif "setup.py" in texts and not {"install", "develop"}.isdisjoint(texts):
        named += command.argv[:1]
    elif (
        texts[1:2] == ["tool"]
        and "fairlead" in texts
        and _ADDING & {text.partition("=")[0] for text in texts}
    ):
        yield Effect(Action.CHANGE_GUARD, "guard-packages", command, what=shown(command))
    environment = _first_of(
        [word for word in named if "/" in word.text or word.text.startswith(".")], command, where
    )
    if environment is not None and (environment.own or module != "venv"):
        name = "guard-packages" if environment.own else "guard-packages-by-name"
        yield Effect(Action.CHANGE_GUARD, name, command, what=shown(command))


def _pip_words(command: Command) -> Sequence[Word]:
    """What pip is told: by itself, as a module, through uv, or through pipx for the guard's own Python."""
    texts = [word.text for word in command.argv]
    if command.name.startswith("pip") and command.name != "pipx":
        return command.argv[1:]
    if command.name == "pipx" and texts[2:3] == ["fairlead"]:
        verb = (Word("install"),) if texts[1] == "inject" else ()
        return (*verb, *command.argv[3:]) if texts[1] in ("inject", "runpip") else ()
    if command.name == "uv" and "pip" in texts[1:4]:
        return command.argv[texts.index("pip") + 1 :]
    if "-m" in texts[:-1] and texts[texts.index("-m") + 1] == "pip":
        return command.argv[texts.index("-m") + 2 :]
    return ()


def _said(command: Command, given: Arguments, where: Surroundings) -> tuple[Environment | None] | None:
    """The guard's environment if the command names that, or nothing if another; None if it names none."""
    named = [
        *given.values.get("--python", ()),
        *given.values.get("-p", ()),
        *given.values.get("--prefix", ()),
        *(word for name, word in command.assignments.items() if name in _SAYING_WHERE),
    ]
    if command.name == "pipx":
        return (next((each for each in where.installation.environments if each.own), None),)
    if "/" in command.argv[0].text:
        named.append(command.argv[0])
    return (_first_of(named, command, where),) if named else None


def _activated(command: Command, where: Surroundings) -> tuple[Environment | None] | None:
    """What `. X/bin/activate`, `export PATH=X/bin:$PATH` or `VIRTUAL_ENV=X` leave for what follows."""
    words: list[Word] = []
    if command.name in (".", "source"):
        words = [word for word in command.argv[1:2] if "activate" in word.text]
    elif command.name in ("export", "declare", "typeset"):
        for word in command.argv[1:]:
            name, given, value = word.text.partition("=")
            words += [Word(value)] if given and name in _SAYING_WHERE else []
    elif not command.argv:
        words = [word for name, word in command.assignments.items() if name in _SAYING_WHERE]
    return (_first_of(words, command, where),) if words else None


def _first_of(words: Sequence[Word], command: Command, where: Surroundings) -> Environment | None:
    for word in words:
        text = (word.text if word.known else word.text or word.prefix).partition(":")[0]
        target = resolve(Word(text), command, where)
        folder = resolve(Word(os.path.dirname(target.path)), command, where) if target.path else target
        reached = {target.path, target.real, folder.path, folder.real} - {""}
        for environment in where.installation.environments:
            if {environment.programs, environment.prefix} & reached:
                return environment
    return None


def _changed(
    command: Command, given: Arguments, environment: Environment, where: Surroundings
) -> Iterator[Effect]:
    from fairlead.shell.effects.packages.package_sources import (
        is_foreign,  # only where the guard's own Python is meant
    )

    verb = given.operands[0].text if given.operands else ""
    if verb not in ("install", "uninstall", "sync") or given.has("--dry-run"):
        return
    packages = [*given.operands[1:], *given.values.get("-e", ()), *given.values.get("--editable", ())]
    sources = [word for option in _SOURCES for word in given.values.get(option, ())]
    removed = verb == "uninstall" and any(
        environment.own or not word.known or word.text.lower() in _OWN_PACKAGES for word in packages
    )
    foreign = bool(sources) or any(is_foreign(word.text) for word in packages)
    unseen = verb == "install" and any(_is_unseen(word, command, environment, where) for word in packages)
    if removed or ((foreign or unseen) and environment.own):
        yield Effect(Action.CHANGE_GUARD, "guard-packages", command, what=shown(command))
    elif foreign or unseen or environment.own or verb == "sync":
        yield Effect(Action.CHANGE_GUARD, "guard-packages-by-name", command, what=shown(command))


def _is_unseen(word: Word, command: Command, environment: Environment, where: Surroundings) -> bool:
    """A file or folder that might call itself anything. The project itself may live where the guard does."""
    if not word.known:
        return True
    if not _FILE.fullmatch(word.text):
        return False
    target = resolve(Word(word.text.partition("[")[0]), command, where)
    return environment.own or not where.project or target.path != where.project

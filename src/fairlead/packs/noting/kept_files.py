"""Files that package managers keep: what a project needs, and which versions it has."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping

from fairlead.packs.judging.call_effects import Call
from fairlead.sessions.note import Kind, Note, mark_of
from fairlead.shell.script import Command
from fairlead.shell.word_sets import names

_ADDING = names(
    "add install i ci remove rm uninstall un update up upgrade lock sync audit dedupe version link import"
)
_BUILDING = names("build b check c test t run r clippy add remove rm update fix generate-lockfile")
_GETTING = names("get mod work install build test run generate")
_KEPT: Mapping[str, tuple[frozenset[str], tuple[str, ...]]] = {
    "npm": (_ADDING | {"pkg"}, ("package.json", "package-lock.json", "npm-shrinkwrap.json")),
    "pnpm": (_ADDING, ("package.json", "pnpm-lock.yaml", "pnpm-workspace.yaml")),
    "yarn": (_ADDING, ("package.json", "yarn.lock", ".yarnrc.yml")),
    "bun": (_ADDING, ("package.json", "bun.lock", "bun.lockb")),
    "go": (_GETTING, ("go.mod", "go.sum", "go.work", "go.work.sum")),
    "cargo": (_BUILDING, ("Cargo.toml", "Cargo.lock")),
    "bundle": (_ADDING | {"exec"}, ("Gemfile", "Gemfile.lock")),
    "poetry": (_ADDING, ("pyproject.toml", "poetry.lock")),
    "uv": (_ADDING | {"run"}, ("pyproject.toml", "uv.lock")),
    "pdm": (_ADDING, ("pyproject.toml", "pdm.lock")),
    "pipenv": (_ADDING, ("Pipfile", "Pipfile.lock")),
    "composer": (_ADDING | {"require"}, ("composer.json", "composer.lock")),
    "mix": (names("deps.get deps.update deps.unlock"), ("mix.lock",)),
    "flutter": (names("pub"), ("pubspec.yaml", "pubspec.lock")),
    "dart": (names("pub"), ("pubspec.yaml", "pubspec.lock")),
    "pod": (_ADDING, ("Podfile", "Podfile.lock")),
    "terraform": (names("init providers"), (".terraform.lock.hcl",)),
}
"""By program: the words that may change them, and their names."""
_BARE = names("yarn bundle")
"""They install where they are told nothing."""


def kept_file_notes(call: Call) -> Iterator[Note]:
    """For each that is there now, what it is before the call."""
    for command in call.script.commands:
        for path in _kept_by(command, call.where.root):
            try:
                mark = mark_of(os.lstat(path))
            except OSError:
                continue
            yield Note(Kind.TOUCHED, os.path.realpath(path), mark, command.name)


def keeps_files(command: Command) -> bool:
    known = _KEPT.get(command.name)
    if known is None or any(wrapper.place for wrapper in command.wrappers):
        return False
    texts = {word.text for word in command.argv[1:4]}
    return not known[0].isdisjoint(texts) or (command.name in _BARE and len(command.argv) == 1)


def _kept_by(command: Command, root: str) -> Iterator[str]:
    """In the folder where it runs, or else in the nearest one above it, up to the project's."""
    if command.cwd is None or not keeps_files(command):
        return
    for name in _KEPT[command.name][1]:
        folder = command.cwd
        while f"{folder}/".startswith(f"{root}/"):
            if os.path.lexists(os.path.join(folder, name)):
                yield os.path.join(folder, name)
                break
            folder = os.path.dirname(folder)

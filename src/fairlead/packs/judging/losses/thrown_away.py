"""Containers and clusters of this machine that nobody keeps anything in."""

from __future__ import annotations

import os
import re

from fairlead.packs.rule import Scene
from fairlead.shell.arguments import read_arguments
from fairlead.shell.effects.databases.test_databases import is_named_for_tests
from fairlead.shell.effects.effect import Effect
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.places.paths import absolute
from fairlead.shell.places.world import is_there, text_of
from fairlead.shell.script import Command
from fairlead.shell.word_sets import names

_COMPOSE = ("compose.yaml", "compose.yml", "docker-compose.yml", "docker-compose.yaml")
_OTHERS = ("override.yml", "override.yaml")
_VALUED = ("-f", "--file", "-p", "--project-name", "--profile", "--env-file", "-t", "--timeout", "--rmi")
_DOWN = names("-v --volumes -t --timeout --remove-orphans -f --file --profile")
_SERVICE = lazy(r"(?m)^\s+(?:image|build)\s*:")
_KEEPING = lazy(
    r"(?m)^\s*-?\s*[\"']?(?:volumes|volumes_from|include|extends|configs|secrets|external)[\"']?\s*:|\{.*volumes|<<:"
)


def is_kept_by_somebody(effect: Effect, scene: Scene) -> bool:
    """Whatever cannot be told counts as something that somebody keeps."""
    command = effect.command
    if any(wrapper.place for wrapper in command.wrappers) or not all(word.known for word in command.argv):
        return True
    if command.name in ("kind", "k3d"):
        return not _is_trial_cluster(command)
    return command.name not in ("docker", "docker-compose", "podman") or not _has_no_volumes(command, scene)


def _is_trial_cluster(command: Command) -> bool:
    """`kind delete cluster --name app-test`: a cluster in a container, whose name says what for."""
    given = read_arguments(command.argv[1:], valued=("--name", "-n"))
    words = [word.text for word in given.operands]
    if command.name == "kind":
        named = [word.text for option in ("--name", "-n") for word in given.values.get(option, ())]
        named = named if words == ["delete", "cluster"] else []
    else:
        named = words[2:] if words[:2] == ["cluster", "delete"] else []
    return bool(named) and all(map(is_named_for_tests, named))


def _has_no_volumes(command: Command, scene: Scene) -> bool:
    """`docker compose down -v`, where the file of the services says of none that it keeps anything."""
    words = command.argv[1:]
    if command.name != "docker-compose":
        if not words or words[0].text != "compose":
            return False
        words = words[1:]
    given = read_arguments(words, valued=_VALUED)
    if [word.text for word in given.operands] != ["down"] or not given.flags <= _DOWN or command.cwd is None:
        return False
    if any(name.startswith(("COMPOSE_", "DOCKER_")) for name in command.assignments):
        return False
    told = [word.text for option in ("-f", "--file") for word in given.values.get(option, ())]
    files = [absolute(text, command.cwd) or "" for text in told] or _usual(command.cwd)
    if told and all(map(_is_for_tests, told)):
        return not _shares_volumes(files, command.cwd)
    inside = all(f"{file}".startswith(f"{scene.where.root}/") for file in files)
    return bool(files) and inside and all(map(_keeps_nothing, files))


_FOR_TESTS = lazy(
    r"(?:^|[/._-])(?:tests?|testing|e2e|ci|integration)[._-][^/]*$|(?:^|/)(?:tests?|e2e)/[^/]*$", re.I
)


def _is_for_tests(file: str) -> bool:
    """`docker-compose.test.yml`: its volumes are filled anew for each run."""
    return bool(_FOR_TESTS.search(file))


_NAMED_VOLUMES = lazy(r"(?m)^volumes:[ \t]*\n((?:[ \t]+.*\n?|[ \t]*\n)+)")
_NAME = lazy(r"(?m)^  ?\s{0,2}([\w.-]+):")


def _shares_volumes(files: list[str], folder: str) -> bool:
    """Files in one folder are one project: what both name is the same volume."""
    others = {os.path.join(folder, name) for name in (*_COMPOSE, "docker-compose.override.yml")} - {*files}
    return not _volumes(files).isdisjoint(_volumes(sorted(others)))


def _volumes(files: list[str]) -> set[str]:
    blocks = (block for file in files if is_there(file) for block in _NAMED_VOLUMES.findall(text_of(file)))
    return {name for block in blocks for name in _NAME.findall(block)}


def _usual(folder: str) -> list[str]:
    found = [os.path.join(folder, name) for name in _COMPOSE if is_there(os.path.join(folder, name))]
    others = (f"{name.rpartition('.')[0]}.{other}" for name in _COMPOSE for other in _OTHERS)
    return [] if any(is_there(os.path.join(folder, name)) for name in others) else found[:1]


def _keeps_nothing(file: str) -> bool:
    text = text_of(file)
    return bool(_SERVICE.search(text)) and not _KEEPING.search(text)

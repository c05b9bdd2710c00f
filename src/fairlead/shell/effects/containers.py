"""Docker and its relatives."""

from __future__ import annotations

from collections.abc import Iterator

from fairlead.shell.effects.effect import Action, Effect, EffectReader
from fairlead.shell.effects.options import read_arguments
from fairlead.shell.effects.subcommands import Danger, same_reader, shown, subcommand_reader
from fairlead.shell.script import Command, Word
from fairlead.shell.tables import names
from fairlead.shell.targets import Place, Surroundings, resolve

_VALUED = names(
    """
    -H --host -c --context --config -l --log-level -f --file -p --project-name --profile --env-file
    --filter
    """
)

_DANGERS = (
    Danger("system prune", "prune-volumes", needs=("--volumes",)),
    Danger("system prune", "prune"),
    Danger("volume rm|remove|prune", "delete-volume"),
    Danger("image|container|images prune", "prune", needs=("-a", "--all")),
    Danger("container prune", "prune"),
    Danger("compose down", "delete-volume", needs=("-v", "--volumes")),
    Danger("down", "delete-volume", needs=("-v", "--volumes")),
    Danger("compose rm", "delete-volume", needs=("-v",)),
    Danger("compose down", "prune", needs=("--rmi",)),
    Danger("swarm leave", "leave-cluster", needs=("-f", "--force")),
    Danger("stack|service|secret|config|node rm|remove", "delete-service"),
    Danger("machine rm|reset", "delete-volume"),
    Danger("system reset", "delete-volume"),
    Danger("pod rm", "delete-many", needs=("-a", "--all", "-f")),
    Danger("context rm", "delete-service", needs=("-f", "--force")),
)
_known = subcommand_reader(Action.CHANGE_CONTAINER, _DANGERS, valued=_VALUED)
_MANY = ("rm", "rmi", "kill", "stop", "image", "container")


def _docker(command: Command, where: Surroundings) -> Iterator[Effect]:
    yield from _known(command, where)
    yield from _many(command)
    yield from run_options(command, command.argv[1:], where)


def _many(command: Command) -> Iterator[Effect]:
    """`docker rm -f $(docker ps -aq)`: what it removes is whatever is there."""
    given = read_arguments(command.argv[1:], valued=("-H", "--host", "-c", "--context", "--config"))
    words = [word.text for word in given.operands]
    verb = (
        words[1] if words[:1] in (["container"], ["image"]) and len(words) > 1 else words[0] if words else ""
    )
    if verb not in ("rm", "rmi", "kill", "stop", "remove"):
        return
    unknown = any(not word.known for word in given.operands) or given.has("--all", "-a")
    if unknown and verb != "stop":
        yield Effect(Action.CHANGE_CONTAINER, "delete-many", command, what=shown(command))
    elif given.has("-v", "--volumes") and verb in ("rm", "remove"):
        yield Effect(Action.CHANGE_CONTAINER, "delete-volume", command, what=shown(command))


def run_options(command: Command, words: tuple[Word, ...], where: Surroundings) -> Iterator[Effect]:
    """What `run`, `create` and `exec` give the container of the machine."""
    texts = [word.text for word in words]
    if not {"run", "create"} & set(texts[:8]):
        return
    for index, text in enumerate(texts):
        if text in (
            "--privileged",
            "--privileged=true",
            "--pid=host",
            "--cap-add=ALL",
            "--cap-add=SYS_ADMIN",
        ):
            yield Effect(Action.GAIN_PRIVILEGE, "container-privileged", command, what=text)
        if text in ("-v", "--volume", "--mount") and index + 1 < len(words):
            yield from _mounted(command, words[index + 1], words[index + 1].text, where)
        elif text.startswith(("--volume=", "--mount=", "-v/", "-v~", "-v.")):
            yield from _mounted(command, words[index], text.partition("=")[2] or text[2:], where)


def _mounted(command: Command, word: Word, text: str, where: Surroundings) -> Iterator[Effect]:
    fields = dict(part.partition("=")[::2] for part in text.split(","))
    source = fields.get("source") or fields.get("src") or text.split(":")[0]
    if not source.startswith(("/", "~", ".")):
        return
    local = command.replace(wrappers=())
    target = resolve(word.replace(text=source, opaque="", glob=False), local, where)
    yield Effect(Action.READ, "mount", local, target, True)
    if (
        target.path.endswith("docker.sock")
        or target.place in (Place.ROOT, Place.HOME_ROOT)
        or target.path == "/etc"
    ):
        yield Effect(Action.GAIN_PRIVILEGE, "container-mounts-host", command, target, what=text)


TABLE: dict[str, EffectReader] = {
    **same_reader(_docker, "docker podman nerdctl docker-compose podman-compose finch"),
}

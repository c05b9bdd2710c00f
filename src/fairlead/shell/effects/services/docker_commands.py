"""What the words of a record cannot say about Docker and its relatives."""

from __future__ import annotations

import re
from collections.abc import Iterator

from fairlead.shell.effects.effect import Action, Effect, EffectReader
from fairlead.shell.effects.own.guard_names import GUARDS
from fairlead.shell.effects.program_effects import options_of, reader_named, shown
from fairlead.shell.effects.services.picked_containers import is_picked
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.places.surroundings import Surroundings
from fairlead.shell.places.targets import Place, resolve
from fairlead.shell.script import Command, Word
from fairlead.shell.word_sets import names


def read_docker(command: Command, where: Surroundings, known: EffectReader) -> Iterator[Effect]:
    for effect in known(command, where):
        if effect.name != "scaled":
            yield effect
        elif any(word.text in ("0", "--replicas=0") for word in command.argv):
            yield effect.replace(name="delete-service")
    yield from _many(command, where)
    yield from _on_another_machine(command, where)
    yield from run_options(command, command.argv[1:], where)
    yield from _entry_point(command, where)
    yield from _guards(command)


_ENTRIES = {
    "aws-cli": "aws",
    "google-cloud-cli": "gcloud",
    "azure-cli": "az",
    "opentofu": "tofu",
    "k8s": "kubectl",
}
_SAME_NAME = names(
    """
    git terraform tofu terragrunt pulumi kubectl helm vault consul rclone restic flyway liquibase alembic mc
    doctl gh glab
    """
)
"""Images by their last name, and the program that they are."""
_IMAGE = lazy(r"^(?:[\w.:-]+/)+([\w-]+)(?::[\w.-]+)?(?:@sha256:\w+)?$")


_MINING = lazy(
    r"xmrig|xmr-stak|cpuminer|ethminer|nbminer|cgminer|[/-]minerd?\b|monero-miner|nanominer|traffmonetizer|honeygain"
    r"|packetstream|earnapp|peer2profit|proxyrack|repocket|iproyal|pawns-cli|bitping|mysterium|nicehash|t-rex-miner|kryptex"
)
"""Images that make money of the machine's power, or of its address, for somebody."""


def _entry_point(command: Command, where: Surroundings) -> Iterator[Effect]:
    """Images that are a program: what follows the image are that program's words."""
    texts = [word.text for word in command.argv]
    if not {"run", "create"} & set(texts[:8]):
        return
    for index, text in enumerate(texts[1:], start=1):
        image = _IMAGE.match(text)
        if _MINING.search(text) and not text.startswith("-"):
            yield Effect(Action.KILL, "exhaust", command, what=shown(command))
            return
        if (
            image
            and not text.startswith(("/", "-", "."))
            and (image[1] in _ENTRIES or image[1] in _SAME_NAME)
        ):
            name = _ENTRIES.get(image[1], image[1])
            reader = reader_named(name)
            if reader is not None:
                yield from reader(command.replace(argv=(Word(name), *command.argv[index + 1 :])), where)
            return


def _guards(command: Command) -> Iterator[Effect]:
    """A container that is named like a guard, and shall end."""
    words = [word.text for word in command.argv[1:]]
    ends = any(word in ("stop", "rm", "kill", "pause", "down", "remove") for word in words[:3])
    if ends and any(GUARDS.search(word) for word in words[1:]):
        yield Effect(Action.CHANGE_GUARD, "kill-guard", command, what=shown(command))


def _many(command: Command, where: Surroundings) -> Iterator[Effect]:
    """`docker rm -f $(docker ps -aq)`: what it removes is whatever is there."""
    given = options_of(command, where)
    words = [word.text for word in given.operands]
    if command.name.endswith("-compose") and "rm" in words[:3]:
        words = words[words.index("rm") :]
    verb = (
        words[1] if words[:1] in (["container"], ["image"]) and len(words) > 1 else words[0] if words else ""
    )
    if verb not in ("rm", "rmi", "kill", "stop", "remove"):
        return
    unknown = any(
        word.opaque is not None and not word.prefix and not is_picked(word.opaque) for word in given.operands
    ) or given.has("--all", "-a")
    if unknown and verb == "stop":
        yield Effect(Action.CHANGE_CONTAINER, "delete-many", command, what=shown(command))
    elif unknown:
        yield Effect(Action.CHANGE_CONTAINER, "delete-everything", command, what=shown(command))
    elif given.has("-v", "--volumes") and verb in ("rm", "remove"):
        yield Effect(Action.CHANGE_CONTAINER, "delete-volume", command, what=shown(command))


_OWN_CONTEXTS = names("default desktop-linux rootless colima orbstack rancher-desktop")
_OWN_ENGINE = lazy(r"^(?:unix|npipe|fd)://|^/|localhost|127\.0\.0\.1")
_STOPPING = names("rm rmi stop kill down remove pause restart")


def _on_another_machine(command: Command, where: Surroundings) -> Iterator[Effect]:
    """`docker -H ssh://prod rm -f web`: there, a container is a service."""
    given = options_of(command, where)
    words = [word.text for word in given.operands if word.text not in ("container", "compose", "image")]
    if words[:1] and words[0] in _STOPPING and _is_away(command, words[0], where):
        yield Effect(Action.CHANGE_CONTAINER, "delete-service", command, what=shown(command))


def _is_away(command: Command, verb: str, where: Surroundings) -> bool:
    """Whether an option before the verb, or a variable, names the engine of another machine."""
    texts = [word.text for word in command.argv[1:]]
    own = options_of(command.replace(argv=command.argv[: texts.index(verb) + 1]), where)
    set_ = {name: word.text for name, word in command.assignments.items()}
    hosts = (own.text("-H"), own.text("--host"), set_.get("DOCKER_HOST", ""))
    contexts = (own.text("-c"), own.text("--context"), set_.get("DOCKER_CONTEXT", ""))
    return any(host and not _OWN_ENGINE.search(host) for host in hosts) or any(
        context and context not in _OWN_CONTEXTS for context in contexts
    )


_PRIVILEGED = lazy(
    r"--(?:privileged(?:=true)?|(?:pid|userns)=host"
    r"|cap-add=(?:CAP_)?(?:ALL|SYS_ADMIN|SYS_PTRACE|SYS_MODULE|SYS_RAWIO|SYS_BOOT|DAC_READ_SEARCH|BPF)"
    r"|security-opt=(?:seccomp|apparmor|systempaths|label)[=:](?:unconfined|disable)"
    r"|device=/dev/(?:sd|hd|vd|xvd|nvme|mmcblk|disk|dm-|mapper|mem|kmem|port|kmsg)[^=]*)",
    re.IGNORECASE,
)
"""What takes the wall away between a container and the machine."""
_HOST_MOUNTS = frozenset(("/etc", "/boot", "/proc", "/sys", "/dev", "/root", "/usr", "/var", "/lib", "/bin"))
_HOST_SOCKET = lazy(r"/(?:docker|containerd|podman|crio|dockershim|buildkitd)\.sock$")


def run_options(command: Command, words: tuple[Word, ...], where: Surroundings) -> Iterator[Effect]:
    """What `run`, `create` and `exec` give the container of the machine."""
    texts = [word.text for word in words]
    if "exec" in texts[:6] and "--privileged" in texts:
        yield Effect(Action.GAIN_PRIVILEGE, "container-privileged", command, what=shown(command))
    if not {"run", "create"} & set(texts[:8]):
        return
    for index, text in enumerate(texts):
        pair = f"{text}={texts[index + 1]}" if index + 1 < len(texts) else text
        if _PRIVILEGED.fullmatch(text) or _PRIVILEGED.fullmatch(pair):
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
    target = resolve(word.replace(text=source, opaque=None, glob=False), local, where)
    yield Effect(Action.READ, "mount", local, target, True)
    if (
        _HOST_SOCKET.search(target.path)
        or target.place in (Place.ROOT, Place.HOME_ROOT)
        or target.path in _HOST_MOUNTS
    ):
        yield Effect(Action.GAIN_PRIVILEGE, "container-mounts-host", command, target, what=text)

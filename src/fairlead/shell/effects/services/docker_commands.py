"""Docker and its relatives."""

from __future__ import annotations

import re
from collections.abc import Iterator

from fairlead.shell.arguments import read_arguments
from fairlead.shell.effects.effect import Action, Effect, EffectReader
from fairlead.shell.effects.own.guard_names import GUARDS
from fairlead.shell.effects.program_effects import reader_named
from fairlead.shell.effects.services.picked_containers import is_picked
from fairlead.shell.effects.subcommand_tables import Danger, same_reader, shown, subcommand_reader
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.places.targets import Place, Surroundings, resolve
from fairlead.shell.script import Command, Word
from fairlead.shell.word_sets import names

_VALUED = (
    "-H",
    "--host",
    "--context",
    "--config",
    "--log-level",
    "--project-name",
    "--profile",
    "--env-file",
    "--filter",
)

_UNPUSHED = ("--push=false",)
_DANGERS = (
    Danger("system prune", "prune-volumes", needs=("--volumes",)),
    Danger("system prune", "prune"),
    Danger("volume rm|remove|prune", "delete-volume"),
    Danger("image|container|images prune", "prune", needs=("-a", "--all")),
    Danger("container prune", "prune"),
    Danger("compose ** down", "delete-volume", needs=("-v", "--volumes")),
    Danger("** down", "delete-volume", needs=("-v", "--volumes")),
    Danger("compose ** rm", "delete-volume", needs=("-v", "--volumes")),
    Danger("compose ** down local", "own-images", needs=("--rmi",)),
    Danger("compose ** down", "prune", needs=("--rmi",)),
    Danger("swarm leave", "leave-cluster", needs=("-f", "--force")),
    Danger("stack|service|secret|config|node rm|remove|down", "delete-service"),
    Danger("service scale *=0", "delete-service"),
    Danger("service update", "scaled", needs=("--replicas",)),
    Danger("node update", "delete-service", needs=("--availability",)),
    Danger("swarm init", "leave-cluster", needs=("--force-new-cluster",)),
    Danger("kube down", "delete-volume", needs=("--force",)),
    Danger("machine rm|reset", "delete-volume"),
    Danger("system reset", "delete-volume"),
    Danger("pod rm", "delete-volume", needs=("-a", "--all")),
    Danger("pod rm", "delete-many", needs=("-f", "--force")),
    Danger("context rm", "delete-service", needs=("-f", "--force")),
    Danger("push", "publish", action=Action.PUBLISH_PACKAGE),
    Danger("image|manifest push", "publish", action=Action.PUBLISH_PACKAGE),
    Danger("buildx imagetools create", "publish", action=Action.PUBLISH_PACKAGE),
    Danger("compose ** push", "publish", action=Action.PUBLISH_PACKAGE),
    Danger("compose ** build", "publish", needs=("--push",), unless=_UNPUSHED, action=Action.PUBLISH_PACKAGE),
    Danger("build|bake", "publish", needs=("--push",), unless=_UNPUSHED, action=Action.PUBLISH_PACKAGE),
    Danger(
        "buildx|image|builder build|bake",
        "publish",
        needs=("--push",),
        unless=_UNPUSHED,
        action=Action.PUBLISH_PACKAGE,
    ),
)
_known = subcommand_reader(Action.CHANGE_CONTAINER, _DANGERS, valued=_VALUED)


def _docker(command: Command, where: Surroundings) -> Iterator[Effect]:
    for effect in _known(command, where):
        if effect.name != "scaled":
            yield effect
        elif any(word.text in ("0", "--replicas=0") for word in command.argv):
            yield effect.replace(name="delete-service")
    yield from _many(command)
    yield from _on_another_machine(command)
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


def _entry_point(command: Command, where: Surroundings) -> Iterator[Effect]:
    """Images that are a program: what follows the image are that program's words."""
    texts = [word.text for word in command.argv]
    if not {"run", "create"} & set(texts[:8]):
        return
    for index, text in enumerate(texts[1:], start=1):
        image = _IMAGE.match(text)
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


def _many(command: Command) -> Iterator[Effect]:
    """`docker rm -f $(docker ps -aq)`: what it removes is whatever is there."""
    given = read_arguments(command.argv[1:], valued=("-H", "--host", "-c", "--context", "--config", "-n"))
    words = [word.text for word in given.operands]
    if command.name.endswith("-compose") and "rm" in words[:3]:
        words = words[words.index("rm") :]
    verb = (
        words[1] if words[:1] in (["container"], ["image"]) and len(words) > 1 else words[0] if words else ""
    )
    if verb not in ("rm", "rmi", "kill", "stop", "remove"):
        return
    unknown = any(
        word.opaque is not None and not is_picked(word.opaque) for word in given.operands
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


def _on_another_machine(command: Command) -> Iterator[Effect]:
    """`docker -H ssh://prod rm -f web`: there, a container is a service."""
    given = read_arguments(command.argv[1:], valued=_VALUED)
    words = [word.text for word in given.operands if word.text not in ("container", "compose", "image")]
    if words[:1] and words[0] in _STOPPING and _is_away(command, words[0]):
        yield Effect(Action.CHANGE_CONTAINER, "delete-service", command, what=shown(command))


def _is_away(command: Command, verb: str) -> bool:
    """Whether an option before the verb, or a variable, names the engine of another machine."""
    texts = [word.text for word in command.argv[1:]]
    own = read_arguments(command.argv[1 : texts.index(verb) + 1], valued=_VALUED)
    set_ = {name: word.text for name, word in command.assignments.items()}
    hosts = (own.text("-H"), own.text("--host"), set_.get("DOCKER_HOST", ""))
    contexts = (own.text("--context"), set_.get("DOCKER_CONTEXT", ""))
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


_STOPS = Action.CHANGE_SERVICE
_ROOTED = Action.GAIN_PRIVILEGE
_LXC = (
    Danger("delete|rm", "delete-volume"),
    Danger("** security.privileged true", "container-privileged", action=_ROOTED),
    Danger("** security.privileged=true|raw.lxc*|raw.apparmor*", "container-privileged", action=_ROOTED),
    Danger(
        "config|profile device add ** source=/|source=/etc*|source=/root*|source=/dev*|source=/var/run*",
        "container-mounts-host",
        action=_ROOTED,
    ),
    Danger("** delete", "delete-volume"),
)
_MACHINES: dict[str, tuple[Danger, ...]] = {
    "lxc": _LXC,
    "incus": _LXC,
    "limactl": (
        Danger("delete|rm|remove|factory-reset", "delete-many"),
        Danger("disk delete|rm", "delete-volume"),
    ),
    "orb": (Danger("delete|reset", "delete-many"),),
    "lxc-destroy": (Danger("", "delete-many"),),
    "vagrant": (
        Danger("destroy", "delete-many"),
        Danger("box remove|prune", "delete-many", needs=("--all", "-f", "--force")),
        Danger("snapshot delete", "delete-many"),
    ),
    "virsh": (
        Danger("undefine|vol-delete|vol-wipe|pool-delete|pool-destroy|snapshot-*|destroy", "delete-volume"),
        Danger("shutdown|reboot|reset|managedsave|net-destroy|detach-disk", "stop-service", action=_STOPS),
    ),
    "multipass": (Danger("delete|purge", "delete-many"),),
    "colima": (Danger("delete", "delete-many"),),
    "minikube": (Danger("delete", "delete-many"),),
    "kind": (Danger("delete cluster|clusters", "delete-many"),),
    "k3d": (Danger("cluster|node|registry delete|rm|del", "delete-many"),),
    "vboxmanage": (
        Danger("unregistervm|closemedium", "delete-volume", needs=("--delete", "-delete", "--delete-all")),
        Danger("unregistervm|closemedium", "delete-many"),
        Danger("snapshot * delete|restore", "delete-volume"),
        Danger("controlvm * poweroff|reset|acpipowerbutton|savestate", "stop-service", action=_STOPS),
    ),
    "vmrun": (Danger("** deletevm|deletesnapshot", "delete-volume"),),
    "govc": (Danger("*.destroy|*.rm|*.delete|*.remove", "delete-volume"),),
    "prlctl": (Danger("delete|unregister|snapshot-delete", "delete-volume"),),
    "machinectl": (
        Danger("shell|login", "root-shell", action=_ROOTED),
        Danger("poweroff|reboot|stop|disable", "stop-service", action=_STOPS),
        Danger("remove|clean", "delete-volume"),
        Danger("terminate|kill", "delete-many"),
    ),
    "skopeo": (
        Danger("delete", "delete-volume"),
        Danger("copy|sync * docker://*", "publish", action=Action.PUBLISH_PACKAGE),
        Danger("sync dir docker", "publish", action=Action.PUBLISH_PACKAGE),
    ),
    "regctl": (
        Danger("** delete|rm", "delete-volume"),
        Danger("image|manifest|artifact copy|cp|put|mod|import", "publish", action=Action.PUBLISH_PACKAGE),
    ),
    "virt-install": (),
    "vim-cmd": (
        Danger("*/destroy|*/unregister|*/remove*|*/snapshot.remove*", "delete-volume"),
        Danger("*/power.off|*/power.reset|*/power.shutdown", "stop-service", action=_STOPS),
    ),
    "tart": (Danger("delete|prune", "delete-volume"),),
    "apptainer": (Danger("delete|cache clean", "delete-many"),),
    "xe": (
        Danger("vm-destroy|vm-uninstall|vdi-destroy|sr-destroy|sr-forget|snapshot-*", "delete-volume"),
        Danger("*-shutdown|*-reboot|host-disable|vm-suspend", "stop-service", action=_STOPS),
    ),
    "esxcli": (
        Danger("** destroy|remove|delete", "delete-volume"),
        Danger("** shutdown|kill|reboot|poweroff", "stop-service", action=_STOPS),
    ),
    "crictl": (Danger("rm|rmi|rmp", "delete-many", needs=("-a", "--all", "-f", "--force", "--prune")),),
    "buildah": (
        Danger("rm|rmi|prune", "delete-many", needs=("-a", "--all")),
        Danger("push", "publish", action=Action.PUBLISH_PACKAGE),
    ),
    "ctr": (Danger("** rm|delete", "delete-many"),),
    **dict.fromkeys(
        ("qm", "pct"),
        (
            Danger("destroy|unlink|delsnapshot|rollback|template", "delete-volume"),
            Danger("stop|shutdown|reset|reboot|suspend", "stop-service", action=_STOPS),
        ),
    ),
}

TABLE: dict[str, EffectReader] = {
    **same_reader(_docker, "docker podman nerdctl docker-compose podman-compose finch"),
    **{name: subcommand_reader(Action.CHANGE_CONTAINER, table) for name, table in _MACHINES.items()},
    "VBoxManage": subcommand_reader(Action.CHANGE_CONTAINER, _MACHINES["vboxmanage"]),
}

"""Whether files of another machine or a container are lost for somebody."""

from __future__ import annotations

from fairlead.packs.rule import Scene
from fairlead.shell.effects.effect import Action, Effect


def loses_elsewhere(effect: Effect, scene: Scene) -> bool:
    """A container that `run` makes anew and that mounts nothing loses nothing."""
    wrappers = [wrapper for wrapper in effect.command.wrappers if wrapper.place]
    for wrapper in wrappers:
        words = [word.text for word in wrapper.argv]
        if "run" in words[:8] and not any(
            word.startswith(("-v", "--volume", "--mount", "--device")) for word in words
        ):
            return False
    return effect.recursive or effect.action is Action.DELETE


_VITAL = ("/etc/", "/usr/", "/boot/", "/bin/", "/sbin/", "/lib", "/var/lib/")


def changes_vital_elsewhere(effect: Effect, scene: Scene) -> bool:
    """What a machine or a pod that others use lives from; a container on this machine is a toy."""
    used = any(wrapper.place.startswith(("ssh:", "pod:")) for wrapper in effect.command.wrappers)
    path = effect.target.path if effect.target is not None else ""
    emptied = effect.action is Action.TRUNCATE and path.startswith("/") and not path.startswith("/var/log/")
    return (
        used
        and loses_elsewhere(effect.replace(recursive=True), scene)
        and (emptied or path.startswith(_VITAL))
    )

"""Files that get another name within the same script: what is done to the new name is done to them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fairlead.shell.effects.effect import Action, Effect
from fairlead.shell.places.surroundings import Surroundings
from fairlead.shell.places.targets import Target, resolve

_NAMING = frozenset(("mv", "ln", "cp"))
_MAKING_LINKS = frozenset(("ln", "mount"))
_LOSING = frozenset((Action.DELETE, Action.TRUNCATE))
_NOT_FOLLOWING = frozenset((Action.LIST, Action.DELETE, Action.MOVE_AWAY))
"""What is done to a link itself, or to no file at all."""


def through_new_names(effects: Sequence[Effect], where: Surroundings) -> Iterator[Effect]:
    """`mv src /tmp/x && rm -rf /tmp/x` deletes `src`; so does `rm -rf link/` after `ln -s src link`."""
    first: dict[str, Target] = {}
    links: dict[str, str] = {}
    moved: dict[str, Target] = {}
    for effect in effects:
        target = effect.target
        if target is None:
            continue
        if effect.action is Action.MOVE_AWAY and effect.detail:
            first[effect.detail] = target
            moved[effect.detail] = moved[f"{effect.detail}/{target.path.rsplit('/', 1)[-1]}"] = target
        elif effect.action in (Action.WRITE, Action.OVERWRITE) and effect.name == "ln":
            source = next(
                (e.target for e in effects if e.command is effect.command and e.action is Action.READ), None
            )
            if source is not None:
                first[target.path] = source
                links[target.path] = links[f"{target.path}/{source.path.rsplit('/', 1)[-1]}"] = source.path
        elif effect.action in _LOSING and first:
            yield from _losses(effect, target, first)
            if not effect.recursive and target.path in moved:
                origin = moved[target.path]
                yield effect.replace(target=origin, what=f"{effect.what} (which is {origin.path})")
        if effect.action not in _NOT_FOLLOWING and effect.command.name not in _MAKING_LINKS and links:
            yield from _through_links(effect, target, links, where)


def _through_links(
    effect: Effect, target: Target, links: dict[str, str], where: Surroundings
) -> Iterator[Effect]:
    """`ln -s / r && cat r/etc/shadow`, `ln -s ~/.bashrc r && echo x >> r`."""
    for link, origin in links.items():
        if origin and (target.path == link or target.path.startswith(link + "/")):
            path = origin.rstrip("/") + target.path[len(link) :]
            yield effect.replace(target=resolve(target.word.replace(text=path), effect.command, where))


def _losses(effect: Effect, target: Target, first: dict[str, Target]) -> Iterator[Effect]:
    for path, origin in first.items():
        linked = target.path == path or target.path.startswith(path + "/")
        follows = effect.recursive and (
            target.word.text.endswith("/") or target.path != path or origin.path != path
        )
        if linked and follows:
            yield effect.replace(target=origin, what=f"{effect.what} (which is {origin.path})")

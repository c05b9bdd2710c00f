"""Where files are moved to, and what becomes of them there."""

from __future__ import annotations

from fairlead.packs.rule import Scene
from fairlead.shell.effects.effect import Effect


def goes_away(effect: Effect, scene: Scene) -> bool:
    """Logs of a program that are turned stay in their folder."""
    target, words = effect.target, effect.command.argv
    if target is None or not target.path.startswith("/var/log/") or len(words) < 3:
        return True
    return not (words[-1].text.startswith(f"{words[-2].text}.") and words[-2].text)


def into_nothing(effect: Effect, scene: Scene) -> bool:
    return effect.detail.startswith("/dev/")


def to_temporary(effect: Effect, scene: Scene) -> bool:
    return effect.name == "trash" or effect.detail.startswith(("/tmp", "/var/tmp", "/dev"))  # noqa: S108


def renames_all(effect: Effect, scene: Scene) -> bool:
    """All that is in a folder, or below one, and it stays there under other names."""
    target = effect.target
    if target is None or not (target.everything or "**" in target.word.text):
        return False
    return f"{effect.detail}/".startswith(f"{target.path}/")

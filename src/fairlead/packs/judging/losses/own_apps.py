"""Whether an app on a device is the one that this project builds: its data are those of trials."""

from __future__ import annotations

import os
import re

from fairlead.packs.rule import Scene
from fairlead.shell.effects.effect import Effect
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.places.world import text_of

_NAMING = (
    "capacitor.config.ts",
    "capacitor.config.json",
    "app.json",
    "app.config.js",
    "app.config.ts",
    "config.xml",
    "app/build.gradle",
    "app/build.gradle.kts",
    "android/app/build.gradle",
    "android/app/build.gradle.kts",
)
"""Files that say what the app is called."""
_TOLD = lazy(
    r"adb (?:-[des] (?:\S+ )?)?shell (?:pm|cmd package) (?:clear|uninstall)((?: [a-z][\w]*(?:\.\w+)+)+)"
)
_NAMED = (
    r"(?:appId|applicationId|namespace|package|bundleIdentifier|widget id)[\"']?\s*[:=]?\s*[\"'](%s)[\"']"
)


def is_not_our_app(effect: Effect, scene: Scene) -> bool:
    """`adb shell pm clear app.of.this.project` passes; whatever else changes a device does not."""
    command = effect.command
    if command.name != "adb" or not all(word.known for word in command.argv):
        return True
    told = _TOLD.fullmatch(" ".join(word.text for word in command.argv))
    if told is None:
        return True
    said = "\n".join(text_of(os.path.join(scene.where.root, name)) for name in _NAMING)
    apps = told[1].split()
    return not all(re.search(_NAMED % re.escape(app.removesuffix(".debug")), said) for app in apps)

"""Plugins: what other packages offer by entry points. Only who asks for one looks for it and imports it."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from importlib.metadata import Distribution, EntryPoint, distributions

from fairlead.errors import PluginError
from fairlead.interfaces import INTERFACE_VERSION
from fairlead.model.value import Value

MADE_FOR = "fairlead.interface"
"""The group in which a distribution says, as `version = "v1"`, which version of `interfaces` it was made for.
Metadata can be read without running anything of the plugin."""

_NEEDED: dict[str, tuple[str, ...]] = {
    "dialects": ("name", "decode", "render", "last_resort"),
    "packs": ("id", "summary", "rules"),
    "executors": ("__call__",),
    "sinks": ("__call__",),
    "middleware": ("__call__",),
    "commands": ("main", "params", "get_help"),
}
KINDS = tuple(_NEEDED)
"""Each is the group `fairlead.KIND`."""


class Plugin(Value):
    """One entry, as its distribution's metadata has it."""

    kind: str
    name: str
    place: str
    distribution: str
    version: str
    interface: str
    """The version of the interface that it was made for; empty when it does not say."""
    rivals: tuple[str, ...] = ()
    """Other distributions that offer the same: then nobody knows which was meant."""

    @property
    def flaw(self) -> str:
        """Why it is not loaded; empty when it may be."""
        if self.rivals:
            return f"{', '.join((self.distribution, *self.rivals))} all offer it; uninstall all but one"
        if not self.interface:
            return f"{self.distribution} does not say which version of the interface it was made for"
        if self.interface != f"v{INTERFACE_VERSION}":
            return f"it was made for version {self.interface} of the interface; this is v{INTERFACE_VERSION}"
        return ""


def installed(kind: str = "") -> list[Plugin]:
    """Every plugin, or those of one kind, by kind and name. Nothing of them is imported."""
    found: dict[tuple[str, str], Plugin] = {}
    for one in _offered():
        key = (one.kind, one.name)
        first = found.get(key)
        if kind and one.kind != kind:
            continue
        if first is None:
            found[key] = one
        elif first.distribution != one.distribution:
            found[key] = first.replace(rivals=(*first.rivals, one.distribution))
    return sorted(found.values(), key=lambda one: (KINDS.index(one.kind), one.name))


def find(kind: str, name: str) -> Plugin:
    """Raises PluginError when it is not there, or may not be loaded."""
    offered = installed(kind)
    plugin = next((one for one in offered if one.name == name), None)
    if plugin is None:
        there = ", ".join(one.name for one in offered) or "none are installed"
        hint = f"`fairlead plugins` lists them: {there}"
        raise PluginError(f"no plugin among the {kind} is named {name!r}", hint=hint)
    if plugin.flaw:
        raise _unusable(plugin, plugin.flaw)
    return plugin


@cache
def load(kind: str, name: str) -> object:
    """What a plugin offers, imported once. Whatever goes wrong with it is a PluginError, and tried again."""
    return loaded(find(kind, name))


def loaded(plugin: Plugin) -> object:
    entry = EntryPoint(plugin.name, plugin.place, f"fairlead.{plugin.kind}")
    try:
        offered: object = entry.load()
    except (Exception, SystemExit) as error:  # a plugin is foreign code: whatever it raises becomes data
        raise _unusable(plugin, f"{type(error).__name__}: {error}") from error
    missing = [part for part in _NEEDED[plugin.kind] if not hasattr(offered, part)]
    if missing:
        wanted = "something to call" if missing == ["__call__"] else f"something with {', '.join(missing)}"
        raise _unusable(plugin, f"{plugin.place} is not {wanted}")
    return offered


def _unusable(plugin: Plugin, why: str) -> PluginError:
    message = f"the plugin {plugin.name!r} ({plugin.kind}, of {plugin.distribution}) cannot be used: {why}"
    return PluginError(message, hint="`fairlead plugins` says what is wrong with it")


def _offered() -> Iterator[Plugin]:
    seen: set[str] = set()
    for one in _distributions():
        name = str(one.metadata["Name"] or "")
        if name in seen:
            continue  # hidden by one that comes earlier on the path
        seen.add(name)
        entries = one.entry_points
        made_for = next((entry.value for entry in entries if entry.group == MADE_FOR), "")
        for entry in entries:
            room, _, kind = entry.group.partition(".")
            if room == "fairlead" and kind in _NEEDED:
                yield Plugin(kind, entry.name, entry.value, name, one.version, made_for)


def _distributions() -> Iterable[Distribution]:
    """Those on the path, but not in the folder that we stand in: that is a project's, and may be hostile."""
    here = os.path.realpath(os.curdir)
    return distributions(path=[path for path in sys.path if path and os.path.realpath(path) != here])

"""What has to stand in an agent's managed files."""

from __future__ import annotations

import json
from collections.abc import Iterator

from fairlead.dialects.agents.gemini_family import countersigned
from fairlead.dialects.agents.javascript_plugins.plugin_source import opencode_plugin
from fairlead.dialects.managed.forms import MANAGED, WITHHELD, Lock, Managed, managed_on
from fairlead.dialects.setup.description import Form
from fairlead.dialects.setup.hook_forms import Wanted, change_for
from fairlead.dialects.setup.installs import INSTALLS
from fairlead.dialects.setup.site import Client
from fairlead.errors import SettingsError
from fairlead.settings.change import Change, JsonEntries, OwnFile, TomlBlock
from fairlead.settings.formats.json_edit import Forced, Item

_HOOK_FORMS: tuple[Form, ...] = ("entries", "own document")


def managed_changes(
    agent: str,
    client: Client,
    *,
    plugins: str,
    only: bool = False,
    second: bool = False,
    system: str = "linux",
) -> list[Change]:
    """`plugins` is the folder for files that an agent loads; `only` drops the users' own hooks as well;
    `second` adds the second line, for an agent that has one. It comes last: without hooks it denies."""
    managed = managed_on(system)[agent]
    forced = (*managed.locks, *(managed.only if only else ()))
    if second and managed.second:
        client = client.replace(first=f"export {countersigned.VARIABLE}=1; ")
        beside: list[Change] = [OwnFile(managed.second, countersigned.policy().encode())]
        return [*_changes(_wanted(agent, managed, client), managed, forced, plugins=plugins), *beside]
    return _changes(_wanted(agent, managed, client), managed, forced, plugins=plugins)


def _changes(wanted: Wanted, managed: Managed, forced: tuple[Lock, ...], *, plugins: str) -> list[Change]:
    if managed.form == "codex requirements":
        values = tuple(each for each in forced if isinstance(each, Forced))
        return [TomlBlock(managed.path, "\n".join(_codex_tables(wanted)), values)]
    if managed.form == "opencode managed":
        return _opencode(managed, wanted.client, forced, plugins)
    return [_with_locks(change, forced) for change in change_for(wanted)]


def possible_locks(agent: str) -> tuple[Lock, ...]:
    """Every value that a change of this agent may have forced."""
    return (*MANAGED[agent].locks, *MANAGED[agent].only)


def _wanted(agent: str, managed: Managed, client: Client) -> Wanted:
    setup = INSTALLS[agent]
    file = setup.files[0]
    if managed.form in _HOOK_FORMS:
        file = next((each for each in setup.files if each.form == managed.form), file)
    return Wanted(agent, setup, file, managed.path, client)


def _with_locks(change: Change, forced: tuple[Lock, ...]) -> Change:
    if not forced:
        return change
    if not isinstance(change, JsonEntries):
        raise SettingsError(f"{change.path} has no place for a lock")
    return change.replace(edits=(*forced, *change.edits))


def _codex_tables(wanted: Wanted) -> Iterator[str]:
    """A basic string of TOML has the escapes of JSON."""
    for event in wanted.events:
        yield f"[[hooks.{event}]]"
        handlers = wanted.entry(event)["hooks"]
        assert isinstance(handlers, list)
        for handler in handlers:
            lines = (f"{key} = {json.dumps(value, ensure_ascii=False)}" for key, value in handler.items())
            yield "\n".join((f"[[hooks.{event}.hooks]]", *lines)) + "\n"


def _opencode(managed: Managed, client: Client, forced: tuple[Lock, ...], plugins: str) -> list[Change]:
    """The plugin first: a configuration that names a missing one withholds every tool."""
    plugin = f"{plugins}/fairlead-hook.js"
    words = client.words("opencode", "")[:-1]
    named = JsonEntries(managed.path, (*forced, Item(("plugin",), f"file://{plugin}")))
    return [OwnFile(plugin, opencode_plugin(words, told=client.told, gives_back=WITHHELD)), named]

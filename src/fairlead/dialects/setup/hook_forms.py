"""What has to stand in a hook file, for each form that there is."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping

from fairlead.dialects.agent_registry import dialect_named
from fairlead.dialects.agents.javascript_plugins.plugin_source import amp_plugin, opencode_plugin
from fairlead.dialects.payloads.call_templates import filled
from fairlead.dialects.setup.description import Form, HookFile, Setup
from fairlead.dialects.setup.site import Client
from fairlead.model.event_name import GATING, event_named
from fairlead.model.value import Value
from fairlead.settings.change import Change, JsonEntries, OwnFile, TomlBlock
from fairlead.settings.formats.json_edit import Beside, Default, Item

_FREQUENT = frozenset(
    {
        "AfterModel",
        "BeforeToolSelection",
        "MessageDisplay",
        "InstructionsLoaded",
        "PostToolBatch",
        "SessionDelete",
    }
)
"""Events that fire many times a turn and that nothing of ours needs."""


class Wanted(Value):
    """One file of one agent, and the client that it shall run."""

    agent: str
    setup: Setup
    file: HookFile
    path: str
    client: Client

    @property
    def events(self) -> tuple[str, ...]:
        known = dialect_named(self.agent).events
        return self.setup.events or tuple(event for event in known if event not in _FREQUENT)

    def entry(self, event: str) -> dict[str, object]:
        setup = self.setup
        gates = setup.at_gates if event_named(event) in GATING else {}
        template = _with(setup.entry_of.get(event, setup.entry), gates)
        line = self.client.line(self.agent, event)
        return {key: filled(part, {"command": line, "event": event}) for key, part in template.items()}


def _with(entry: Mapping[str, object], more: Mapping[str, object]) -> Mapping[str, object]:
    """The handlers of a group have what an entry without a group has."""
    handlers = entry.get("hooks")
    if not isinstance(handlers, list):
        return {**entry, **more}
    return {**entry, "hooks": [{**handler, **more} for handler in handlers]}


def change_for(wanted: Wanted) -> list[Change]:
    return _FORMS[wanted.file.form](wanted)


def _entries(wanted: Wanted) -> list[Change]:
    items = [Item((*wanted.file.at, event), wanted.entry(event)) for event in wanted.events]
    defaults = [Default(pointer, value) for pointer, value in wanted.setup.defaults]
    return [JsonEntries(wanted.path, (*defaults, *items))]


def _entries_beside(wanted: Wanted) -> list[Change]:
    edits = tuple(Beside((*wanted.file.at, event), wanted.entry(event)) for event in wanted.events)
    return [JsonEntries(wanted.path, edits)]


def _own_document(wanted: Wanted) -> list[Change]:
    entries = {event: wanted.entry(event) for event in wanted.events}
    places = {
        "<by event>": {event: [entry] for event, entry in entries.items()},
        "<in a list>": list(entries.values()),
    }
    document = {
        key: places.get(value, value) if isinstance(value, str) else value
        for key, value in wanted.setup.document.items()
    }
    return [OwnFile(wanted.path, json.dumps(document, indent=2).encode() + b"\n")]


def _toml_tables(wanted: Wanted) -> list[Change]:
    tables = [
        "[[hooks]]\n" + "".join(f"{key} = {_toml(value)}\n" for key, value in wanted.entry(event).items())
        for event in wanted.events
    ]
    return [TomlBlock(wanted.path, "\n".join(tables))]


def _toml(value: object) -> str:
    """A basic string of TOML has the escapes of JSON."""
    return json.dumps(value, ensure_ascii=False)


def _executables(wanted: Wanted) -> list[Change]:
    return [
        OwnFile(
            f"{wanted.path}/{event}",
            f"#!/bin/sh\n{wanted.client.line(wanted.agent, event)}\n".encode(),
            mode=0o755,
        )
        for event in wanted.events
    ]


def _opencode_plugin(wanted: Wanted) -> list[Change]:
    return [OwnFile(wanted.path, opencode_plugin(wanted.client.words(wanted.agent, "")[:-1]))]


def _amp_plugin(wanted: Wanted) -> list[Change]:
    return [OwnFile(wanted.path, amp_plugin(wanted.client.words(wanted.agent, "")[:-1]))]


_FORMS: Mapping[Form, Callable[[Wanted], list[Change]]] = {
    "entries": _entries,
    "entries beside": _entries_beside,
    "own document": _own_document,
    "toml tables": _toml_tables,
    "executables": _executables,
    "opencode plugin": _opencode_plugin,
    "amp plugin": _amp_plugin,
}

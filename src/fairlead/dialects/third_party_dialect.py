"""A dialect of another package, which may break: then the answer is what a caller without a name gets."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import cast

from fairlead.dialects.agent_registry import dialect_named
from fairlead.entry_points import load
from fairlead.errors import PayloadError, PluginError
from fairlead.interfaces import Dialect
from fairlead.model.event import Event
from fairlead.model.event_name import EventName, event_named
from fairlead.model.verdict import Reply, Verdict


class ThirdPartyDialect:
    """Nothing that a plugin raises gets out of here (law 2), and what it cannot say is said by exit code."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._plain: Dialect = dialect_named("generic")
        self._flaw = ""
        try:
            self._plugin = cast(Dialect, load("dialects", name))
        except PluginError as error:
            self._flaw = error.message

    def decode(self, raw: bytes, *, native_event: str, environment: Mapping[str, str]) -> Event:
        if self._flaw:
            raise PayloadError(self._flaw)
        try:
            event = self._plugin.decode(raw, native_event=native_event, environment=environment)
            return event.replace(agent=self.name, raw=raw)
        except PayloadError:
            raise
        except Exception as error:  # a plugin is foreign code: whatever it raises becomes data
            message = f"the dialect {self.name!r} of a plugin broke: {type(error).__name__}: {error}"
            raise PayloadError(message) from error

    def render(self, event: Event, verdict: Verdict) -> Reply:
        return self._said(
            lambda: self._plugin.render(event, verdict), lambda: self._plain.render(event, verdict)
        )

    def last_resort(self, native_event: str) -> Reply:
        """Of an event that only the plugin knows, nobody else can say that it gates nothing."""
        known = native_event if event_named(native_event) is not EventName.OTHER else "PreToolUse"
        return self._said(
            lambda: self._plugin.last_resort(native_event), lambda: self._plain.last_resort(known)
        )

    def _said(self, say: Callable[[], object], otherwise: Callable[[], Reply]) -> Reply:
        """Its answer, or ours where it has none."""
        flaw = self._flaw
        try:
            reply = None if flaw else say()
        except Exception as error:  # noqa: BLE001 - a plugin is foreign code: whatever it raises becomes data
            reply, flaw = None, f"{type(error).__name__}: {error}"
        if isinstance(reply, Reply):
            return reply
        flaw = flaw or "its answer is no Reply"
        ours = otherwise()
        note = f"the dialect {self.name!r} of a plugin could not answer: {flaw}"
        return ours.replace(degraded=(*ours.degraded, note), stderr=ours.stderr + f"{note}\n".encode())

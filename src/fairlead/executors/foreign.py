"""A way to run hooks that another package brings. What it raises is the hook's failure (law 2)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fairlead.entry_points import load
from fairlead.errors import PluginError
from fairlead.model.event import Event
from fairlead.model.failure import Failure, FailureCode, Stage
from fairlead.model.hook import Capture, Hook, Outcome


class ForeignExecutor:
    """Made when a hook first needs it; one that could not be made is tried again."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._made: Any = None

    def run(self, hook: Hook, event: Event, previous: Sequence[Outcome]) -> Capture:
        try:
            if self._made is None:
                factory: Any = load("executors", self._name)
                self._made = factory()
            capture = self._made.run(hook, event, previous)
        except PluginError as error:
            return self._broken(hook, error.message)
        except Exception as error:  # noqa: BLE001 - a plugin is foreign code: whatever it raises becomes data
            return self._broken(hook, f"{type(error).__name__}: {error}")
        if not isinstance(capture, Capture):
            return self._broken(hook, f"it gave no Capture but a {type(capture).__name__}")
        return capture

    def _broken(self, hook: Hook, why: str) -> Capture:
        message = f"the executor {self._name!r} of a plugin: {why}"
        return Capture(
            failure=Failure(Stage.EXECUTION, FailureCode.EXECUTION_FAILURE, message, {"hook": hook.id})
        )

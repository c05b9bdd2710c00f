"""A sink of another package, as a receiver of journal lines."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

from fairlead.entry_points import load
from fairlead.errors import FairleadError, PluginError
from fairlead.interfaces import Sink


class ForeignSink:
    """Made with the text of the command line. What it raises means: these lines have to be sent again."""

    def __init__(self, name: str, target: str = "") -> None:
        self._name = name
        factory = cast(Any, load("sinks", name))
        try:
            self._sink: Sink = factory(target)
        except Exception as error:  # a plugin is foreign code: whatever it raises becomes data
            message = f"the sink {name!r} of a plugin could not be made: {type(error).__name__}: {error}"
            raise PluginError(message) from error

    def send(self, records: Sequence[Mapping[str, object]]) -> None:
        try:
            for record in records:
                self._sink.write(record)
        except FairleadError:
            raise
        except Exception as error:  # a plugin is foreign code: whatever it raises becomes data
            message = f"the sink {self._name!r} of a plugin broke: {type(error).__name__}: {error}"
            raise PluginError(message) from error

    def close(self) -> None:
        """A sink that has an end is told of it."""
        end = getattr(self._sink, "close", None)
        if callable(end):
            end()

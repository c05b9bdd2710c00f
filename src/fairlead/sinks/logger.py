"""Records as debug lines of a logger, the standard library's unless another is given."""

from __future__ import annotations

from collections.abc import Mapping

from fairlead.interfaces import Logger


class LoggerSink:
    def __init__(self, logger: Logger | None = None) -> None:
        if logger is None:
            from logging import getLogger

            logger = getLogger("fairlead")
        self._logger = logger

    def write(self, record: Mapping[str, object]) -> None:
        kind, event = record.get("record"), record.get("eventName")
        rest = {key: value for key, value in record.items() if key not in ("record", "eventName")}
        words = " ".join(f"{key}={value!r}" for key, value in rest.items() if value not in (None, ""))
        self._logger.debug(f"{kind} {event} {words}", extra={"fairlead": dict(record)})

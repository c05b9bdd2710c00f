"""Failures are data (law 10)."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType

from fairlead.model.value import Value

NOTHING: Mapping[str, object] = MappingProxyType({})


class Stage(StrEnum):
    VALIDATION = "validation"
    TRANSLATION = "translation"
    PLANNING = "planning"
    EXECUTION = "execution"
    INTERPRETATION = "interpretation"
    AGGREGATION = "aggregation"
    RENDERING = "rendering"


class FailureCode(StrEnum):
    INVALID_REQUEST = "INVALID_REQUEST"
    UNSUPPORTED_EVENT = "UNSUPPORTED_EVENT"
    VALIDATION_FAILURE = "VALIDATION_FAILURE"
    TRANSLATION_FAILURE = "TRANSLATION_FAILURE"
    PLANNING_FAILURE = "PLANNING_FAILURE"
    EXECUTION_FAILURE = "EXECUTION_FAILURE"
    INTERPRETATION_FAILURE = "INTERPRETATION_FAILURE"
    AGGREGATION_FAILURE = "AGGREGATION_FAILURE"
    RENDERING_FAILURE = "RENDERING_FAILURE"
    TIMEOUT = "TIMEOUT"


class Failure(Value):
    """What broke, in which stage; `details` names the event, hook or field where there is one."""

    stage: Stage
    code: FailureCode
    message: str
    details: Mapping[str, object] = NOTHING

    def as_json(self) -> dict[str, object]:
        return {
            "code": str(self.code),
            "message": self.message,
            "details": {"stage": str(self.stage), **self.details},
        }

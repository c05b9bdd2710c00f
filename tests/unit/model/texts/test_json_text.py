from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from types import MappingProxyType

import pytest

from fairlead.model.answer import Execution
from fairlead.model.tool_call import ToolCall
from fairlead.model.value import Value

LS = ToolCall("bash", {"command": "ls"})


class Colour(StrEnum):
    RED = "red"


@dataclass
class Point:
    x: int


class Record:
    """As those of pydantic."""

    def model_dump(self) -> dict[str, int]:
        return {"a": 1}


class Pair(Value):
    a: int
    b: object = None


@pytest.mark.parametrize(
    ("output", "told"),
    [
        ("as it is", "as it is"),
        ({"a": [1, True, None]}, '{"a": [1, true, null]}'),
        (None, "null"),
        (False, "false"),
        (3.5, "3.5"),
        ("ä", "ä"),
        ({"ä": "ö"}, '{"ä": "ö"}'),
        ((1, 2), "[1, 2]"),
        ({3}, "[3]"),
        (Point(1), '{"x": 1}'),
        (Pair(1, Point(2)), '{"a": 1, "b": {"x": 2}}'),
        ({"when": date(2026, 1, 2)}, '{"when": "2026-01-02"}'),
        ([b"bytes"], '["bytes"]'),
        ([Colour.RED], '["red"]'),
        ([1 + 2j], '["(1+2j)"]'),
        ([Record()], '[{"a": 1}]'),
        ([Record], f'["{Record}"]'),
        ([Point], f'["{Point}"]'),
        ([bytearray(b"a\xff")], '["a\ufffd"]'),
        (Colour.RED, '"red"'),
        ([MappingProxyType({"a": 1})], '[{"a": 1}]'),
    ],
)
def test_results_reach_the_model_as_json(output: object, told: str) -> None:
    assert Execution(LS, output).message == told
    assert isinstance(output, str) or json.loads(told) is not Ellipsis


def test_what_json_cannot_say_is_written_as_python_prints_it() -> None:
    ring: list[object] = []
    ring.append(ring)
    assert Execution(LS, ring).message == "[[...]]"
    assert Execution(LS, float("nan")).message == "nan"
    assert Execution(LS, {(1, 2): 3}).message == "{(1, 2): 3}"

"""The part of SARIF 2.1.0 that a scan writes, as the standard describes it: which properties an object may
have, which it must have, and of what kind each is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

_LEVELS = {"none", "note", "warning", "error"}
_MESSAGE = {"text": (str, True)}
_PLACE = {"uri": (str, True), "uriBaseId": (str, False)}
_REGION = {
    "startLine": (int, True),
    "startColumn": (int, False),
    "endColumn": (int, False),
    "snippet": (_MESSAGE, False),
}
_LOCATION = {"physicalLocation": ({"artifactLocation": (_PLACE, True), "region": (_REGION, False)}, True)}
_SUPPRESSION = {"kind": ({"inSource", "external"}, True), "justification": (str, False)}
_RULE = {
    "id": (str, True),
    "shortDescription": (_MESSAGE, False),
    "fullDescription": (_MESSAGE, False),
    "help": (_MESSAGE, False),
    "defaultConfiguration": ({"level": (_LEVELS, True)}, False),
    "properties": (dict, False),
}
_RESULT = {
    "ruleId": (str, False),
    "ruleIndex": (int, False),
    "level": (_LEVELS, False),
    "message": (_MESSAGE, True),
    "locations": ([_LOCATION], False),
    "partialFingerprints": (dict, False),
    "suppressions": ([_SUPPRESSION], False),
}
_NOTIFICATION = {"level": (_LEVELS, False), "message": (_MESSAGE, True)}
_DRIVER = {
    "name": (str, True),
    "version": (str, False),
    "semanticVersion": (str, False),
    "rules": ([_RULE], False),
}
_RUN = {
    "tool": ({"driver": (_DRIVER, True)}, True),
    "invocations": (
        [{"executionSuccessful": (bool, True), "toolExecutionNotifications": ([_NOTIFICATION], False)}],
        False,
    ),
    "originalUriBaseIds": (dict, False),
    "columnKind": ({"utf16CodeUnits", "unicodeCodePoints"}, False),
    "results": ([_RESULT], False),
}
_LOG = {"$schema": (str, False), "version": ({"2.1.0"}, True), "runs": ([_RUN], True)}


def faults(log: object) -> Iterator[str]:
    yield from _misfits(log, _LOG, "$")
    for run in log["runs"] if isinstance(log, dict) else ():
        rules = run["tool"]["driver"].get("rules", [])
        for number, result in enumerate(run.get("results", [])):
            yield from _wrong_result(result, rules, f"$.runs.results[{number}]")


def _wrong_result(result: Mapping[str, object], rules: list[Mapping[str, object]], at: str) -> Iterator[str]:
    index = result.get("ruleIndex")
    if not (isinstance(index, int) and index < len(rules) and rules[index]["id"] == result.get("ruleId")):
        yield f"{at}: ruleIndex is not that of {result.get('ruleId')}"
    for location in result.get("locations", []):  # type: ignore[attr-defined]
        region = location["physicalLocation"].get("region", {"startLine": 1})
        if region["startLine"] < 1 or region.get("startColumn", 1) < 1:
            yield f"{at}: lines and columns count from 1"
        if region.get("endColumn", 2) < region.get("startColumn", 1):
            yield f"{at}: the region ends before it begins"


def _misfits(value: object, shape: object, at: str) -> Iterator[str]:
    if isinstance(shape, list):
        if not isinstance(value, list):
            yield f"{at} is no list"
        else:
            for number, each in enumerate(value):
                yield from _misfits(each, shape[0], f"{at}[{number}]")
    elif isinstance(shape, set):
        if value not in shape:
            yield f"{at} is {value!r}"
    elif isinstance(shape, type):
        if not isinstance(value, shape) or (shape is int and isinstance(value, bool)):
            yield f"{at} is no {shape.__name__}"
    elif not isinstance(value, dict):
        yield f"{at} is no object"
    else:
        yield from _wrong_properties(value, shape, at)


def _wrong_properties(value: Mapping[str, object], shape: object, at: str) -> Iterator[str]:
    assert isinstance(shape, dict)
    missing = [name for name, (_, must) in shape.items() if must and name not in value]
    yield from (f"{at}: {name} is missing" for name in missing)
    for name, inner in value.items():
        if name not in shape:
            yield f"{at}: {name} is unknown"
        else:
            yield from _misfits(inner, shape[name][0], f"{at}.{name}")

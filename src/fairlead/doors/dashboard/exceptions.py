"""A person's exception for exactly the command that a recorded call was about."""

from __future__ import annotations

import time
from collections.abc import Mapping

from starlette.requests import Request

from fairlead.doors.dashboard.sources import Sources
from fairlead.errors import UsageError
from fairlead.policy.answers.grants import Grant, Grants

WHILE, PROJECT = "while", "project"
_HOUR = 3600.0
_STOPPED = ("block", "ask", "halt")


def lengths_for(record: Mapping[str, object]) -> list[str]:
    """How long an exception could hold; nothing where the words of one command are not all of it."""
    return [WHILE, PROJECT] if _planned(record) else []


def except_call(sources: Sources, request: Request, given: Mapping[str, object]) -> object:
    """For an hour (`while`), or for good in this project. `fairlead allow` makes larger ones."""
    length = given.get("for")
    with sources.reader() as reader:
        record = reader.record(request.path_params["id"])
    planned = _planned(record) if record else None
    if planned is None or length not in (WHILE, PROJECT):
        raise UsageError("no exception can be made of this call here", hint="fairlead allow RULE --in PATH")
    now = time.time()
    until = now + _HOUR if length == WHILE else 0.0
    made = Grants(sources.places).give_planned(planned.replace(until=until), now=now)
    return {"id": made.id, "rule": made.rule, "command": made.command, "until": made.until}


def _planned(record: Mapping[str, object]) -> Grant | None:
    verdict = _mapping(record.get("verdict"))
    root, rule = str(record.get("root") or ""), str(verdict.get("rule") or "")
    if verdict.get("decision") not in _STOPPED or not rule or not root or record.get("redacted"):
        return None
    outcomes = record.get("outcomes")
    for outcome in map(_mapping, outcomes if isinstance(outcomes, list) else ()):
        exact = _mapping(_mapping(outcome.get("metrics")).get("exact"))
        if outcome.get("rule") == rule and exact.get("command") and exact.get("cwd"):
            command, cwd = str(exact["command"]), str(exact["cwd"])
            return Grant("", rule, root, agent=str(record.get("agent") or ""), command=command, cwd=cwd)
    return None


def _mapping(value: object) -> Mapping[str, object]:
    return value if isinstance(value, Mapping) else {}

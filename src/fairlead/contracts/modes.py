"""Modes of a script as a contract: what `dry`, `ok`, `error`, `skip`, `timeout` and `test` do to the caller.

A hook script reads the mode that was asked for and prints it as `contract:mode=...`; its own exports could
reach neither the caller nor the next script.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from fairlead.model.value import Value

TIMED_OUT = 124


class Flow(Value):
    """What the caller is to do next. `result` is a word for the mode, so that skip is not ok."""

    terminate: bool = False
    exit_code: int = 0
    route: str = ""
    timeout: float | None = None
    result: str = ""


class ModeChange(Value):
    variables: Mapping[str, str]
    flow: Flow


def mode_for(script: str, environment: Mapping[str, str]) -> str:
    """The mode that someone asked for, for this script or for all, as a contract spells it; else empty."""
    name = re.sub(r"[^A-Za-z0-9_]", "_", script)
    for key in (
        f"CI_SCRIPT_MODE_{name}",
        f"HOOKS_FLOW_MODE_{name}",
        "CI_SCRIPT_MODE",
        "HOOKS_FLOW_MODE",
    ):
        if environment.get(key):
            return _as_contract(environment[key], environment)
    return ""


def _as_contract(asked: str, environment: Mapping[str, str]) -> str:
    word, _, argument = asked.partition(":")
    if "/" in asked and word.upper() != "TEST":
        return f"test:{asked}"
    if word.upper() == "EXEC":
        return ""
    if word.upper() == "ERROR" and not argument:
        code = environment.get("CI_SCRIPT_ERROR_CODE") or environment.get("HOOKS_FLOW_ERROR_CODE") or "1"
        return f"error:{code}"
    return f"{word.lower()}:{argument}" if argument else word.lower()


def change_to(mode: str) -> ModeChange | str:
    """What a mode does, or why it is none."""
    word, _, argument = mode.partition(":")
    if word in ("dry", "ok", "skip"):
        return _PLAIN[word] if not argument else f"the mode {word!r} takes no argument"
    if word == "error":
        code = argument or "1"
        if not re.fullmatch(r"\d{1,3}", code) or not 0 < int(code) < 256:
            return f"{code!r} is not the exit code of an error (1 to 255)"
        return _ends("error", int(code))
    if word == "timeout":
        seconds = argument or "0"
        if not re.fullmatch(r"\d+(\.\d+)?", seconds) or not float(seconds):
            return f"{argument!r} is not a number of seconds: write timeout:SECONDS"
        variables = {"CI_MODE": "TIMEOUT", "CI_MODE_TIMEOUT": seconds}
        return ModeChange(variables, Flow(timeout=float(seconds), result="timeout"))
    if word == "test":
        if not argument:
            return "the file is missing: write test:FILE"
        variables = {"CI_MODE": "TEST", "__CI_MODE_TERMINATE": "true"}
        return ModeChange(variables, Flow(True, route=argument, result="test"))
    return f"{word!r} is not a mode; known: dry, ok, error, skip, timeout, test"


def _ends(word: str, code: int) -> ModeChange:
    variables = {"CI_MODE": word.upper(), "__CI_MODE_TERMINATE": "true", "__CI_MODE_EXIT": str(code)}
    return ModeChange(variables, Flow(True, code, result=word))


_PLAIN = {
    "dry": ModeChange({"CI_MODE": "DRY", "DRY_RUN": "true"}, Flow(result="dry")),
    "ok": _ends("ok", 0),
    "skip": _ends("skip", 0),
}

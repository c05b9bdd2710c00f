"""Modes of a script as a contract: what `dry`, `ok`, `error`, `skip`, `timeout` and `test` do to the caller.

A hook script reads the mode that was asked for and prints it as `contract:mode=...`; its own exports could
reach neither the caller nor the next script.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from fairlead.contracts.grammar import EXIT_CODE, MODES, SECONDS
from fairlead.model.value import Value


class Flow(Value):
    """What the caller is to do next. `result` is a word for the mode, so that skip is not ok."""

    terminate: bool = False
    exit_code: int | None = None
    """What to end with; None: nobody named a code."""

    route: str = ""
    timeout: float | None = None
    result: str = ""

    def then(self, later: Flow) -> Flow:
        """Both requests: the later one adds to the earlier, and takes nothing of it back."""
        return Flow(
            terminate=self.terminate or later.terminate,
            exit_code=self.exit_code if later.exit_code is None else later.exit_code,
            route=later.route or self.route,
            timeout=self.timeout if later.timeout is None else later.timeout,
            result=later.result or self.result,
        )


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
    word, _, given = mode.partition(":")
    if word not in MODES:
        return f"{word!r} is not a mode; known: {', '.join(MODES)}"
    kind, default, ends, sets = MODES[word]
    argument = given or default
    wrong = _WRONG[kind](word, argument)
    if wrong:
        return wrong
    if kind == "code":
        argument = str(int(argument))
    variables = {"CI_MODE": word.upper(), **{name: text.format(argument) for name, text in sets.items()}}
    return ModeChange(variables, _FLOWS[kind](argument).replace(terminate=ends, result=word))


def is_code(text: str) -> bool:
    return re.fullmatch(EXIT_CODE, text) is not None and int(text) < 256


def _wrong_if_any(word: str, text: str) -> str:
    return f"the mode {word!r} takes no argument" if text else ""


def _wrong_code(word: str, text: str) -> str:
    return "" if is_code(text) and int(text) else f"{text!r} is not the exit code of an error (1 to 255)"


def _wrong_seconds(word: str, text: str) -> str:
    good = re.fullmatch(SECONDS, text) and float(text)
    return "" if good else f"{text!r} is not a number of seconds: write {word}:SECONDS"


_FLOWS: Mapping[str, Callable[[str], Flow]] = {
    "": lambda _: Flow(),
    "zero": lambda _: Flow(exit_code=0),
    "code": lambda text: Flow(exit_code=int(text)),
    "seconds": lambda text: Flow(timeout=float(text)),
    "file": lambda text: Flow(route=text),
}
_WRONG: Mapping[str, Callable[[str, str], str]] = {
    "": _wrong_if_any,
    "zero": _wrong_if_any,
    "code": _wrong_code,
    "seconds": _wrong_seconds,
    "file": lambda word, text: "" if text else f"the file is missing: write {word}:FILE",
}

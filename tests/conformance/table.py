"""One table of behaviour for the three doors of scripts: bash, Python and `fairlead run`.

Each `[[row]]` of a TOML file here is one case. What there is:

    says         the behaviour, as a sentence; a row's name
    seed         the example of a design document that it is, if it is one
    declare      names of hooks                                                  ["h"]
    files        executables of the hooks directory: name = what follows `#!/usr/bin/env bash`
    raw          the same with their first line, whatever that is
    plain        files of the folder in which the caller runs, not executable
    function     what the hook's own function does: "1: words" on stdout, "2: words" on stderr, "return 3"
    registered   name = the same, for functions in the sequence
    contract     "hide" or "show": contract lines are obeyed, and shown or not
    middleware   a code that one returns, "missing", "reset", "dry or verbose", or a list of them
    options      fail_fast, exit_policy, required, timeout, grace, retries, allow
    environment  variables of the caller
    calls        hooks with their arguments, in their order                      [["h"]]
    then_cd      a folder to which the caller goes after the calls
    apply        whether the caller then does what was asked of it               false
    source       "sourced" scripts: bash alone can
    shell        what a caller in bash does before anything else, which is to change nothing

What is expected; what is left out is not compared:

    exit         the caller's code                                               0
    stdout       all of it
    stderr       pieces of it, or [] for nothing at all
    both         both streams as one, in their order
    timeline     what a middleware is given, as "1: words" and "2: words"
    sets         variables of the caller afterwards
    unset        names that are not set afterwards
    goes_on      whether the caller's work comes after `apply`

`{here}` in any text is the folder in which the caller runs. `without = {door = "why"}` names a door that
cannot do it by its nature; what follows from the row itself (functions cannot be given to a command) is
known here. `pending = ["door"]` is a row that a door does not do yet, and fails as soon as it does.
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

PLACE = Path(__file__).parent
DOORS = ("bash", "python", "run")
KEYS = {
    *("says", "seed", "declare", "files", "raw", "plain", "function", "registered", "contract", "middleware"),
    *(
        "options",
        "environment",
        "calls",
        "then_cd",
        "apply",
        "source",
        "shell",
        "exit",
        "stdout",
        "stderr",
        "both",
    ),
    *("timeline", "sets", "unset", "goes_on", "without", "pending"),
}

Row = dict[str, Any]


def rows() -> list[Row]:
    found: list[Row] = []
    for path in sorted(PLACE.glob("*.toml")):
        for row in tomllib.loads(path.read_text())["row"]:
            unknown = set(row) - KEYS
            assert not unknown, f"{path.name}: {row.get('says')}: unknown keys {unknown}"
            found.append({"declare": ["h"], "calls": [["h"]], **row})
    return found


def why_not(row: Row, door: str) -> str:
    """Why a door cannot do this; empty if it can."""
    given: str = row.get("without", {}).get(door, "")
    if given:
        return given
    if door == "run" and {"function", "registered", "middleware"} & set(row):
        return "a command runs files: it is given no functions"
    if door != "bash" and "source" in row:
        return "only a shell can source a script"
    return ""


def placed(value: Any, here: Path) -> Any:
    """The same with the folder in place of `{here}`."""
    if isinstance(value, str):
        return value.replace("{here}", str(here))
    if isinstance(value, list):
        return [placed(each, here) for each in value]
    if isinstance(value, dict):
        return {name: placed(each, here) for name, each in value.items()}
    return value


def watched(row: Row) -> list[str]:
    """The variables that the row says something about."""
    return [*row.get("sets", {}), *row.get("unset", [])]

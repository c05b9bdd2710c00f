"""A script in Python that does the row in `row.json` of the current folder."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

from fairlead import ScriptHooks
from fairlead.errors import FairleadError
from fairlead.model.timeline import Stream


def function(does):
    def run(*args):
        for each in does:
            if each.startswith("return "):
                return int(each.removeprefix("return "))
            print(each[3:], file=sys.stdout if each[0] == "1" else sys.stderr)
        return 0

    return run


def dry_or_verbose(hooks):
    def read(hook, exit_code, timeline, args):
        for line in timeline.lines:
            if line.stream is Stream.STDOUT and line.data == b"contract:mode=dry":
                hooks.variables["DRY_RUN"] = "true"
            elif line.stream is Stream.STDOUT and line.data == b"contract:mode=verbose":
                hooks.variables["LEVEL"] = "*"
            else:
                hooks.console.write(line.stream, line.data + b"\n")

    return read


def printing(hook, exit_code, timeline, args):
    for line in timeline.rendered():
        print(line, flush=True)


def prepare(row):
    options = dict(row.get("options", {}))
    allow = options.pop("allow", None)
    hooks = ScriptHooks(str(Path("ci-cd").absolute()), **options)
    hooks.declare(*row["declare"])
    if "function" in row:
        hooks.function("h", function(row["function"]))
    for name, does in row.get("registered", {}).items():
        hooks.register("h", name, function(does))
    if "contract" in row:
        for hook in row["declare"]:
            hooks.contract(hook, allow=allow, show=row["contract"] == "show")
    if "timeline" in row:
        hooks.middleware("h", printing)
    given = row.get("middleware", [])
    for each in given if isinstance(given, list) else [given]:
        known = {"missing": "nonexistent", "reset": None, "dry or verbose": dry_or_verbose(hooks)}
        hooks.middleware("h", (lambda *_, code=each: code) if isinstance(each, int) else known[each])
    return hooks


def note(hooks, names):
    known = {**hooks.environment(), **hooks.variables}
    pairs = [f"{name}={known[name]}\0" for name in names if name in known]
    Path("variables").write_bytes("".join(pairs).encode("utf-8", "surrogateescape"))


def main():
    row = json.loads(Path("row.json").read_text())
    here = Path.cwd()
    code = 0
    try:
        hooks = prepare(row)
        for hook, *args in row["calls"]:
            code = hooks.do(hook, *args).exit_code
            if code and row.get("apply"):
                sys.exit(code)
        note(hooks, [*row.get("sets", {}), *row.get("unset", [])])
        if "then_cd" in row:
            os.chdir(row["then_cd"])
        if row.get("apply"):
            hooks.apply()
    except FairleadError as error:
        sys.exit(f"{error}")
    (here / "went-on").touch()
    sys.exit(code)


if __name__ == "__main__":
    main()

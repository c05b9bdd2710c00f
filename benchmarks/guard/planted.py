"""Dangerous lines in the middle of an ordinary script: `python -m benchmarks.guard.planted [--every N]`.

Each line of the corpus that is stopped when a call runs it is put into a script, in every place where one
can hold it, and the call runs the script. The table says in how many it is still found; `--list` names the
others. Nothing is run.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Mapping
from shlex import quote
from types import MappingProxyType

from benchmarks.guard.git_answers import EveryFile
from benchmarks.guard.lines import HOME, PROJECT, VISIBLE, Line, read_folder
from fairlead.model.installation import NOWHERE
from fairlead.packs.judging.call_effects import surroundings
from fairlead.packs.judging.guard_settings import read_settings
from fairlead.packs.judging.judge import find_matches
from fairlead.packs.names.hiding import with_hidden_names
from fairlead.packs.repository.states import UNTRACKED
from fairlead.packs.rule import Scene
from fairlead.shell.effects.script_effects import effects_of
from fairlead.shell.places.surroundings import Surroundings
from fairlead.shell.reader import read_script

SCRIPT = """#!/usr/bin/env bash
# Build the project and say how it went.
set -euo pipefail

SCRIPT_DIR="$(cd "$(dirname "${{BASH_SOURCE[0]}}")" && pwd)"
ROOT="$(dirname "$SCRIPT_DIR")"
VERBOSE=0
TARGET=""

log() {{ printf '%s %s\\n' "$(date +%H:%M:%S)" "$*" >&2; }}
die() {{ log "error: $*"; exit 1; }}

usage() {{
  cat <<EOF
Usage: $(basename "$0") [-v] [-t TARGET] [FILE...]
EOF
}}

while [ $# -gt 0 ]; do
  case "$1" in
    -v|--verbose) VERBOSE=1; shift ;;
    -t|--target) TARGET="${{2:?}}"; shift 2 ;;
    -h|--help) usage; exit 0 ;;
    *) break ;;
  esac
done

command -v python3 >/dev/null || die "python3 is missing"
[ -n "$TARGET" ] || TARGET=all
{before}
build() {{
  local name="$1"
  log "building $name"
  for file in "$ROOT"/src/*.py; do
    python3 -m compileall -q "$file"
  done
}}

build "$TARGET"
{middle}
if [ "$VERBOSE" = 1 ]; then
  log "done with $TARGET"
fi
{after}
"""


def _script(before: str = "", middle: str = "", after: str = "") -> Mapping[str, str]:
    return MappingProxyType({"scripts/build.sh": SCRIPT.format(before=before, middle=middle, after=after)})


def _sourced(line: str) -> Mapping[str, str]:
    return {
        **_script(before='. "$SCRIPT_DIR/lib/common.sh"'),
        "scripts/lib/common.sh": f"# helpers\n\n{line}\n",
    }


def _run(line: str) -> Mapping[str, str]:
    return {**_script(middle='"$SCRIPT_DIR"/step.sh "$TARGET"'), "scripts/step.sh": f"#!/bin/bash\n{line}\n"}


PLACES: Mapping[str, Callable[[str], Mapping[str, str]]] = MappingProxyType(
    {
        "after set -e": lambda line: _script(before=line),
        "in a function": lambda line: _script(before=f"work() {{\n{line}\n}}", middle="work"),
        "in a function called last": lambda line: _script(
            before=f"main() {{\nlog start\n{line}\n}}", after='main "$@"'
        ),
        "in a loop": lambda line: _script(middle=f"for n in 1 2 3; do\n{line}\ndone"),
        "in a while loop": lambda line: _script(
            middle=f'while [ "$n" -lt 3 ]; do\n{line}\nn=$((n + 1))\ndone'
        ),
        "in a branch": lambda line: _script(middle=f'if [ -f "$TARGET" ]; then\n{line}\nelse\nlog no\nfi'),
        "in the other branch": lambda line: _script(middle=f"if true; then\nlog yes\nelse\n{line}\nfi"),
        "in a case": lambda line: _script(
            middle=f'case "$TARGET" in\nall)\n{line}\n;;\n*) log other ;;\nesac'
        ),
        "in a trap": lambda line: _script(before=f"trap {quote(line)} EXIT"),
        "in a subshell": lambda line: _script(middle=f"(\n{line}\n)"),
        "at the end": lambda line: _script(after=line),
        "in a sourced file": _sourced,
        "in a script that it runs": _run,
    }
)


def stops(call: str, files: Mapping[str, str], where: Surroundings) -> bool:
    """Whether any rule minds the call, when all that it runs is judged in full."""
    content = {f"{PROJECT}/{path}": text for path, text in files.items()}
    environment = {"HOME": HOME, "PWD": PROJECT, "TMPDIR": "/tmp"}
    script = read_script(call, cwd=PROJECT, home=HOME, environment=environment, files=content.get)
    effects = with_hidden_names(tuple(effects_of(script, where)), script, where)
    settings = read_settings({})
    packs = tuple(dict.fromkeys((*settings.dangers, *settings.guarding)))
    scene = Scene(script, where, EveryFile(UNTRACKED), settings.level)
    return next(find_matches(effects, packs, scene), None) is not None


def missed(line: Line, where: Surroundings) -> Iterator[str]:
    """The places in which the line is not found."""
    for place, plant in PLACES.items():
        if not stops("bash scripts/build.sh", plant(line.command), where):
            yield place


def candidates(every: int, where: Surroundings) -> list[Line]:
    """Lines for a shell that are stopped in a call, run from the project."""
    lines = [line for line in read_folder(VISIBLE) if line.dangerous and line.tool == "Bash" and not line.cwd]
    return [line for line in lines[::every] if stops(line.command, {}, where)]


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--every", type=int, default=1)
    arguments.add_argument("--list", action="store_true")
    told = arguments.parse_args()
    where = surroundings(PROJECT, HOME, NOWHERE)
    assert not stops("bash scripts/build.sh", _script(), where), "the script itself is harmless"
    lines = candidates(told.every, where)
    left = dict.fromkeys(PLACES, 0)
    for line in lines:
        for place in missed(line, where):
            left[place] += 1
            if told.list:
                print(f"{place}\t{line.id}\t{line.command!r}")
    print(f"{len(lines)} lines that are stopped in a call")
    for place, count in left.items():
        print(f"  {place:28}{len(lines) - count:6} found {1 - count / len(lines):8.2%}")


if __name__ == "__main__":
    sys.exit(main())

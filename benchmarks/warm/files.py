"""A project in which one command runs ten files, for what it costs to look into them."""

from __future__ import annotations

import json
import os
import subprocess
import time
from pathlib import Path
from statistics import median

from benchmarks.warm.place import Place
from benchmarks.warm.processes import quantile
from fairlead.dialects.payloads.caller_detection import dialect_for
from fairlead.doors.daemon.process import warm_up
from fairlead.doors.hook.systems import Systems

COMMAND = "make release"
_FILES = 10
_ROUNDS = 200
_SETTLED = 3.0
"""Seconds after which a file is old enough to be remembered."""
_STEP = """#!/usr/bin/env bash
# Step {number} of a release: builds one part and checks it.
set -euo pipefail
cd "$(dirname "$0")/.."
part="part-{number}"
out="build/$part"
log() {{
  echo "[$part] $*" >&2
}}
if [ ! -d "$out" ]; then
  mkdir -p "$out"
fi
for source in src/"$part"/*.c; do
  log "compiling $source"
  cc -O2 -Wall -c "$source" -o "$out/$(basename "$source" .c).o"
done
if git diff --quiet HEAD -- "src/$part"; then
  log "unchanged since the last commit"
else
  log "changed"
fi
tar -czf "$out.tar.gz" -C build "$part"
sha256sum "$out.tar.gz" > "$out.sha256"
rm -rf "$out/tmp"
case "${{1:-}}" in
  --verbose) ls -l "$out" ;;
  *) log "done" ;;
esac
{last}
"""


def lay(folder: Path) -> Path:
    """A makefile and nine scripts, committed long enough ago."""
    scripts = folder / "scripts"
    scripts.mkdir(parents=True)
    steps = _FILES - 1
    for number in range(1, steps + 1):
        last = f"source scripts/step-{number + 1}.sh" if number < steps else "npm publish"
        path = scripts / f"step-{number}.sh"
        path.write_text(_STEP.format(number=number, last=last))
        path.chmod(0o755)
    (folder / "Makefile").write_text(".PHONY: release\nrelease:\n\tscripts/step-1.sh --verbose\n")
    who = ("-c", "user.name=Bench", "-c", "user.email=bench@example.com", "-c", "commit.gpgsign=false")
    for words in (("init", "-q"), ("add", "-A"), (*who, "commit", "-q", "-m", "Release in ten files")):
        subprocess.run(["git", "-C", str(folder), *words], check=True)
    time.sleep(_SETTLED)
    return folder


class FilesProject:
    """The project, its payload on the disk, and the environment of its hook."""

    def __init__(self, place: Place) -> None:
        self.place = place
        self.folder = lay(place.folder / "ten-files")
        path = place.folder / "ten-files.json"
        path.write_bytes(self.payload(0))
        self.file = str(path)

    def payload(self, number: int, command: str = COMMAND) -> bytes:
        payload = json.loads(self.place.payload(command, number))
        return json.dumps(payload | {"cwd": str(self.folder)}).encode()

    def environment(self) -> dict[str, str]:
        return {**os.environ, "CLAUDE_PROJECT_DIR": str(self.folder), "CLAUDECODE": "1"}


def file_decisions(project: FilesProject) -> dict[str, float]:
    """In processor time: with the files known from the call before, and with all of them read anew."""
    systems = Systems(project.place.places, lasting=True)
    warm_up(systems)
    known = [_cost(systems, project, number, COMMAND) for number in range(_ROUNDS)][1:]
    anew = [_cost(systems, project, number, f"{COMMAND} ROUND={number}") for number in range(_ROUNDS)]
    systems.close()
    return {
        "known_median_ms": round(median(known), 3),
        "known_p99_ms": round(quantile(known, 0.99), 3),
        "anew_median_ms": round(median(anew), 3),
        "anew_p99_ms": round(quantile(anew, 0.99), 3),
        "files": _FILES,
    }


def _cost(systems: Systems, project: FilesProject, number: int, command: str) -> float:
    payload, root = project.payload(number, command), str(project.folder)
    event = dialect_for("claude", payload, {}).decode(payload, native_event="PreToolUse", environment={})
    compiled = systems.compiled(root, "claude")
    event = event.replace(root=root)
    started = time.thread_time()
    compiled.fire(event)
    return (time.thread_time() - started) * 1000

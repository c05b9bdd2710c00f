"""The source archive and the wheels: one for each system that the client is compiled for, and a pure one."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from shipping import ROOT

sys.path.insert(0, str(ROOT / "native"))
try:
    from targets import PURE, TARGETS
finally:
    sys.path.pop(0)

WHEELS = (*TARGETS, PURE)


def make_source_archive(into: Path, root: Path = ROOT) -> None:
    _build(root, into, "sdist")


def make_wheels(into: Path, root: Path = ROOT) -> None:
    for name in WHEELS:
        _build(root, into, "wheel", FAIRLEAD_TARGET=name)


def _build(root: Path, into: Path, kind: str, **variables: str) -> None:
    """By the build backend itself, which is here already: nothing is fetched."""
    command = [sys.executable, "-m", "hatchling", "build", "--target", kind, "--directory", str(into)]
    environment = {**os.environ, **variables}
    done = subprocess.run(command, cwd=root, env=environment, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise SystemExit(f"{kind} {' '.join(variables.values())} cannot be built:\n{done.stderr}")

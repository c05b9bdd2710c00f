"""Adds `fairlead-hook` to the wheel: a native program where there is a compiler, else a Python script.

On Linux also `fairlead-recorder`, which hooks of bash scripts start. FAIRLEAD_TARGET makes a wheel for one of
native/targets.py, or `pure`.
"""

from __future__ import annotations

import os
import sys
import sysconfig
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class ClientBuildHook(BuildHookInterface):
    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        sys.path.insert(0, str(Path(self.root) / "native"))
        try:
            from targets import PURE, TARGETS

            import build
        finally:
            sys.path.pop(0)
        wanted = os.environ.get("FAIRLEAD_TARGET", "")
        directory = Path(self.root) / "build" / (wanted or "client")
        tag = ""
        if wanted == PURE:
            programs = [build.build_pure(directory)]
        elif wanted and wanted not in TARGETS:
            raise SystemExit(f"FAIRLEAD_TARGET={wanted}: it is one of {', '.join((*TARGETS, PURE))}")
        elif wanted:
            programs, tag = build.build_for(directory, TARGETS[wanted]), TARGETS[wanted].wheel_tag
        else:
            programs, native = build.build_here(directory)
            tag = f"py3-none-{_own_platform()}" if native else ""
        for program in programs:
            build_data["shared_scripts"][str(program)] = program.name
        if tag:
            build_data["pure_python"] = False
            build_data["tag"] = tag


def _own_platform() -> str:
    """A program for this platform that works with any Python."""
    return sysconfig.get_platform().replace("-", "_").replace(".", "_")

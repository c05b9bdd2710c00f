"""Adds `fairlead-hook` to the wheel: a native program where there is a compiler, else a Python script.

With a compiler also `fairlead-recorder`, which hooks of bash scripts start.
"""

from __future__ import annotations

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
            from build import build, build_recorder
        finally:
            sys.path.pop(0)
        client, native = build(Path(self.root) / "build" / "client")
        build_data["shared_scripts"][str(client)] = client.name
        recorder = build_recorder(client.parent) if native else None
        if recorder is not None:
            build_data["shared_scripts"][str(recorder)] = recorder.name
        if native:
            # A program for this platform that works with any Python.
            build_data["pure_python"] = False
            build_data["tag"] = f"py3-none-{sysconfig.get_platform().replace('-', '_').replace('.', '_')}"

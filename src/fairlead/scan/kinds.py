"""Which files a scan reads, what is in them, and where that runs."""

from __future__ import annotations

from collections.abc import Callable

from fairlead.model.value import Value
from fairlead.packs.judging.pack_table import PACKS
from fairlead.scan.dockerfiles import dockerfile_units, is_dockerfile
from fairlead.scan.pipelines import is_pipeline_file, pipeline_units
from fairlead.scan.runners import is_runner_file, runner_units
from fairlead.scan.shell_scripts import is_shell_script, script_units
from fairlead.scan.unit import Units

_LEAKS = ("network-code", "exfiltration", "secrets")
"""What matters also where the machine is thrown away afterwards."""


class Kind(Value):
    """`is_pipeline`: machines run it by themselves, with the project's secrets at hand."""

    name: str
    units: Units
    packs: tuple[str, ...] = tuple(PACKS)
    is_pipeline: bool = False


SCRIPT = Kind("shell script", script_units)
RUNNER = Kind("task file", runner_units)
DOCKERFILE = Kind("Dockerfile", dockerfile_units, _LEAKS)
PIPELINE = Kind("pipeline", pipeline_units, _LEAKS, is_pipeline=True)


def kind_of(path: str, head: Callable[[], str]) -> Kind | None:
    """By the path from the root; its first characters are asked for where that says nothing."""
    name = path.rpartition("/")[2]
    if is_pipeline_file(path):
        return PIPELINE
    if is_runner_file(name):
        return RUNNER
    if is_dockerfile(name):
        return DOCKERFILE
    needs_head = "." not in name
    return SCRIPT if is_shell_script(path, head() if needs_head else "") else None

"""`fairlead run`: the implementations of a script's hook, from any shell or CI step."""

from __future__ import annotations

import os
import shlex
from collections.abc import Mapping, Sequence
from typing import Any

import click

from fairlead.contracts.modes import Flow
from fairlead.doors.cli.output import show_json
from fairlead.doors.scripts.console import Console
from fairlead.doors.scripts.running import Ran
from fairlead.doors.scripts.script_hooks import EXIT_POLICIES, HookRun, ScriptHooks
from fairlead.errors import FairleadError
from fairlead.model.timeline import Line, Stream


@click.command(name="run", context_settings={"ignore_unknown_options": False})
@click.argument("hook")
@click.argument("args", nargs=-1, type=click.UNPROCESSED)
@click.option("--dir", "directory", metavar="DIR", help="Where they are.  [default: ci-cd]")
@click.option("--declare", "others", metavar="NAME", multiple=True, help="Another hook of the same folder.")
@click.option("--contract", is_flag=True, help="Obey contract lines.")
@click.option("--export", "export", metavar="FILE", help="Write what contracts set, to be sourced.")
@click.option("--allow", metavar="NAME", multiple=True, help="Only these variables; +NAME: these too.")
@click.option("--timeout", type=click.FloatRange(min=0, min_open=True), help="Seconds per implementation.")
@click.option(
    "--grace", type=click.FloatRange(min=0), default=2.0, show_default=True, help="From TERM to KILL."
)
@click.option("--retries", type=click.IntRange(min=0), default=0, help="Tries after a failed one.")
@click.option("--fail-fast", is_flag=True, help="Stop at the first failure.")
@click.option("--required", is_flag=True, help="Fail if nothing implements the hook.")
@click.option("--exit-policy", type=click.Choice(EXIT_POLICIES), default="last", show_default=True)
@click.option("--json", "as_json", is_flag=True, help="Print what happened as JSON instead of the output.")
def command(
    *,
    hook: str,
    args: tuple[str, ...],
    directory: str | None,
    others: tuple[str, ...],
    contract: bool,
    export: str | None,
    allow: tuple[str, ...],
    as_json: bool,
    **options: Any,
) -> int:
    """Run what implements HOOK in DIR, in order, with ARGS. The exit code is the hook's.

    \b
    Examples:
      fairlead run begin -- compile
      fairlead run deploy --dir hooks --timeout 60 --fail-fast -- production
      fairlead run begin --export vars.sh -- compile && . ./vars.sh
    """
    console = _Silent() if as_json else Console()
    folder = os.path.abspath(directory or "ci-cd")
    if directory and not os.path.isdir(folder):
        console.warn(f"there is no folder {folder}, so nothing implements {hook!r}")
    hooks = ScriptHooks(folder, console=console, **options)
    hooks.declare(hook, *others)
    if contract or export:
        hooks.contract(hook, allow=allow or None)
    run = hooks.do(hook, *args)
    if export:
        write_exports(export, run.variables, run.flow)
    if as_json:
        show_json(run_json(run, console.warnings if isinstance(console, _Silent) else []))
    return run.exit_code


class _Silent(Console):
    """Keeps what would be said."""

    def __init__(self) -> None:
        self.warnings: list[str] = []

    def write(self, stream: Stream, data: bytes) -> None:
        pass

    def warn(self, message: str) -> None:
        self.warnings.append(message)


def write_exports(path: str, variables: Mapping[str, str], flow: Flow) -> None:
    """`export NAME='value'` for each variable, and what the caller was asked to do."""
    asked = {
        "__HOOKS_FLOW_TERMINATE": "true" if flow.terminate else "",
        "__HOOKS_FLOW_EXIT_CODE": str(flow.exit_code) if flow.terminate else "",
        "__HOOKS_FLOW_ROUTE": flow.route,
    }
    lines = [f"export {name}={shlex.quote(value)}\n" for name, value in {**variables, **asked}.items()]
    try:
        with open(path, "w", opener=lambda name, flags: os.open(name, flags, 0o600)) as file:
            file.writelines(lines)
    except OSError as error:
        raise FairleadError(f"{path} cannot be written: {error.strerror}") from error


def run_json(run: HookRun, warnings: Sequence[str]) -> dict[str, object]:
    return {
        "hook": run.hook,
        "exit_code": run.exit_code,
        "ran": [_ran_json(ran) for ran in run.ran],
        "skipped": [{"path": each.path, "why": each.why} for each in run.skipped],
        "variables": dict(run.variables),
        "flow": {
            "terminate": run.flow.terminate,
            "exit_code": run.flow.exit_code,
            "route": run.flow.route,
            "timeout": run.flow.timeout,
            "result": run.flow.result,
        },
        "warnings": list(warnings),
    }


def _ran_json(ran: Ran) -> dict[str, object]:
    return {
        "name": ran.name,
        "kind": ran.kind,
        "exit_code": ran.exit_code,
        "signal": ran.signal,
        "timed_out": ran.timed_out,
        "tries": ran.tries,
        "seconds": round(ran.seconds, 6),
        "exact": ran.timeline.exact,
        "truncated": ran.timeline.truncated,
        "timeline": [_line_json(line) for line in ran.timeline.lines],
    }


def _line_json(line: Line) -> dict[str, object]:
    """The text is a view; where it is not the bytes, they are there as hexadecimal digits."""
    shown: dict[str, object] = {
        "stream": int(line.stream),
        "seconds": round(line.seconds, 6),
        "text": line.text,
    }
    if line.text.encode() != line.data:
        shown["bytes"] = line.data.hex()
    if not line.ended:
        shown["ended"] = False
    return shown

"""`fairlead run`: the implementations of a script's hook, from any shell or CI step."""

from __future__ import annotations

import os
from typing import Any

import click

from fairlead.doors.cli.given.one_of import OneOf
from fairlead.doors.cli.output import show_json
from fairlead.doors.scripts.ci.step import Step
from fairlead.doors.scripts.options import EXIT_POLICIES
from fairlead.errors import FairleadError, RegistrationError, UsageError


@click.command(name="run", context_settings={"ignore_unknown_options": False})
@click.argument("hook")
@click.argument("args", nargs=-1, type=click.UNPROCESSED)
@click.option(
    "--dir",
    "directory",
    type=click.Path(file_okay=False),
    metavar="DIR",
    envvar="HOOKS_DIR",
    help="Where they are.  [default: $HOOKS_DIR, or ci-cd]",
)
@click.option("--declare", "others", metavar="NAME", multiple=True, help="Another hook of the same folder.")
@click.option("--contract", is_flag=True, help="Obey contract lines.")
@click.option("--export", "export", metavar="FILE", help="Write what contracts set, to be sourced.")
@click.option("--show-contract", is_flag=True, help="Obey contract lines, and show them like all others.")
@click.option(
    "--apply", is_flag=True, help="End as a hook asks: with its code, or after the file it routes to."
)
@click.option(
    "--stop-code",
    type=click.IntRange(0, 255),
    default=0,
    show_default=True,
    help="With --apply: what to end with where a hook asks to end well (ok, skip, exit:0).",
)
@click.option("--github", is_flag=True, help="For GitHub Actions: groups, masks, variables, summary.")
@click.option("--gitlab", is_flag=True, help="For GitLab CI: sections, and variables as a dotenv report.")
@click.option("--dotenv", metavar="FILE", help="With --gitlab.  [default: fairlead.env]")
@click.option("--junit", metavar="FILE", help="Write a report as JUnit XML, without secrets.")
@click.option("--report", metavar="FILE", help="Write a report as JSON, without secrets.")
@click.option("--allow", metavar="NAME", multiple=True, help="Only these variables; +NAME: these too.")
@click.option("--timeout", type=click.FloatRange(min=0, min_open=True), help="Seconds per implementation.")
@click.option(
    "--grace", type=click.FloatRange(min=0), default=2.0, show_default=True, help="From TERM to KILL."
)
@click.option("--retries", type=click.IntRange(min=0), default=0, help="Tries after a failed one.")
@click.option("--fail-fast", is_flag=True, help="Stop at the first failure.")
@click.option("--required", is_flag=True, help="Fail if nothing implements the hook.")
@click.option("--exit-policy", type=OneOf("exit policy", EXIT_POLICIES), default="last", show_default=True)
@click.option("--json", "as_json", is_flag=True, help="Print what happened as JSON instead of the output.")
def command(*, hook: str, args: tuple[str, ...], directory: str | None, as_json: bool, **given: Any) -> int:
    """Run what implements HOOK in DIR, in order, with ARGS. The exit code is the hook's.

    \b
    Examples:
      fairlead run begin -- compile
      fairlead run deploy --dir hooks --timeout 60 --fail-fast -- production
      fairlead run begin --apply --export vars.sh -- compile; . ./vars.sh
    """
    system = _system(given.pop("github"), given.pop("gitlab"), as_json=as_json)
    _refuse_what_has_no_effect(system, given)
    try:
        step = Step(hook, _absolute(directory or "ci-cd"), system=system, silent=as_json, **given)
    except RegistrationError as error:
        raise UsageError(error.message, hint=error.hint) from error
    if directory and not os.path.isdir(step.folder):
        step.console.warn(f"there is no folder {step.folder}, so nothing implements {hook!r}")
    code = step.run(args)
    if as_json:
        show_json(step.json())
    return code


def _system(github: bool, gitlab: bool, *, as_json: bool) -> str:
    if github + gitlab + as_json > 1:
        raise click.UsageError(
            "--github, --gitlab and --json exclude one another; --report FILE goes with each"
        )
    return "github" if github else "gitlab" if gitlab else ""


def _refuse_what_has_no_effect(system: str, given: dict[str, Any]) -> None:
    if given["dotenv"] and system != "gitlab":
        raise click.UsageError("--dotenv goes with --gitlab; elsewhere use --export FILE")
    if given["stop_code"] and not given["apply"]:
        raise click.UsageError("--stop-code goes with --apply")
    given["dotenv"] = given["dotenv"] or "fairlead.env"


def _absolute(path: str) -> str:
    try:
        return os.path.abspath(path)
    except FileNotFoundError as error:
        raise FairleadError("the current folder is gone", hint="start this from one that is there") from error

"""GitHub Actions: groups, annotations, masks, variables and outputs for later steps, a summary.

What a hook prints is text there: between two lines with a token that only we know, the runner takes no
commands. What it sets goes into the files of the step under names that were checked, between delimiters
that it cannot know; hooks are not told where these files are, and what was written past us is taken out.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from secrets import token_hex

from fairlead.contracts.grammar import CALLERS_ALONE
from fairlead.doors.scripts.ci.github_summary import summary
from fairlead.doors.scripts.ci.log_console import LogConsole
from fairlead.doors.scripts.ci.masks import Masks
from fairlead.doors.scripts.ci.reserved import GITHUB_RESERVED, is_reserved
from fairlead.doors.scripts.ci.step_file import StepFile
from fairlead.doors.scripts.implementations import Implementation
from fairlead.doors.scripts.running import Ran
from fairlead.doors.scripts.script_hooks import HookRun
from fairlead.errors import FairleadError

HIDDEN = ("GITHUB_ENV", "GITHUB_OUTPUT", "GITHUB_PATH", "GITHUB_STATE", "GITHUB_STEP_SUMMARY")
"""Where a step writes to the runner: no hook's business."""

_KEPT = ("GITHUB_PATH", "GITHUB_STATE")
"""Those of them that are not for us to write either."""


class GitHub:
    """One step that runs a hook."""

    def __init__(self, environment: Mapping[str, str], directory: str) -> None:
        within = environment.get("GITHUB_ACTIONS") == "true"
        self._variables = StepFile(_named(environment, "GITHUB_ENV"))
        self._outputs = StepFile(_named(environment, "GITHUB_OUTPUT"))
        kept = [StepFile(environment[name]) for name in _KEPT if environment.get(name)]
        self._files = (self._variables, self._outputs, *kept)
        self._summary = environment.get("GITHUB_STEP_SUMMARY", "")
        place = os.path.relpath(directory, environment.get("GITHUB_WORKSPACE") or os.getcwd())
        self.console = _GitHubConsole(environment, place, masking=within)

    @property
    def masks(self) -> Masks:
        return self.console.masks

    def hand_over(self, run: HookRun, ending: int | None) -> int:
        """Gives variables and outputs to later steps; an exit code other than 0 if that is not possible."""
        given = {name: value for name, value in run.variables.items() if name not in CALLERS_ALONE}
        refused = [name for name in given if is_reserved(name, GITHUB_RESERVED)]
        for name in refused:
            self.console.warn(f"{name} belongs to GitHub, so no later step gets it")
            del given[name]
        results = {
            "exit-code": str(run.exit_code),
            "hook-result": run.flow.result,
            "hook-ends": "true" if ending is not None else "false",
        }
        touched = self._restore_files()
        self._variables.append("".join(_entry(name, value) for name, value in given.items()))
        self._outputs.append("".join(_entry(name, value) for name, value in {**given, **results}.items()))
        self._write_summary(run)
        return int(touched or bool(refused))

    def _restore_files(self) -> bool:
        """Whether there was something to restore. All are, before one that cannot be is an error."""
        touched = [file for file in self._files if file.restore()]
        for file in touched:
            self.console.error(f"a hook wrote to {file.path} itself; that was taken out again")
        for file in self._files:
            if file.was_replaced():
                raise FairleadError(
                    f"a hook has replaced {file.path}, so what later steps read there is unknown"
                )
        return bool(touched)

    def _write_summary(self, run: HookRun) -> None:
        """For people alone, so it is no failure if there is no place for it."""
        try:
            if self._summary:
                StepFile(self._summary).append(summary(run, self.masks))
        except FairleadError as error:
            self.console.warn(f"there is no summary: {error}")


def _named(environment: Mapping[str, str], name: str) -> str:
    path = environment.get(name, "")
    if not path:
        raise FairleadError(
            f"{name} is not set, so nothing can be handed to later steps",
            hint="--github is for a step of GitHub Actions; elsewhere use --export FILE",
        )
    return path


def _entry(name: str, value: str) -> str:
    delimiter = f"fairlead_{token_hex(16)}"
    return f"{name}<<{delimiter}\n{value}\n{delimiter}\n"


class _GitHubConsole(LogConsole):
    def __init__(self, environment: Mapping[str, str], place: str, *, masking: bool) -> None:
        self.masks = Masks(environment, self._mask if masking else None)
        super().__init__(self.masks)
        self._place = place
        self._token = ""
        self._later: list[str] = []

    def begin(self, implementation: Implementation) -> None:
        self.say(f"::group::{_data(implementation.name)}")
        self._stop()

    def end(self, ran: Ran | None) -> None:
        self.finish_lines()
        self._resume()
        self.say("::endgroup::")
        later, self._later = self._later, []
        for message in later:
            self.show_warning(message)
        if ran is not None and ran.exit_code != 0:
            self.error(_why(ran), ran.name if ran.kind == "script" else "")

    def show_warning(self, message: str) -> None:
        if self._token:
            self._later.append(message)
        else:
            self.say(f"::warning::{_data(self.masks.text(message))}")

    def error(self, message: str, file: str = "") -> None:
        where = f" file={_property(os.path.join(self._place, file))},title={_property(file)}" if file else ""
        self.say(f"::error{where}::{_data(self.masks.text(message))}")

    def _mask(self, secret: str) -> None:
        """A mask is a command, so commands are taken for as long as that takes."""
        within = bool(self._token)
        if within:
            self._resume()
        self.say(f"::add-mask::{_data(secret)}")
        if within:
            self._stop()

    def _stop(self) -> None:
        self._token = token_hex(16)
        self.say(f"::stop-commands::{self._token}")

    def _resume(self) -> None:
        self.say(f"::{self._token}::")
        self._token = ""


def _why(ran: Ran) -> str:
    if ran.timed_out:
        return f"{ran.name} took too long and was ended after {ran.seconds:.1f} s"
    if ran.signal:
        return f"{ran.name} was ended by signal {ran.signal}"
    return f"{ran.name} ended with exit code {ran.exit_code}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")

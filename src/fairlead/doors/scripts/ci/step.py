"""One step of a pipeline that runs a hook: what it shows, what it hands on, and how it ends."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from typing import Any

from fairlead.doors.scripts.ci.github import HIDDEN, GitHub
from fairlead.doors.scripts.ci.gitlab import GitLab
from fairlead.doors.scripts.ci.json_report import run_json
from fairlead.doors.scripts.ci.junit_report import junit
from fairlead.doors.scripts.ci.masks import Masks
from fairlead.doors.scripts.ci.shell_exports import shell_exports
from fairlead.doors.scripts.console import Console
from fairlead.doors.scripts.script_hooks import HookRun, ScriptHooks
from fairlead.errors import FairleadError
from fairlead.model.timeline import Stream
from fairlead.model.value import Value


class Handing(Value):
    """What a step leaves behind, besides its exit code: files, each written if it has a name."""

    export: str | None = None
    dotenv: str = ""
    junit: str | None = None
    report: str | None = None


class Step:
    """`system`: github, gitlab, or none. `silent`: nothing is shown."""

    def __init__(
        self,
        hook: str,
        folder: str,
        *,
        system: str = "",
        silent: bool = False,
        contract: bool = False,
        show_contract: bool = False,
        apply: bool = False,
        stop_code: int = 0,
        others: Sequence[str] = (),
        allow: Sequence[str] = (),
        **given: Any,
    ) -> None:
        self.folder = folder
        self._hook = hook
        self._handing = Handing(**{name: given.pop(name) for name in Handing._fields if name in given})
        self._apply = apply
        self._stop_code = stop_code
        self._github = GitHub(os.environ, folder) if system == "github" else None
        self._gitlab = GitLab(os.environ) if system == "gitlab" else None
        self.console = self._console(silent)
        environment = {name: value for name, value in os.environ.items() if name not in HIDDEN}
        self._hooks = ScriptHooks(
            folder, console=self.console, environment=environment if self._github else None, **given
        )
        self._hooks.declare(hook, *others)
        if contract or show_contract or apply or system or self._handing.export:
            self._hooks.contract(hook, allow=allow or None, show=show_contract)
        self._run = HookRun(hook)

    def _console(self, silent: bool) -> Console:
        system = self._github or self._gitlab
        if system is not None:
            return system.console
        return _Silent() if silent else Console()

    def run(self, args: Sequence[str]) -> int:
        """Runs the hook, hands on what came of it, and answers with the exit code of the step."""
        self._run = run = self._hooks.do(self._hook, *args)
        ending = self._ending(run)
        if self._apply and ending is None and run.flow.timeout is not None:
            self.console.warn(
                f"a hook bounds its caller to {run.flow.timeout:g} s, which this command is not: "
                "CI_MODE_TIMEOUT says so to the caller"
            )
        code = run.exit_code if ending is None else ending
        failed = self._hand_over(run, ending)
        self._write_reports(run)
        if ending == 0:
            code = self._stop_code
        return code or failed or int(bool(self.console.lost))

    def json(self) -> dict[str, object]:
        return run_json(self._run, self.console.warnings)

    def _ending(self, run: HookRun) -> int | None:
        """What the caller is to end with; None: it goes on. A hook that failed is not obeyed any further."""
        if not self._apply:
            return None
        try:
            return run.exit_code or self._hooks.asked_code()
        except FairleadError as error:
            raise FairleadError(self._masks().text(error.message), hint=error.hint) from None

    def _hand_over(self, run: HookRun, ending: int | None) -> int:
        if self._handing.export:
            _write(self._handing.export, shell_exports(run.variables, run.flow, ends_with=ending))
        if self._github is not None:
            return self._github.hand_over(run, ending)
        if self._gitlab is not None:
            text, code = self._gitlab.dotenv(run)
            _write(self._handing.dotenv, text)
            return code
        return 0

    def _masks(self) -> Masks:
        system = self._github or self._gitlab
        return Masks(os.environ) if system is None else system.masks

    def _write_reports(self, run: HookRun) -> None:
        masks = self._masks()
        masks.variables(run.variables)
        if self._handing.junit:
            _write(self._handing.junit, junit(run, masks))
        if self._handing.report:
            said = run_json(run, self.console.warnings, masks)
            _write(self._handing.report, json.dumps(said, indent=2) + "\n")


class _Silent(Console):
    """Keeps what would be said."""

    def write(self, stream: Stream, data: bytes) -> None:
        pass


def _write(path: str, text: str) -> None:
    """For its owner's eyes: what a hook hands on may be a secret."""
    data = text.encode("utf-8", "surrogateescape")
    try:
        with open(path, "wb", opener=lambda name, flags: os.open(name, flags, 0o600)) as file:
            file.write(data)
    except OSError as error:
        raise FairleadError(f"{path} cannot be written: {error.strerror}") from error

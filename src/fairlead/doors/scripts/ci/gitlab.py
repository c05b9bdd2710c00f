"""GitLab CI: sections that fold, and a dotenv report with variables for later jobs."""

from __future__ import annotations

import re
import time
from collections.abc import Mapping

from fairlead.contracts.grammar import CALLERS_ALONE
from fairlead.doors.scripts.ci.log_console import LogConsole
from fairlead.doors.scripts.ci.masks import Masks
from fairlead.doors.scripts.ci.reserved import GITLAB_RESERVED, is_reserved
from fairlead.doors.scripts.implementations import Implementation
from fairlead.doors.scripts.running import Ran
from fairlead.doors.scripts.script_hooks import HookRun

_CLEAR = "\r\x1b[0K"
_WITH_MARKER = re.compile(r"[^\n]*section_(?:start|end):\d+:[^\n]*\r\x1b\[0K[^\n]*")
_BEFORE_CLEARING = re.compile(r"\r+(?=\x1b\[0K)")
"""All of a run, so that what is left of a line does not come together as a marker again."""


class GitLab:
    """One job that runs a hook."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        self.masks = Masks(environment)
        self.console = _GitLabConsole(self.masks)

    def dotenv(self, run: HookRun) -> tuple[str, int]:
        """The text of the report, and an exit code other than 0 if it cannot hold all that was set."""
        kept: list[str] = []
        code = 0
        for name, value in run.variables.items():
            if name in CALLERS_ALONE:
                continue
            why = _why_not(name, value)
            if why:
                self.console.warn(f"{name} does not reach later jobs: {why}")
                code = 1
            else:
                kept.append(f"{name}={value}\n")
        return "".join(kept), code


def _why_not(name: str, value: str) -> str:
    if is_reserved(name, GITLAB_RESERVED):
        return "it belongs to GitLab"
    if value != value.strip() or len(value.splitlines()) > 1:
        return "a dotenv report holds no lines and no blanks at the ends"
    return ""


class _GitLabConsole(LogConsole):
    def __init__(self, masks: Masks) -> None:
        super().__init__(masks)
        self._section = ""
        self._number = 0

    def begin(self, implementation: Implementation) -> None:
        self._number += 1
        self._section = f"fairlead_{self._number}"
        title = " ".join(self.harmless(implementation.name).splitlines())
        self.say(f"\x1b[0Ksection_start:{int(time.time())}:{self._section}{_CLEAR}{title}")

    def end(self, ran: Ran | None) -> None:
        self.finish_lines()
        self.say(f"\x1b[0Ksection_end:{int(time.time())}:{self._section}{_CLEAR}")
        if ran is not None and ran.exit_code != 0:
            self.show_warning(f"{ran.name} ended with exit code {ran.exit_code}")

    def show_warning(self, message: str) -> None:
        self.say(f"fairlead: {self.harmless(self._masks.text(message))}")

    def harmless(self, text: str) -> str:
        return _WITH_MARKER.sub(lambda line: _BEFORE_CLEARING.sub("", line[0]), text)

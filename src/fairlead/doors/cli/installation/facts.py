"""The installation as it is now, not as it was left: what agents call, who answers, and their settings.

Quick to find out: files are looked at, and an interpreter is started only where nothing else can tell. Every
trouble says what to do about it.
"""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from collections.abc import Iterator, Mapping

from fairlead.dialects.setup.installs import changes_for, hook_files
from fairlead.dialects.setup.site import Client, Site
from fairlead.doors.cli.installation.package_build import build_of
from fairlead.doors.cli.installation.private_environment import packages_of
from fairlead.errors import SettingsError
from fairlead.model.value import Value
from fairlead.policy.installed import client_path, is_private
from fairlead.policy.places import Places
from fairlead.policy.record import read_record
from fairlead.settings import files
from fairlead.settings.change import applied, is_ours
from fairlead.settings.ledger import Ledger

INSTALLED, CHANGED, REMOVED, NOT_INSTALLED = "installed", "changed", "removed", "not installed"
_SECONDS = 20


class Trouble(Value):
    """What is wrong in one sentence, and the command that mends it. `fatal`: agents get no true answer."""

    what: str
    fix: str = "fairlead install"
    fatal: bool = True


class Installation(Value):
    """What agents call, and who answers it."""

    client: str
    client_there: bool
    """A file that is not empty and can be run."""
    client_current: bool
    """The one that came with the package that asks."""
    record: Mapping[str, str]
    interpreter: str
    interpreter_there: bool
    answers: bool
    """Whether it has the package."""
    private: bool
    """An environment that belongs to Fairlead alone."""
    build: str
    """Of the package that answers; empty when only the interpreter itself could tell."""
    own_build: str
    """Of the package that asks."""

    @property
    def current(self) -> bool:
        return self.client_current and self.build in ("", self.own_build)

    def troubles(self) -> Iterator[Trouble]:
        if not self.client_there:
            yield Trouble(f"the client is missing: {self.client}")
        if not self.record:
            yield Trouble(f"the client's record is missing: {self.client}.record")
        elif not self.interpreter_there:
            yield Trouble(f"the interpreter that answers is gone: {self.interpreter or 'none is recorded'}")
        elif not self.answers:
            yield Trouble(f"the interpreter that answers has no Fairlead any more: {self.interpreter}")
        elif self.client_there and not self.current:
            answering, asking = self.build or "of another build", self.own_build
            words = f"agents are answered by another build ({answering}) than the one that you run ({asking})"
            yield Trouble(words, fatal=False)


class AgentSettings(Value):
    """One settings file of one agent."""

    agent: str
    scope: str
    path: str
    state: str


def look_at_installation(places: Places, came_with_us: str = "") -> Installation:
    """`came_with_us` is the client of the package that asks; without one, any client is as good."""
    client, record = client_path(places), read_record(places)
    interpreter = record.get("interpreter", "")
    there = bool(interpreter) and os.access(interpreter, os.X_OK)
    private = is_private(interpreter, places)
    package = os.path.join(packages_of(os.path.dirname(os.path.dirname(interpreter))), "fairlead")
    build = build_of(package) if private else ""
    return Installation(
        client=client,
        client_there=_can_be_run(client),
        client_current=not came_with_us or _content(client) == _content(came_with_us),
        record=record,
        interpreter=interpreter,
        interpreter_there=there,
        answers=bool(build) if private else there and _has_fairlead(interpreter),
        private=private,
        build=build,
        own_build=build_of(),
    )


def settings_of(agent: str, site: Site, client: Client, ledger: Ledger) -> list[AgentSettings]:
    """The files that hold an agent's hooks, each as it is now; none where the agent has no such scope."""
    try:
        changes = changes_for(agent, site, client)
    except SettingsError:
        return []
    known = {entry.path for entry in ledger.of(agent, site.scope)}
    if not any(path in known or _holds_ours(path) for path in hook_files(changes)):
        return [AgentSettings(agent, site.scope, changes[0].path, NOT_INSTALLED)]
    found = []
    for change in changes:
        if not _holds_ours(change.path):
            state = REMOVED if change.path in known else NOT_INSTALLED
        else:
            try:
                state = (
                    INSTALLED if applied(change, current := files.read(change.path)) == current else CHANGED
                )
            except SettingsError:
                state = CHANGED
        found.append(AgentSettings(agent, site.scope, change.path, state))
    return found


def _holds_ours(path: str) -> bool:
    try:
        return is_ours(files.read(path) or b"")
    except SettingsError:
        return False


def _can_be_run(path: str) -> bool:
    try:
        found = os.stat(path)
    except OSError:
        return False
    return stat.S_ISREG(found.st_mode) and found.st_size > 0 and os.access(path, os.X_OK)


def _has_fairlead(interpreter: str) -> bool:
    if os.path.abspath(interpreter) == os.path.abspath(sys.executable):
        return True
    try:
        words = [interpreter, "-I", "-c", "import fairlead"]
        return subprocess.run(words, capture_output=True, timeout=_SECONDS, check=False).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        return False


def _content(path: str) -> bytes | None:
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError:
        return None

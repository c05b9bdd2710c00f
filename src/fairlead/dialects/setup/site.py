"""Whose settings are changed, and what an agent is told to run."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping

from fairlead.dialects.setup.description import Base, HookFile
from fairlead.dialects.setup.shell_line import command_line
from fairlead.model.value import Value


class Site(Value):
    """The agent's variables are read as the agent reads them."""

    home: str
    project: str
    environment: Mapping[str, str]
    scope: str = "user"

    def path_of(self, file: HookFile) -> str:
        """Where this file is; without a name of its own it is the folder."""
        if self.scope == "project":
            return os.path.join(self.project, file.project)
        moved = self.environment.get(file.variable, "") if file.variable else ""
        folder = moved or os.path.join(self._base(file.base), file.folder)
        return f"{folder}/{file.name}" if file.name else folder

    def _base(self, base: Base) -> str:
        if base == "home":
            return self.home
        elsewhere = base == "preferences" and sys.platform == "darwin"
        usual = "Library/Preferences" if elsewhere else ".config"
        return self.environment.get("XDG_CONFIG_HOME", "") or os.path.join(self.home, usual)


class Client(Value):
    """The command that an agent runs."""

    path: str
    home: str = ""
    told: str = ""
    """What is said when it is missing, if something else than usual."""
    first: str = ""
    """What the shell of an agent does first."""

    def words(self, agent: str, event: str) -> list[str]:
        return [self.path, *(["--home", self.home] if self.home else []), agent, event]

    def line(self, agent: str, event: str) -> str:
        return self.first + command_line(self.words(agent, event), agent, event, told=self.told)

"""Projects that lose something, and what saves it, for the tests of undo."""

import os
import subprocess
from pathlib import Path

from fairlead.model.event import Event
from fairlead.model.event_name import EventName
from fairlead.model.hook import Outcome
from fairlead.model.tool_call import ToolCall, ToolKind
from fairlead.packs.guards.dangerous_commands import block_dangerous_commands
from fairlead.undo.keeper import Saver
from fairlead.undo.restoring import Brought, Restoring
from fairlead.undo.store import Store

ENVIRONMENT = {
    **{name: value for name, value in os.environ.items() if not name.startswith("GIT_")},
    "GIT_CONFIG_GLOBAL": "/dev/null",
    "GIT_CONFIG_SYSTEM": "/dev/null",
    **{"GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "core.fsync", "GIT_CONFIG_VALUE_0": "none"},
    **{f"GIT_{who}_{what}": "a@example.com" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")},
}


class Project:
    """A folder with a store of its own beside it."""

    def __init__(self, top: Path, *, git: bool = False, saves: Path | None = None) -> None:
        top = top.resolve()
        self.folder = top / "project"
        self.folder.mkdir(parents=True)
        self.store = Store(str(saves or top / "undo"))
        self.saver = Saver(self.store.folder)
        if git:
            self.run("git init -q -b main")

    def write(self, name: str, content: str = "content\n", mode: int = 0o644) -> Path:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content)
        path.chmod(mode)
        return path

    def commit(self, **files: str) -> None:
        for name, content in files.items():
            self.write(name.replace("__", "/"), content)
        self.run("git add -A && git commit -qm saved")

    def run(self, command: str) -> str:
        done = subprocess.run(
            ["bash", "-ec", command],
            cwd=self.folder,
            env=ENVIRONMENT,
            capture_output=True,
            text=True,
            check=True,
        )
        return done.stdout

    def event(self, command: str, **fields: object) -> Event:
        call = ToolCall("Bash", {"command": command}, ToolKind.SHELL, id="call-1")
        root = str(self.folder)
        return Event(
            EventName.BEFORE_TOOL, agent="claude", session="s", root=root, cwd=root, tool=call
        ).replace(**fields)

    def judge(self, command: str, **config: object) -> Outcome:
        """What the guard says, with everything saved that may pass then."""
        config = {"recoverable": "pass", "save": True, **config}
        found = block_dangerous_commands(self.event(command), config, (), keeper=self.saver)
        return found or Outcome()

    def lose(self, command: str, **config: object) -> str:
        """Save, then really run it; the id of the save."""
        said = self.judge(command, **config)
        assert not said.decision.objects, said.reason
        self.run(command)
        return str(said.metrics["undo"])

    def undo(self, id_: str, **options: bool) -> Brought:
        return self.restoring(id_, **options).bring_back()

    def restoring(self, id_: str, **options: bool) -> Restoring:
        saved = next(each for each in self.store.saves() if each.id == id_)
        return Restoring(self.store, saved, self.store.load(saved), **options)

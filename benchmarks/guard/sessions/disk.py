"""A session's project on the disk: made before its first call, and changed as its calls would change it.

Whatever a session names outside its project and its part of the temp folder is left alone.
"""

from __future__ import annotations

import re
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from benchmarks.guard.project import git, write_files
from benchmarks.guard.sessions.data import Project, Step
from fairlead.packs.judging.call_effects import home_of_user

_PLACE = re.compile(r"\$PROJECT\b|\$HOMEDIR\b|(?<![\w.~}-])/tmp(?![\w.-])")


class Disk:
    """`$PROJECT`, `$HOMEDIR` and `/tmp` of a session become places of this machine."""

    def __init__(self, project: Path, temp: Path, given: Project) -> None:
        self.project, self._temp, self._given = project, temp, given
        self._places = {"$PROJECT": str(project), "$HOMEDIR": home_of_user(), "/tmp": str(temp)}

    def here(self, value: Any) -> Any:
        """A text, or all texts in a tool's input, with the places of this machine."""
        if isinstance(value, str):
            return _PLACE.sub(lambda found: self._places[found[0]], value)
        if isinstance(value, Mapping):
            return {key: self.here(inner) for key, inner in value.items()}
        return [self.here(inner) for inner in value] if isinstance(value, list) else value

    def apply(self, step: Step) -> None:
        """What the call would leave behind."""
        tool_input = self.here(step.input)
        if step.tool == "Write":
            self._write(tool_input["file_path"], tool_input["content"])
        if step.tool in ("Edit", "MultiEdit"):
            for edit in tool_input.get("edits", [tool_input]):
                self._edit(tool_input["file_path"], edit)
        for name, text in step.writes.items():
            self._write(self.here(name), self.here(text))
        for name in step.deletes:
            self._delete(self.here(name))
        if step.commits:
            self._commit()

    def _own(self, name: str) -> Path | None:
        path = (self.project / name).resolve()
        return path if path.is_relative_to(self.project) or path.is_relative_to(self._temp) else None

    def _write(self, name: str, text: str) -> None:
        path = self._own(name)
        if path is not None:
            write_files(path.parent, {path.name: text})

    def _edit(self, name: str, edit: Mapping[str, Any]) -> None:
        path = self._own(name)
        if path is None or not path.is_file():
            return
        most = -1 if edit.get("replace_all") else 1
        text = path.read_text(encoding="utf-8")
        path.write_text(text.replace(edit["old_string"], edit["new_string"], most), encoding="utf-8")

    def _delete(self, name: str) -> None:
        path = self._own(name)
        if path is None or path == self.project:
            return
        if path.is_dir():
            shutil.rmtree(path)
        else:
            path.unlink(missing_ok=True)

    def _commit(self) -> None:
        """All but what the person had not committed when the session began."""
        others = [f":(exclude){name}" for name in self._given.uncommitted]
        git(self.project, "add", "--all", "--", ".", *others)
        git(self.project, "commit", "--quiet", "--allow-empty", "--message=As asked")


@contextmanager
def session_disk(parent: Path, given: Project) -> Iterator[Disk]:
    """A repository below `parent`, gone afterwards."""
    parent.mkdir(parents=True, exist_ok=True)
    top, temp = Path(tempfile.mkdtemp(prefix="session-", dir=parent)), Path(tempfile.mkdtemp(prefix="s-"))
    try:
        project = top.resolve() / "project"
        _fill(project, given)
        yield Disk(project, temp.resolve(), given)
    finally:
        shutil.rmtree(top)
        shutil.rmtree(temp)


def _fill(project: Path, given: Project) -> None:
    write_files(project, given.files)
    for name in given.executable:
        if (project / name).exists():
            (project / name).chmod(0o755)
    git(project, "init", "--quiet", "--initial-branch=main")
    git(project, "add", "--all")
    git(project, "commit", "--quiet", "--message=A start")
    write_files(project, given.ignored)
    write_files(project, given.uncommitted)

"""Procfiles, and the settings that direnv loads."""

from __future__ import annotations

from collections.abc import Iterator

from fairlead.shell.following.recipe_files.project import Project
from fairlead.shell.following.recipe_files.step import Step
from fairlead.shell.lazy_pattern import lazy

_PROCESS = lazy(r"([A-Za-z0-9_-]+):\s*(.+)\Z")
_MOST_LINES = 200


def read_procfile(project: Project) -> Iterator[Step]:
    """`foreman start web`: each line names a process and the command that it is."""
    words = [word.text for word in project.operands]
    file = project.recipe()
    if file is None or words[:1] not in (["start"], ["s"], ["local"], []):
        return
    wanted = words[1:]
    for number, line in enumerate(file.text.split("\n")[:_MOST_LINES], 1):
        found = _PROCESS.match(line.strip())
        if found and (not wanted or found[1] in wanted or any(word.opaque for word in project.operands)):
            yield Step(
                found[2], f"{project.name} {found[1]}", folder=file.folder, path=file.path, line=number
            )


def read_envrc(project: Project) -> Iterator[Step]:
    """What is allowed runs at once, in the shell of the person."""
    words = [word.text for word in project.operands if word.known]
    if not words or words[0] not in ("allow", "permit", "grant", "reload", "exec", "export"):
        return
    told = words[1] if len(words) > 1 and words[0] != "export" else "."
    file = project.file(told if told.endswith(".envrc") else f"{told}/.envrc")
    if file is not None:
        yield Step(file.text, "direnv", folder=file.folder, path=file.path, line=1)

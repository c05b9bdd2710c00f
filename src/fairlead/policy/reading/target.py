"""What an entry would run: a built-in, a file that must be there, or an address."""

from __future__ import annotations

import os
import stat
from collections.abc import Collection, Mapping

from fairlead.policy.reading.entry import Entry
from fairlead.policy.reading.problem import WARNING, Problem
from fairlead.policy.reading.schema import suggestion
from fairlead.policy.reload import Watch


def resolve(
    entry: Entry,
    builtin_names: Collection[str],
    watch: Watch,
    *,
    folder: str = "",
    files: Mapping[str, bytes],
) -> tuple[Entry, list[Problem]]:
    """With an absolute path or the name of a built-in.

    `folder` and `files` are a trusted project's: its paths must stay inside, and Python comes from `files`.
    """
    if entry.url or not entry.path:
        known = not (entry.url or entry.plugin) and entry.id in builtin_names
        return (entry.replace(builtin=entry.id) if known else entry), []
    path = os.path.normpath(os.path.join(os.path.dirname(entry.file), entry.path))
    if folder and not _is_inside(path, folder):
        return _broken(entry, f"path {entry.path!r} leads out of {folder}", "trust covers this folder alone")
    watch.add(path)
    try:
        info = os.stat(path)
    except OSError as error:
        if isinstance(error, FileNotFoundError) and entry.id in builtin_names:
            message = f"there is no file {path}; the built-in {entry.id!r} is used"
            warning = entry.problem("path", message, hint="leave out `path`", severity=WARNING)
            return entry.replace(path="", executor="", builtin=entry.id), [warning]
        return _broken(entry, f"{path} cannot be used: {error.strerror}", "paths start at the file's folder")
    found = entry.replace(path=path)
    if not stat.S_ISREG(info.st_mode):
        return _broken(found, f"{path} is not a file", "name the program itself")
    if found.runs == "command" and not os.access(path, os.X_OK):
        return _broken(found, f"{path} is not executable", f"chmod +x {path}")
    if not folder or found.runs != "python":
        return found, []
    source = files.get(os.path.relpath(path, folder))
    if source is None:
        return _broken(found, f"{path} is not among the trusted files", "put the file itself there")
    modules = {os.path.join(folder, name): content for name, content in files.items() if name.endswith(".py")}
    return found.replace(source=source, modules=modules), []


def missing_parts(entry: Entry, builtin_names: Collection[str]) -> list[Problem]:
    """What an entry lacks that overrides nothing and so must say everything itself."""
    problems = []
    if not (entry.path or entry.url or entry.plugin or entry.builtin or entry.broken):
        hint = suggestion(entry.id, builtin_names, otherwise=f"built-in: {', '.join(sorted(builtin_names))}")
        problems.append(
            entry.problem("id", f"no built-in is named {entry.id!r}; 'path' is missing", hint=hint)
        )
    if "type" not in entry.spots and not entry.broken:
        hint = "add type: safety, or one of validation, transformation, authorization, observability"
        problems.append(entry.problem("id", "missing key 'type'", hint=hint))
    return problems


def _is_inside(path: str, folder: str) -> bool:
    top = os.path.realpath(folder)
    return os.path.commonpath([top, os.path.realpath(path)]) == top


def _broken(entry: Entry, message: str, hint: str) -> tuple[Entry, list[Problem]]:
    problem = entry.problem("path", message, hint=hint)
    return entry.break_with(problem), [problem]

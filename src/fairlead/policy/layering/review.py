"""What a project would run and change if it were trusted: for a human to read before saying so."""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping

from fairlead.model.value import Value
from fairlead.policy.find import FILE_NAME
from fairlead.policy.layering.trust import contents_to_review
from fairlead.policy.places import PROJECT_FOLDER
from fairlead.policy.reading.entry import Entry
from fairlead.policy.reading.load import LoadedFile, load_file
from fairlead.policy.reading.problem import Problem
from fairlead.policy.reading.target import resolve
from fairlead.policy.reload import Watch


class Review(Value):
    """Hand `files` back to `trust(..., reviewed=files)`, so that what was read is what is pinned."""

    folder: str
    files: Mapping[str, bytes]
    entries: tuple[Entry, ...]
    problems: tuple[Problem, ...]
    approvals: tuple[str, ...]
    """What it lists under `approve`."""
    defaults: tuple[LoadedFile, ...]
    """The files that set a `default_decision`."""

    @property
    def code(self) -> tuple[Entry, ...]:
        """Entries that would run a program, code of another package, or call an address."""
        return tuple(entry for entry in self.entries if entry.runs != "builtin" or entry.plugins)


def what_would_run(root: str, builtin_names: Collection[str]) -> Review:
    """Raises TrustError where there is nothing to trust, PolicyError for what cannot be pinned."""
    folder = os.path.join(root, PROJECT_FOLDER)
    files = contents_to_review(root)
    loaded = [
        load_file(content, os.path.join(folder, name), layer="project")
        for name, content in files.items()
        if name.startswith("hooks/") and name.endswith(f"/{FILE_NAME}")
    ]
    entries: list[Entry] = []
    problems: list[Problem] = [problem for file in loaded for problem in file.problems]
    for entry in (entry for file in loaded for entry in file.entries):
        resolved, more = resolve(entry, builtin_names, Watch(), folder=folder, files=files)
        entries.append(resolved)
        problems += more
    defaults = tuple(file for file in loaded if file.default_decision is not None)
    approvals = tuple(each.shown for file in loaded for each in file.approvals)
    return Review(folder, files, tuple(entries), tuple(problems), approvals, defaults)

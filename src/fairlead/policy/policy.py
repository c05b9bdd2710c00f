"""The policy of one call: every layer read, merged, and signed so that the next call can tell a change."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Mapping, Sequence

from fairlead.errors import PolicyError
from fairlead.model.decision import Decision
from fairlead.model.event_name import EventName
from fairlead.model.failure import NOTHING
from fairlead.model.hook import HookType
from fairlead.model.value import Value
from fairlead.policy.find import (
    FILE_NAME,
    PROGRAMS_END,
    Item,
    is_program_file,
    list_tree,
    policy_files,
    read_file,
)
from fairlead.policy.layering.defaults import default_entries
from fairlead.policy.layering.fleet_layer import FLEET, read_fleet
from fairlead.policy.layering.layers import (
    EXTRA,
    PROJECT,
    SYSTEM,
    USER,
    Layers,
    changed_project_guards,
    untrusted,
)
from fairlead.policy.layering.trust import Project, Trust, read_project
from fairlead.policy.managed.holding import FILE_NAME as MANAGED_FILE
from fairlead.policy.managed.holding import UNMANAGED, Hold
from fairlead.policy.mode import DEFAULT_DECISION, Mode, always_enforced, read_mode, under_mode
from fairlead.policy.mode import FILE_NAME as MODE_FILE
from fairlead.policy.places import Places
from fairlead.policy.reading.entry import Entry
from fairlead.policy.reading.problem import ERROR, WARNING, Problem
from fairlead.policy.reading.target import resolve
from fairlead.policy.reload import Signature, Watch

TYPE_CHECKING = False
if TYPE_CHECKING:
    from fairlead.policy.managed.rules import Managed
    from fairlead.policy.reading.approvals import Approval
    from fairlead.policy.reading.load import LoadedFile


MAX_PROGRAMS = 1024 * 1024
"""How much of a file about programs is read; what is longer breaks off, and is no TOML any more."""


class ProgramFile(Value):
    """A file below `programs/` of a layer."""

    path: str
    content: bytes
    layer: str
    trusted: bool


class Policy(Value):
    """Entries in order of declaration, disabled ones included; the engine orders and filters them."""

    entries: tuple[Entry, ...]
    problems: tuple[Problem, ...] = ()
    default_decisions: Mapping[EventName, Decision] = NOTHING  # type: ignore[assignment]
    signature: Signature = Signature()
    hash: str = "builtin"
    """Names the content of everything that was read; `builtin` when there were no files."""
    trust: Trust = Trust.NEVER
    places: Places | None = None
    """Of the installation that it was read for."""
    mode: Mode = Mode()
    """What is said of everything."""
    managed: Managed = UNMANAGED
    """What root or the fleet forbids and locks."""
    program_files: tuple[ProgramFile, ...] = ()
    """What it teaches about programs, as it stands in the files."""

    def changed(self) -> bool:
        """Whether another `load_policy` could give something else."""
        return self.signature.changed()

    @property
    def audits(self) -> bool:
        """Whether a `default_decision` is only written down."""
        named = DEFAULT_DECISION in self.mode.audited
        return named or (self.mode.audits and DEFAULT_DECISION not in self.mode.enforce)

    @property
    def errors(self) -> tuple[Problem, ...]:
        return tuple(problem for problem in self.problems if problem.severity == ERROR)


def load_policy(
    places: Places,
    root: str,
    *,
    builtin_names: Collection[str],
    extra: Sequence[str] = (),
    agent: str = "",
) -> Policy:
    """`root` is the project's, never the cwd; empty for none. `extra` are the folders of `--policy`.

    Never raises for what files say: that comes back as problems and as broken entries (law 2).
    """
    reading = _Reading(builtin_names, agent)
    reading.add_root(SYSTEM, places.system)
    if places.fleet != places.system_fleet:
        reading.hold()  # a fleet that only the user has joined speaks for the user
    reading.add_fleet(places)
    reading.hold()
    reading.add_root(USER, places.config)
    for folder in extra:
        reading.add_root(EXTRA, os.path.abspath(folder))
    if root:
        reading.add_project(read_project(places, root, reading.watch, pins=reading.held.trusts_projects))
    return reading.policy().replace(places=places)


class _Reading:
    """One pass over all layers."""

    def __init__(self, builtin_names: Collection[str], agent: str) -> None:
        self.builtin_names, self.agent = builtin_names, agent
        self.watch = Watch()
        self.layers = Layers(default_entries(builtin_names), builtin_names)
        self.problems: list[Problem] = []
        self.parts: list[bytes] = []
        self.program_files: list[ProgramFile] = []
        self.trust = Trust.NEVER
        self.mode = Mode()
        self.held = Hold()
        self.approvals: list[Approval] = []

    def policy(self) -> Policy:
        self.layers.check_names()
        self.layers.show_profiles()
        mode, loosened = self.held.final_mode(self.mode)
        self.mode = mode
        entries, unheeded = always_enforced(under_mode(self.layers.entries, mode))
        unheeded += loosened
        if self.approvals:
            from fairlead.policy.reading.approvals import with_approvals

            entries, refused = with_approvals(entries, self.approvals)
            unheeded += refused
        return Policy(
            tuple(entries),
            (*self.problems, *self.layers.problems, *unheeded),
            self.layers.defaults,
            self.watch.signature(),
            _hash(self.parts),
            self.trust,
            mode=self.mode,
            managed=self.held.managed,
            program_files=tuple(self.program_files),
        )

    def add_root(self, layer: str, root: str) -> None:
        folder = os.path.join(root, "hooks")
        try:
            items = list_tree(folder, self.watch)
            if layer == EXTRA and not os.path.isdir(folder):
                raise PolicyError(f"there is no folder {folder}", hint="`--policy DIR` needs DIR/hooks")
        except PolicyError as error:
            from fairlead.policy.reading.load import unreadable_file

            problem = Problem(folder, 0, 0, error.message, error.hint)
            self._add_files([unreadable_file(folder, problem, layer=layer)])
            return
        self.problems += _overlooked(items)
        self._add_files([self._read(item, layer) for item in policy_files(items)])
        self._add_programs(layer, os.path.join(root, "programs"))
        for item in items:
            if item.name == MODE_FILE:
                self._add_mode(item.path)
            elif item.name == MANAGED_FILE:
                self._add_managed(item.path, layer)

    def _add_managed(self, path: str, layer: str) -> None:
        self.held, content, problems = self.held.read(path, layer)
        self.problems += problems
        self.parts += [b"managed", os.fsencode(path), content]

    def hold(self) -> None:
        """From here on nothing may loosen what is locked."""
        if self.held.managed.lock:
            if self.layers.held is not None:
                self.mode, loosened = self.held.final_mode(self.mode)
                self.problems += loosened
            self.held = self.held.at_mode(self.mode)
            self.mode = self.held.mode
            self.layers.hold(self.held)

    def add_fleet(self, places: Places) -> None:
        found = read_fleet(places, self.watch)
        self.problems += found.problems
        if found.folder:
            self.add_root(FLEET, found.folder)
        elif broken := [problem for problem in found.problems if problem.severity == ERROR]:
            from fairlead.policy.reading.load import unreadable_file

            problem = broken[0]
            self.layers.add(unreadable_file(problem.path, problem, layer=FLEET).entries)
        if found.asks:
            self.parts.append(b"stale")
            self.layers.add(found.asks)

    def _add_mode(self, path: str) -> None:
        mode, content, problems = read_mode(path)
        self.problems += problems
        self.parts += [b"mode", os.fsencode(path), content]
        self.mode = self.mode.below(mode) if mode else self.mode

    def _add_programs(self, layer: str, folder: str) -> None:
        try:
            for item in list_tree(folder, self.watch):
                if item.name.endswith(PROGRAMS_END):
                    self._teach(item.path, read_file(item.path, MAX_PROGRAMS), layer)
                elif PROGRAMS_END in item.name.lower():
                    hint = f"name it so that it ends in {PROGRAMS_END}"
                    self.problems.append(Problem(item.path, 0, 0, "this file is not read", hint, WARNING))
        except (PolicyError, OSError) as error:
            reason = (
                error.message if isinstance(error, PolicyError) else f"it cannot be read: {error.strerror}"
            )
            from fairlead.policy.reading.load import unreadable_file

            problem = Problem(folder, 0, 0, reason, "make it readable for this user, or remove it")
            self._add_files([unreadable_file(folder, problem, layer=layer)])

    def _teach(self, path: str, content: bytes, layer: str, *, trusted: bool = True) -> None:
        self.parts += [b"programs", layer.encode(), os.fsencode(path), content]
        if self.layers.held is not None and trusted:
            trusted = False
            message = "rules are locked on this machine: what this file teaches only adds to what is known"
            self.problems.append(Problem(path, 1, 1, message, "say it in /etc/fairlead", WARNING))
        self.program_files.append(ProgramFile(path, content, layer, trusted))

    def add_project(self, project: Project) -> None:
        self.trust = project.trust
        if project.failure:
            self.problems.append(Problem(project.folder, 0, 0, project.failure, severity=WARNING))
        if project.trust is Trust.CHANGED:
            self.parts.append(b"changed")
            self.layers.add(changed_project_guards(project))
        for name in (MODE_FILE, MANAGED_FILE):
            if f"hooks/{name}" in project.files:
                path = os.path.join(project.folder, "hooks", name)
                message, hint = "a project cannot say how everything is judged", "say it in your own policy"
                self.problems.append(Problem(path, 0, 0, message, hint, WARNING))
        if project.pinned_in_vain:
            message = "this project was trusted, and managed.yaml forbids that: its policy only adds"
            hint = f"{', '.join(self.held.managed.paths)} says so"
            self.problems.append(Problem(project.folder, 0, 0, message, hint, WARNING))
        files = [
            self._parse(content, os.path.join(project.folder, name), PROJECT)
            for name, content in project.files.items()
            if name.startswith("hooks/") and name.endswith(f"/{FILE_NAME}")
        ]
        for name, content in project.files.items():
            if is_program_file(name):
                trusted = project.trust is Trust.TRUSTED
                self._teach(os.path.join(project.folder, name), content, PROJECT, trusted=trusted)
        if project.trust is Trust.TRUSTED:
            self.parts.append(b"trusted")
            self._add_files(files, project)
        else:
            self._add_untrusted(files)

    def _read(self, item: Item, layer: str) -> LoadedFile:
        from fairlead.policy.reading.document import (
            MAX_BYTES,  # these two only where somebody has written a policy
        )
        from fairlead.policy.reading.load import unreadable_file

        try:
            content = read_file(item.path, MAX_BYTES)
        except OSError as error:
            message = f"the file cannot be read: {error.strerror}"
            problem = Problem(item.path, 0, 0, message, "make it readable for this user, or remove it")
            return unreadable_file(item.path, problem, layer=layer)
        return self._parse(content, item.path, layer)

    def _parse(self, content: bytes, path: str, layer: str) -> LoadedFile:
        from fairlead.policy.reading.load import load_file

        self.parts += [layer.encode(), os.fsencode(path), content]
        return load_file(content, path, layer=layer)

    def _add_files(self, files: list[LoadedFile], project: Project | None = None) -> None:
        entries: list[Entry] = []
        for file in files:
            self.problems += file.problems
            self.approvals += file.approvals
            entries += self._resolved(file.entries, project)
        self.layers.add(entries)
        self.layers.set_defaults(self._defaults(files))

    def _add_untrusted(self, files: list[LoadedFile]) -> None:
        for file in files:
            self.problems += [problem.replace(severity=WARNING) for problem in file.problems]
            if file.approvals:
                from fairlead.policy.reading.approvals import not_trusted

                self.problems += not_trusted(file.approvals)
        kept, left_out = untrusted((entry for file in files for entry in file.entries), self.builtin_names)
        self.problems += left_out
        self.layers.add(kept)

    def _resolved(self, entries: Iterable[Entry], project: Project | None) -> Iterable[Entry]:
        folder, files = (project.folder, project.files) if project else ("", {})
        for entry in entries:
            resolved, problems = resolve(
                entry.for_agent(self.agent), self.builtin_names, self.watch, folder=folder, files=files
            )
            self.problems += problems
            yield resolved

    def _defaults(self, files: list[LoadedFile]) -> Iterable[tuple[EventName, Decision]]:
        """A file that is off for this agent decides nothing for it."""
        for file in files:
            if file.event is not None and file.default_decision is not None:
                stub = Entry("", HookType.SAFETY, file.event, "", providers=file.providers)
                if stub.for_agent(self.agent).enabled:
                    yield file.event, file.default_decision


def _overlooked(items: list[Item]) -> Iterable[Problem]:
    """What looks like a policy and is not read, so that nobody believes in it."""
    for item in items:
        name = item.name.rsplit("/", 1)[-1]
        if name == "hook.meta.yml":
            yield Problem(item.path, 0, 0, "this file is not read", f"name it {FILE_NAME}", WARNING)
        elif name in (MODE_FILE, "mode.yml") and item.name != MODE_FILE:
            yield Problem(item.path, 0, 0, "this file is not read", f"name it hooks/{MODE_FILE}", WARNING)
        elif item.is_link and os.path.isdir(item.path):
            yield Problem(item.path, 0, 0, "a link to a folder is not followed", "link the files", WARNING)


def _hash(parts: list[bytes]) -> str:
    if not parts:
        return "builtin"
    from hashlib import sha256

    digest = sha256()
    for part in parts:
        digest.update(len(part).to_bytes(8, "big") + part)
    return digest.hexdigest()[:32]

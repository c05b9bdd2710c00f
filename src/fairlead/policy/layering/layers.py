"""Layers, weakest first: how an entry of a stronger one changes that of a weaker one, and when it may not."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from fairlead.model.decision import Decision
from fairlead.model.event_name import GATING, EventName
from fairlead.model.failure import NOTHING, Failure, FailureCode, Stage
from fairlead.model.hook import AUDIT, ENFORCE, STRICT, HookType
from fairlead.policy.layering.defaults import BUILTIN_TYPES
from fairlead.policy.layering.defaults import LAYER as BUILTIN
from fairlead.policy.layering.trust import Project
from fairlead.policy.reading.entry import Entry
from fairlead.policy.reading.problem import WARNING, Problem
from fairlead.policy.reading.schema import RULE, suggestion
from fairlead.policy.reading.target import missing_parts

SYSTEM, USER, EXTRA, PROJECT = "system", "user", "extra", "project"

TYPE_CHECKING = False
if TYPE_CHECKING:
    from fairlead.policy.managed.holding import Hold

_OVERRIDABLE = (
    "type",
    "enabled",
    "config",
    "matcher",
    "priority",
    "before",
    "after",
    "timeout",
    "on_error",
    "protocol",
    "profile",
    "execution",
    "mode",
    "locked",
)


class Layers:
    """The entries so far. Add whole layers, weakest first."""

    def __init__(self, entries: Iterable[Entry], builtin_names: Collection[str]) -> None:
        self._entries = {(entry.event, entry.id): entry for entry in entries}
        self._builtin_names = builtin_names
        self.defaults: dict[EventName, Decision] = {}
        self.problems: list[Problem] = []
        self.held: Hold | None = None
        """What those who manage the machine have locked, once their layers are in."""
        self._kept: set[tuple[EventName, str]] = set()
        """The guards of which another judges by what is locked, since then."""

    def hold(self, held: Hold) -> None:
        """Locks what is there: every later layer is a local person's, or a project's."""
        self.held = held
        self._kept = set()
        self._entries = {key: held.locked(entry) for key, entry in self._entries.items()}

    @property
    def entries(self) -> tuple[Entry, ...]:
        return tuple(self._entries.values())

    def add(self, entries: Iterable[Entry]) -> None:
        """One layer's entries; the same id twice for one event is a mistake within it."""
        seen: dict[tuple[EventName, str], Entry] = {}
        for entry in entries:
            key = entry.event, entry.id
            if key in seen:
                self._put(self._twin(entry, seen[key]))
            else:
                seen[key] = entry
                self._put(entry)

    def set_defaults(self, decisions: Iterable[tuple[EventName, Decision]]) -> None:
        """One layer's `default_decision`s: among its own files the strictest, and over weaker layers."""
        own: dict[EventName, Decision] = {}
        for event, decision in decisions:
            own[event] = max(decision, own.get(event, decision))
        if self.held is not None and self.held.locks_defaults:
            own = {event: max(each, self.defaults.get(event, each)) for event, each in own.items()}
        self.defaults.update(own)

    def check_names(self) -> None:
        """A `before` or `after` that names nobody orders nothing, so say it."""
        ids: dict[EventName, list[str]] = {}
        for entry in self.entries:
            ids.setdefault(entry.event, []).append(entry.id)
        for entry in self.entries:
            for key in ("before", "after"):
                for name in getattr(entry, key):
                    if name not in ids[entry.event]:
                        message = f"{key!r} names {name!r}, and no hook of {entry.event} has that id"
                        hint = suggestion(name, ids[entry.event])
                        self.problems.append(entry.problem(key, message, hint=hint, severity=WARNING))

    def show_profiles(self) -> None:
        """Who runs a hook as another agent would is told what that costs."""
        for entry in self.entries:
            if entry.profile != STRICT and entry.enabled:
                message = f"{entry.id!r} runs under the profile {entry.profile!r}, not under Fairlead's laws"
                hint = f"it lets pass what {entry.profile} lets pass, such as after a timeout or a crash"
                self.problems.append(entry.problem("profile", message, hint=hint, severity=WARNING))

    def _twin(self, entry: Entry, first: Entry) -> Entry:
        hint = f"rename one; the other is at {first.origin}"
        problem = entry.problem("id", f"two hooks are named {entry.id!r}", hint=hint)
        self.problems.append(problem)
        number = sum(1 for event, id_ in self._entries if event == entry.event and id_.startswith(entry.id))
        return entry.replace(id=f"{entry.id}#{number + 1}").break_with(problem)

    def _put(self, entry: Entry) -> None:
        key = entry.event, entry.id
        weaker = self._entries.get(key)
        if weaker is None:
            entry = self._completed(entry)
        elif weaker.locked:
            by = (self.held.who_locks(weaker) if self.held is not None else "") or weaker.origin
            message = f"{entry.id!r} is locked by {by}; this entry changes nothing"
            self.problems.append(entry.problem("id", message, hint="remove it here", severity=WARNING))
            return
        else:
            if entry.layer == PROJECT and weaker.layer != PROJECT:
                entry = self._without_audit(entry)
            self._keep_locked_rules(weaker, entry)
            entry = override(weaker, entry)
        if entry.broken and entry.observes:
            return
        self._entries[key] = entry

    def _keep_locked_rules(self, weaker: Entry, stronger: Entry) -> None:
        """A guard with rules that are locked goes on judging by them, beside what it is made into."""
        kept = self.held.kept_beside(weaker) if self.held is not None else None
        if kept is not None and (weaker.event, weaker.id) not in self._kept:
            self._kept.add((weaker.event, weaker.id))
            while (kept.event, kept.id) in self._entries:
                kept = kept.replace(id=f"{kept.id}+")
            self._entries[kept.event, kept.id] = kept
            message = f"rules of {weaker.id!r} are locked: they count as they were, beside this"
            self.problems.append(stronger.problem("id", message, severity=WARNING))

    def _without_audit(self, entry: Entry) -> Entry:
        """A project, even a trusted one, may only say of its own entries that they are watched. It may turn
        another's off, which every list of hooks shows; a guard in audit looks like one that is on."""
        packs = entry.config.get("packs")
        audited = packs.get("audit") if isinstance(packs, dict) else None
        if entry.mode != AUDIT and not audited:
            return entry
        message = f"{entry.id!r} is not this project's own: it stays enforced"
        hint = "put it into audit in your own policy"
        self.problems.append(entry.problem("mode", message, hint=hint, severity=WARNING))
        spots = {name: spot for name, spot in entry.spots.items() if name != "mode" or entry.mode != AUDIT}
        if isinstance(packs, dict):
            kept = {key: value for key, value in packs.items() if key != "audit"}
            entry = entry.replace(config={**entry.config, "packs": kept})
        return entry.replace(mode=ENFORCE, spots=spots)

    def _completed(self, entry: Entry) -> Entry:
        """A built-in's type goes without saying; whatever else is missing breaks the entry."""
        if "type" not in entry.spots and entry.id in BUILTIN_TYPES:
            entry = entry.replace(
                type=BUILTIN_TYPES[entry.id], spots={**entry.spots, "type": (entry.line, 1)}
            )
        problems = [] if entry.id.startswith("policy:") else missing_parts(entry, self._builtin_names)
        self.problems += problems
        for problem in problems:
            entry = entry.break_with(problem)
        return entry


def override(weaker: Entry, stronger: Entry) -> Entry:
    """Field by field: what the stronger entry says, over what it does not.

    What is built in but off is there to be named: whoever names it wants it, unless `enabled` says no.
    """
    changes = {name: getattr(stronger, name) for name in _OVERRIDABLE if name in stronger.spots}
    if weaker.layer == BUILTIN:
        changes["enabled"] = stronger.enabled
    if not stronger.spots.keys().isdisjoint(("path", "url", "plugin")):
        changes |= {
            name: getattr(stronger, name)
            for name in ("path", "url", "plugin", "executor", "headers", "builtin", "source", "modules")
        }
    return weaker.replace(
        **changes,
        layer=stronger.layer,
        file=stronger.file,
        line=stronger.line,
        spots={**weaker.spots, **stronger.spots},
        broken=stronger.broken or weaker.broken,
    )


def untrusted(entries: Iterable[Entry], builtin_names: Collection[str]) -> tuple[list[Entry], list[Problem]]:
    """What an untrusted project may add (law 9): built-in guards that block or ask. The rest is reported."""
    kept: dict[tuple[EventName, str], Entry] = {}
    problems: list[Problem] = []
    for entry in entries:
        objection = _objection(entry, builtin_names)
        if entry.broken:
            continue  # its problems are reported with the file
        if objection:
            message = f"{entry.id!r} {objection}, and this project is not trusted: it is left out"
            hint = "read it, then run `fairlead trust`"
        elif (entry.event, entry.id) in kept:
            message, hint = f"two hooks are named {entry.id!r}: this one is left out", "rename one"
        else:
            kept[entry.event, entry.id] = _addition(entry)
            if entry.mode != AUDIT:
                continue
            message = f"{entry.id!r} asks for audit, and this project is not trusted: it is enforced"
            hint = "read it, then run `fairlead trust`"
        problems.append(entry.problem("id", message, hint=hint, severity=WARNING))
    return list(kept.values()), problems


def _objection(entry: Entry, builtin_names: Collection[str]) -> str:
    if entry.builtin == RULE:
        return ""
    if entry.plugins:
        return "would run a plugin"
    if entry.id not in builtin_names:
        return "would run code"
    return "only records" if BUILTIN_TYPES.get(entry.id) is HookType.OBSERVABILITY else ""


def _addition(entry: Entry) -> Entry:
    """Nothing that could reach another layer's entries survives: no order, no lock, no overrides."""
    return entry.replace(
        id=f"{PROJECT}/{entry.id}",
        type=BUILTIN_TYPES.get(entry.id, HookType.SAFETY),
        builtin=entry.builtin or entry.id,
        path="",
        url="",
        plugin="",
        executor="",
        profile=STRICT,
        before=(),
        after=(),
        locked=False,
        mode=ENFORCE,
        on_error=Decision.ALLOW,  # left out when it breaks, as a file that cannot be read is
        trusted=False,
        providers=NOTHING,
        spots={**entry.spots, "type": (entry.line, 1)},
    )


def changed_project_guards(project: Project) -> list[Entry]:
    """A trusted policy that is no longer what was trusted: its guards are gone, so a human is asked."""
    what = project.failure or f"changed: {', '.join(project.changes[:3])}"
    failure = Failure(
        Stage.PLANNING,
        FailureCode.PLANNING_FAILURE,
        f"{project.folder} is no longer what was trusted ({what}). Review it and run `fairlead trust`, "
        "or give it up with `fairlead untrust`, in your own terminal",
        {"file": project.folder, "changes": list(project.changes)},
    )
    common = Entry(
        f"{PROJECT}/trust",
        HookType.SAFETY,
        EventName.OTHER,
        PROJECT,
        file=project.folder,
        on_error=Decision.ASK,
        trusted=False,
        broken=failure,
    )
    return [common.replace(event=event) for event in sorted(GATING)]

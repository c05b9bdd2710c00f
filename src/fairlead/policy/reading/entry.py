"""One entry of a policy: what a hook needs to be, in the policy's own words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from fairlead.model.decision import Decision
from fairlead.model.event_name import GATING, EventName
from fairlead.model.failure import NOTHING, Failure
from fairlead.model.hook import ENFORCE, STRICT, Header, HookType
from fairlead.model.value import Value
from fairlead.policy.reading.problem import Problem, failure_of
from fairlead.policy.reading.schema import VENDORS, agents_of, canonical_agent

DEFAULT_TIMEOUT = 30.0
PLUGIN = "plugin"
Spots = Mapping[str, tuple[int, int]]
Provider = Mapping[str, object]


class Entry(Value):
    """`spots` has line and column of every key that was written; only these override a weaker layer."""

    id: str
    type: HookType
    event: EventName
    layer: str
    file: str = ""
    line: int = 0
    builtin: str = ""
    """The built-in that this entry names; empty for one with a path or url."""
    path: str = ""
    """Absolute, once the entry is resolved."""
    source: bytes | None = None
    """The hashed bytes of a trusted project's file: compile these, not what the path holds by then."""
    modules: Mapping[str, bytes] | None = None
    """By path, all trusted Python files of the folder: what the file may import beside it."""
    url: str = ""
    headers: tuple[Header, ...] = ()
    plugin: str = ""
    """The middleware of another package that answers."""
    executor: str = ""
    """The plugin that runs `path`; empty for our own ways."""
    matcher: object = None
    priority: int = 0
    before: tuple[str, ...] = ()
    after: tuple[str, ...] = ()
    timeout: float = DEFAULT_TIMEOUT
    on_error: Decision = Decision.BLOCK
    protocol: str = "auto"
    profile: str = STRICT
    config: Mapping[str, object] = NOTHING
    enabled: bool = True
    execution: str = "pipeline"
    locked: bool = False
    mode: str = ENFORCE
    enforced: tuple[str, ...] = ()
    """Packs and rules that count whatever its mode."""
    watched: tuple[str, ...] = ()
    """Packs and rules that are only watched, by what is said of everything."""
    recover: str = ""
    """What becomes of a loss that was saved first, by what is said of everything."""
    trusted: bool = True
    """False: only this entry's blocks and asks count (law 9)."""
    providers: Mapping[str, Provider] = NOTHING  # type: ignore[assignment]
    broken: Failure | None = None
    """Set when the entry cannot run as written: it stays, and answers `on_error` (law 2)."""
    spots: Spots = NOTHING  # type: ignore[assignment]

    @property
    def origin(self) -> str:
        file = self.file
        if self.layer == "fleet":  # its folder is named by a hash, which tells a reader nothing
            file = f"fleet:{file.partition('/bundles/')[2].partition('/')[2]}"
        return f"{file}:{self.line}" if self.line else file or self.layer

    @property
    def runs(self) -> str:
        """What would answer: `builtin`, `python` (a file with `process()`), `command`, `http`, `plugin`, or
        the executor of a plugin."""
        if self.plugin:
            return PLUGIN
        if self.executor:
            return f"{PLUGIN}:{self.executor}"
        if self.url:
            return "http"
        if not self.path:
            return "builtin"
        ours = self.protocol == "auto" and self.profile == STRICT
        return "python" if self.path.endswith(".py") and ours else "command"

    @property
    def runs_as(self) -> str:
        """The same for people, with the profile if it has one."""
        return self.runs if self.profile == STRICT else f"{self.runs} as {self.profile}"

    @property
    def plugins(self) -> list[tuple[str, str]]:
        """Kind and name of whatever it needs of other packages."""
        named = [("middleware", self.plugin), ("executors", self.executor)]
        packs = self.config.get("packs")
        foreign = packs.get("plugins") if isinstance(packs, Mapping) and self.runs == "builtin" else ()
        named += [("packs", str(name)) for name in (foreign if isinstance(foreign, (list, tuple)) else ())]
        return [(kind, name) for kind, name in named if name]

    @property
    def observes(self) -> bool:
        return self.type is HookType.OBSERVABILITY

    def problem(self, key: str, message: str, *, hint: str = "", severity: str = "error") -> Problem:
        """A problem at the place where `key` was written."""
        line, column = self.spots.get(key, (self.line, 1))
        return Problem(self.file or self.layer, line, column, message, hint, severity)

    def break_with(self, problem: Problem) -> Entry:
        """This entry, broken; the first reason stays."""
        return self if self.broken else self.replace(broken=failure_of([problem]))

    def for_agent(self, agent: str) -> Entry:
        """With its file's `providers` overrides for `agent`; an agent's own section beats its vendor's."""
        name = canonical_agent(agent)
        covering = [key for key in self.providers if name and name in agents_of(key)]
        changes: dict[str, object] = {}
        for key in sorted(covering, key=_is_own_name(name)):
            changes.update(self.providers[key])
        if not changes:
            return self
        spots = {**self.spots, **{key: self.spots.get(key, (self.line, 1)) for key in changes}}
        return self.replace(**changes, spots=spots)


def _is_own_name(agent: str) -> Callable[[str], bool]:
    return lambda provider: provider not in VENDORS and canonical_agent(provider) == agent


def guards_for_file(
    file: str, problems: list[Problem], *, layer: str, events: Iterable[EventName] = GATING
) -> list[Entry]:
    """What stands in for a file that cannot be understood: one broken guard per event (law 2)."""
    common = Entry(
        f"policy:{file}",
        HookType.SAFETY,
        EventName.OTHER,
        layer,
        file=file,
        line=problems[0].line,
        broken=failure_of(problems),
    )
    return [common.replace(event=event) for event in sorted(events)]

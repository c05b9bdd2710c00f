"""What is locked stays as the layers of the machine and the fleet have it: nothing later may loosen it."""

from __future__ import annotations

from fairlead.model.value import Value
from fairlead.policy.layering.defaults import TELLS_RULES_APART
from fairlead.policy.mode import DEFAULT_DECISION, Mode, names_of, under_mode
from fairlead.policy.reading.entry import Entry
from fairlead.policy.reading.problem import WARNING, Problem

TYPE_CHECKING = False
if TYPE_CHECKING:
    from fairlead.policy.managed.rules import Managed

FILE_NAME = "managed.yaml"
LAYERS = ("system", "fleet")
KEPT = "managed/"
"""Before the id of a guard that goes on judging by locked rules; no policy can write such an id."""
ONLY = "only"
"""In the config of such a guard: the packs and rules by which it judges."""


class Unmanaged(Value):
    """Where nobody manages anything, as on most machines: nothing is imported to find that out."""

    forbid: frozenset[str] = frozenset()
    lock: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()
    spots: tuple[object, ...] = ()

    def __bool__(self) -> bool:
        return False

    def forbids(self, deed: str) -> bool:
        return False

    def covers_exception(self, rule: str) -> bool:
        return False


UNMANAGED: Managed = Unmanaged()  # type: ignore[assignment]


class Hold(Value):
    """All that was read so far; `mode` is that of the layers that lock."""

    managed: Managed = UNMANAGED
    mode: Mode = Mode()

    @property
    def trusts_projects(self) -> bool:
        return not self.managed.forbids("trust")

    @property
    def locks_defaults(self) -> bool:
        return self.managed.locks((DEFAULT_DECISION,))

    def read(self, path: str, layer: str) -> tuple[Hold, bytes, list[Problem]]:
        if layer not in LAYERS:
            message = "this file counts in /etc/fairlead and in a bundle of the fleet, and is ignored here"
            return self, b"", [Problem(path, 1, 1, message, "remove it", WARNING)]
        from fairlead.policy.managed.rules import Managed, read_managed

        found, content, problems = read_managed(path)
        before = self.managed if self.managed else Managed()
        return self.replace(managed=before.and_also(found)), content, problems

    def at_mode(self, mode: Mode) -> Hold:
        """What is locked is enforced from now on, unless the layers that lock only watch it."""
        kept = [name for name in self.managed.lock if not _is_watched(name, mode)]
        return self.replace(mode=mode.replace(enforce=tuple(dict.fromkeys((*mode.enforce, *kept)))))

    def locked(self, entry: Entry) -> Entry:
        return self._frozen(entry) if self.managed.locks(names_of(entry)) else entry

    def who_locks(self, entry: Entry) -> str:
        """The files that lock it by name; empty when it is locked by its own word."""
        return ", ".join(self.managed.paths) if self.managed.locks(names_of(entry)) else ""

    def kept_beside(self, weaker: Entry) -> Entry | None:
        """The guard as it is now, for the rules that are locked; None where it has none, or is off."""
        rules = [name for name in self.managed.lock if name not in names_of(weaker)]
        if weaker.builtin not in TELLS_RULES_APART or not rules or not weaker.enabled:
            return None
        only = weaker.replace(id=f"{KEPT}{weaker.id}", config={**weaker.config, ONLY: rules})
        return self._frozen(only)

    def final_mode(self, mode: Mode) -> tuple[Mode, list[Problem]]:
        """`recover: pass` of a stronger layer would let pass what is locked."""
        if not self.managed.lock or mode.recover == self.mode.recover:
            return mode, []
        message = "rules are locked on this machine: `recover` counts as its managers say it"
        problem = Problem(mode.path, 1, 1, message, "leave out `recover`", WARNING)
        return mode.replace(recover=self.mode.recover), [problem]

    def _frozen(self, entry: Entry) -> Entry:
        return under_mode([entry], self.mode)[0].replace(locked=True)


def _is_watched(name: str, mode: Mode) -> bool:
    named = {name, name.partition("/")[0]}
    return not named.isdisjoint(mode.audited) or (mode.audits and named.isdisjoint(mode.enforce))

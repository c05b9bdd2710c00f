"""The names of a piece of Python code, and what they stand for at the moment."""

from __future__ import annotations

from fairlead.shell.effects.code.python.running.thing import Thing, joined


class Scope:
    """Where a name that is set under a condition had a value before, it may have either."""

    def __init__(self, parent: Scope | None = None) -> None:
        self.parent = parent
        self.names: dict[str, Thing] = {}
        self.regions: list[set[str]] = []
        """Names that were set first under each of the conditions that hold now."""
        self.elsewhere: dict[str, Scope] = {}

    def find(self, name: str) -> Thing | None:
        scope: Scope | None = self
        while scope is not None:
            found = scope.names.get(name)
            if found is not None:
                return found
            scope = scope.parent
        return None

    def put(self, name: str, thing: Thing) -> None:
        home = self.elsewhere.get(name, self)
        before = home.names.get(name)
        if before is None:
            if self.regions:
                self.regions[-1].add(name)
        elif self.is_conditional(name) or home is not self:
            thing = joined(before, thing)
        home.names[name] = thing

    def is_conditional(self, name: str) -> bool:
        return bool(self.regions) and name not in self.regions[-1]

    def declare_global(self, name: str) -> None:
        top = self
        while top.parent is not None:
            top = top.parent
        self.elsewhere[name] = top

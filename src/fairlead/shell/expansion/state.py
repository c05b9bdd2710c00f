"""What the shell would know at one point of the line: variables, directory, functions, written files."""

from __future__ import annotations

from collections.abc import Collection
from itertools import zip_longest

from fairlead.shell.bounds import MAX_CHOICES
from fairlead.shell.expansion.values import Array, Either, Reference, Scalar, Variable, alternatives, unknown
from fairlead.shell.language.syntax_tree import Compound
from fairlead.shell.script import Word
from fairlead.shell.unknown import Kind, Unknown
from fairlead.shell.word_sets import names

GOES_ON, LEFT, EXITED = 0, 1, 2
"""How a way through the text ends: not yet, out of what is around it, or all of it."""
CWD_CHOICE = "\0cwd"
ARGUMENTS_CHOICE = "\0arguments"
"""Names under which the directory and the arguments are chosen when they may be several."""


_USUALLY_EXPORTED = names("HOME PATH PWD OLDPWD TMPDIR USER LOGNAME SHELL LANG TERM EDITOR PAGER DISPLAY")


_MOST_PLACES = 6


def _common(lists: tuple[list[Scalar], ...]) -> list[Scalar]:
    """What all lists of arguments begin with; where they differ, it may be anything."""
    found: list[Scalar] = []
    for number, values in enumerate(zip_longest(*lists), 1):
        same = all(value == values[0] for value in values)
        found.append(values[0] if same else unknown(f"${number}", Unknown(Kind.ARGUMENT, f"${number}")))
    return found


class State:
    """Copied for a subshell or a branch; `files`, `made` and `assigned` are shared, since what is there stays
    there.

    `made`: temporary folders that the text makes. `assigned`: the names of all variables that were ever set.
    `conditional`: this point may not be reached.
    `descriptors`: files that are open for writing, by number; `casings`: `l` or `u` for variables that turn
    what they are given into small or capital letters. Both are replaced as a whole, never changed. `ended`:
    nothing behind this point is reached, up to the end of a loop or function, or of all.
    """

    __slots__ = (
        "_changes", "aliases", "allexport", "assigned", "casings", "choosing", "conditional", "cwd",
        "cwd_else", "cwd_options", "descriptors", "directories", "ended", "errexit", "exported", "files",
        "functions", "last", "made", "maybe", "noglob", "overwritten", "positional", "positional_options",
        "program", "touched", "variables", "variants",
    )  # fmt: skip

    def __init__(self, cwd: str | None) -> None:
        self.variables: dict[str, Variable] = {}
        self.assigned: set[str] = set()
        self.cwd = cwd
        self.cwd_else: tuple[str, ...] = ()
        self.cwd_options: tuple[str | None, ...] = ()
        self.directories: list[str | None] = []
        self.descriptors: dict[int, Word] = {}
        self.functions: dict[str, Compound] = {}
        self.aliases: dict[str, Scalar] = {}
        self.positional: list[Scalar] = []
        self.program = "bash"
        self.last: Scalar = ""
        self.files: dict[str, Scalar] = {}
        self.made: set[str] = set()
        self.noglob = False
        self.ended = GOES_ON
        self.errexit = False
        self.allexport = False
        self.casings: dict[str, str] = {}
        self.exported: set[str] = set()
        self.maybe: set[str] = set()
        self.variants: dict[str, tuple[Compound, ...]] = {}
        self.positional_options: tuple[list[Scalar], ...] = ()
        self.overwritten: dict[str, list[Scalar]] = {}
        self.choosing = False
        self.conditional = False
        self.touched = 0
        self._changes = [0]

    def copy(self) -> State:
        other = State.__new__(State)
        other.variables = dict(self.variables)
        other.assigned = self.assigned
        other.cwd = self.cwd
        other.cwd_else = self.cwd_else
        other.cwd_options = self.cwd_options
        other.directories = list(self.directories)
        other.descriptors = self.descriptors
        other.functions = dict(self.functions)
        other.aliases = dict(self.aliases)
        other.positional = list(self.positional)
        other.program = self.program
        other.last = self.last
        other.files = self.files
        other.made = self.made
        other.noglob = self.noglob
        other.ended = self.ended
        other.errexit = self.errexit
        other.allexport = self.allexport
        other.casings = self.casings
        other.exported = set(self.exported)
        other.maybe = set(self.maybe)
        other.variants = dict(self.variants)
        other.positional_options = self.positional_options
        other.overwritten = self.overwritten
        other.choosing = self.choosing
        other.conditional = self.conditional
        other.touched = self.touched
        other._changes = self._changes
        return other

    def touch(self) -> None:
        """Note a change: two states with the same number are the same, whichever branch they came from."""
        self._changes[0] += 1
        self.touched = self._changes[0]

    def assign(self, name: str, value: Variable) -> None:
        self.touch()
        current = self.variables.get(name)
        if isinstance(current, Reference) and not isinstance(value, Reference) and current.name != name:
            name = current.name
        if self.casings and isinstance(value, str) and name in self.casings:
            value = value.lower() if self.casings[name] == "l" else value.upper()
        self.variables[name] = value
        self.assigned.add(name)
        if self.allexport:
            self.exported.add(name)

    def export(self, name: str) -> None:
        self.touch()
        self.exported.add(name)

    def process(self, environment: Collection[str]) -> State:
        """What a program started from here finds: only what was exported, and none of the shell's own."""
        child = self.copy()
        kept = self.exported | _USUALLY_EXPORTED
        child.variables = {
            name: value if name in kept or name in environment else None
            for name, value in self.variables.items()
        }
        child.assigned = set()
        child.functions = {name: body for name, body in self.functions.items() if f"{name}()" in kept}
        child.aliases = {}
        child.errexit = child.noglob = child.allexport = False
        return child

    def move(self, cwd: str | None, *, sure: bool = False) -> None:
        """Change directory. Unless `sure`, the move may fail at run time and leave the old directory."""
        self.touch()
        if self.cwd is not None and not sure and self.cwd != cwd and self.cwd not in self.cwd_else:
            self.cwd_else = (*self.cwd_else[-3:], self.cwd)
        self.variables["OLDPWD"] = self.cwd if self.cwd is not None else None
        self.cwd = cwd
        self.cwd_options = ()

    def own_array(self, name: str, *, associative: bool = False) -> Array:
        """The array of that name, made if needed, that may be changed without touching another state."""
        value = self.variables.get(name)
        if isinstance(value, Array):
            array = value.copy()
        else:
            array = Array({"0": value} if isinstance(value, str) else {}, associative)
        self.assign(name, array)
        return array

    def become(self, other: State) -> None:
        """Take over everything from a copy."""
        for slot in self.__slots__:
            setattr(self, slot, getattr(other, slot))

    def join(self, other: State) -> None:
        """This point can be reached with either state."""
        if other.ended:
            self.ended = min(self.ended, other.ended)
            return
        if self.ended:
            self.become(other)
            return
        if self.touched == other.touched:
            return
        for name in self.variables.keys() | other.variables.keys():
            mine, theirs = self.variables.get(name), other.variables.get(name)
            if mine != theirs:
                self.variables[name] = alternatives(mine, theirs)
                self.choosing |= isinstance(self.variables[name], Either)
        self._join_directory(other)
        self._join_functions(other)
        self._join_positional(other)
        self.errexit &= other.errexit
        if self.directories != other.directories:
            self.directories = [None]
        self.maybe |= other.maybe | (self.functions.keys() ^ other.functions.keys())
        self.functions = {**other.functions, **self.functions}
        self.aliases = {**other.aliases, **self.aliases}
        self.touch()

    def _join_functions(self, other: State) -> None:
        for name in self.functions.keys() & other.functions.keys():
            mine, theirs = self.functions[name], other.functions[name]
            found = [*self.variants.get(name, ()), *other.variants.get(name, ())]
            found += [theirs] if theirs is not mine else []
            if found:
                self.variants[name] = tuple(dict.fromkeys(found))[:MAX_CHOICES]

    def _join_positional(self, other: State) -> None:
        options = list(self.positional_options or (self.positional,))
        for arguments in other.positional_options or (other.positional,):
            if arguments not in options:
                options.append(arguments)
        if len(options) > 1:
            self.positional_options = tuple(options[:MAX_CHOICES])
            self.choosing = True

    def settle_place(self) -> None:
        """Where it may stand in several folders, or have several lists of arguments: in one of them, with the
        others in mind, and with what is the same in all lists."""
        if self.cwd_options:
            self.cwd = self.cwd_options[0]
            others = [folder for folder in self.cwd_options[1:] if folder is not None]
            self.cwd_else = tuple(dict.fromkeys((*self.cwd_else, *others)))[:_MOST_PLACES]
            self.cwd_options = ()
            self.touch()
        if self.positional_options:
            self.set_positional(_common(self.positional_options))

    def set_positional(self, arguments: list[Scalar]) -> None:
        self.touch()
        self.positional = arguments
        self.positional_options = ()

    def _join_directory(self, other: State) -> None:
        options = list(self.cwd_options or (self.cwd,))
        for cwd in other.cwd_options or (other.cwd,):
            if cwd not in options:
                options.append(cwd)
        if len(options) > 1:
            self.cwd_options = tuple(options[:MAX_CHOICES])
            self.choosing = True
        for cwd in other.cwd_else:
            if cwd not in self.cwd_else:
                self.cwd_else = (*self.cwd_else, cwd)


class Widened:
    """What a function does whatever it is given: what it prints and what it leaves behind."""

    __slots__ = ("cwd", "moved", "output", "variables")

    def __init__(self) -> None:
        self.output: Scalar = ""
        self.variables: dict[str, Variable] = {}
        self.moved = False
        self.cwd: str | None = None

"""Parameter expansion: values of variables, and the operators of `${…}`."""

from __future__ import annotations

from collections.abc import Callable

from fairlead.shell.bounds import whole_number
from fairlead.shell.expansion.arithmetic import compute, forget_assigned
from fairlead.shell.expansion.reading import Frame, Reading
from fairlead.shell.expansion.state import State
from fairlead.shell.expansion.values import (
    Array,
    Either,
    Partial,
    Reference,
    Scalar,
    Variable,
    concat,
    unknown,
)
from fairlead.shell.language.escapes import decode_escapes
from fairlead.shell.language.glob_patterns import compile_pattern
from fairlead.shell.language.statements import parse_quoted
from fairlead.shell.language.syntax_tree import Literal, Parameter, Part
from fairlead.shell.unknown import Kind, Unknown
from fairlead.shell.word_sets import names

Atom = tuple[str, bool, Unknown | None, bool]
"""Text, quoted, what is unknown about it, and whether the shell splits it."""

Expand = Callable[[Reading, list[Part], State, Frame], list[Atom | None]]

MISSING = unknown("", Unknown(Kind.UNSET))
_PER_RUN = names(
    """
    ? $ ! - _ RANDOM SRANDOM SECONDS LINENO PPID BASHPID UID EUID EPOCHSECONDS EPOCHREALTIME
    """
)
_DEFAULTS = {
    "IFS": " \t\n", "SHELL": "/bin/bash", "BASH": "/bin/bash", "OPTIND": "1", "PS4": "+ ", "BASH_SOURCE": "",
}  # fmt: skip
_BELOW_HOME = {
    "XDG_CONFIG_HOME": ".config",
    "XDG_DATA_HOME": ".local/share",
    "XDG_STATE_HOME": ".local/state",
    "XDG_CACHE_HOME": ".cache",
}
"""Where these point on nearly every machine that sets them."""
_LONGEST_TRIMMED = 2_000
_TESTS = frozenset({"-", ":-", "=", ":=", "?", ":?", "+", ":+"})


def lookup(run: Reading, state: State, name: str) -> Variable:
    """What `name` holds; MISSING when nothing in the text or the environment says."""
    if name in state.variables:
        value = state.variables[name]
        if isinstance(value, Reference):
            return _follow(run, state, value)
        return _choose(run, name, value) if isinstance(value, Either) else value
    if name.isdigit():
        number = whole_number(name)
        found = None if number is None else _positional(state, number)
        return MISSING if found is None and run.sources.file is not None else found
    if name == "#":
        return str(len(state.positional))
    if name == "_" and state.last:
        return state.last
    if name == "HOME":
        return run.environment.get("HOME", run.home)
    if name == "PWD":
        return state.cwd if state.cwd is not None else unknown("$PWD", Unknown(Kind.DIRECTORY))
    if name in run.environment:
        return run.environment[name]
    if name in _BELOW_HOME and run.home:
        return f"{run.home}/{_BELOW_HOME[name]}"
    if name in _PER_RUN:
        return unknown(f"${name}", Unknown(Kind.PER_RUN, f"${name}"))
    return _DEFAULTS.get(name, MISSING)


def _follow(run: Reading, state: State, reference: Reference) -> Variable:
    for _ in range(5):
        value = state.variables.get(reference.name)
        if not isinstance(value, Reference):
            return lookup(run, state, reference.name)
        reference = value
    return unknown("", Unknown(Kind.CIRCULAR_NAMES))


def _look_up_number(run: Reading, state: State, frame: Frame, expand: Expand) -> Callable[[str], Variable]:
    """As arithmetic looks a variable up: an index inside its value is expanded, and may run something."""

    def look(name: str) -> Variable:
        value = lookup(run, state, name)
        if isinstance(value, str):
            expand_indices(run, value, state, frame, expand)
            forget_assigned(value, state.assign)
        elif isinstance(value, Partial):
            run.computed.append(value.unknown)
        return value

    return look


def compute_number(
    run: Reading, expression: Scalar, state: State, frame: Frame, expand: Expand
) -> int | None:
    """The value of an arithmetic expression; what is unknown of it may hold an index that runs something."""
    if isinstance(expression, Partial):
        run.computed.append(expression.unknown)
    return compute(expression, _look_up_number(run, state, frame, expand), state.assign)


def expand_indices(run: Reading, text: str, state: State, frame: Frame, expand: Expand) -> None:
    """`a[$(command)]` as a value or a name runs the command where arithmetic or a builtin reads it."""
    if "[" in text and ("$" in text or "`" in text):
        expand(run, parse_quoted(text, run.budget), state, frame)


def _choose(run: Reading, name: str, value: Either) -> Variable:
    if run.budget.widening:
        return unknown(f"${name}", Unknown(Kind.ONE_OF_VALUES, f"${name}", str(len(value.options))))
    run.seen[name] = len(value.options)
    return value.options[min(run.picks.get(name, 0), len(value.options) - 1)]


def _positional(state: State, number: int) -> Scalar | None:
    if number == 0:
        return state.program
    return state.positional[number - 1] if number <= len(state.positional) else None


def expand_parameter(
    run: Reading, part: Parameter, state: State, frame: Frame, expand: Expand
) -> list[Atom | None]:
    if part.name in ("@", "*") and part.index is None and not part.indirect:
        if part.length:
            return [(str(len(state.positional)), part.quoted, None, False)]
        return _many(run, part, list(state.positional), state, frame, expand)
    if part.index is not None or isinstance(state.variables.get(part.name), Array):
        return _element(run, part, state, frame, expand)
    name = _indirect(run, part, state)
    if name is None:
        if part.argument and not part.operator:
            expand(run, part.argument, state, frame)
        return [_unknown_atom(part, Kind.INDIRECT)]
    return _scalar_atoms(run, part, lookup(run, state, name), name, state, frame, expand)


def _indirect(run: Reading, part: Parameter, state: State) -> str | None:
    if not part.indirect:
        return part.name
    if part.operator.startswith("@"):
        return None
    value = lookup(run, state, part.name)
    return value if isinstance(value, str) and value else None


def _scalar_atoms(
    run: Reading, part: Parameter, value: Variable, name: str, state: State, frame: Frame, expand: Expand
) -> list[Atom | None]:
    if isinstance(value, Array):
        value = value.items.get("0", None)
    if isinstance(value, Either | Reference):
        value = MISSING
    if part.length:
        return [_atom(part, str(len(value or "")) if not isinstance(value, Partial) else None)]
    if part.operator in _TESTS:
        return _with_default(run, part, value, name, state, frame, expand)
    if part.operator and value is not None:
        value = _transform(run, part, value, state, frame, expand)
    return _value_atoms(part, value)


def _value_atoms(part: Parameter, value: Scalar | None) -> list[Atom | None]:
    if isinstance(value, str):
        return [(value, part.quoted, None, not part.quoted)]
    if value is None:
        return [("", part.quoted, None, not part.quoted)]
    if value is MISSING:
        return [_unknown_atom(part, Kind.UNSET)]
    return [(shown or part.source, part.quoted, why, not part.quoted) for shown, why in value.pieces]


def _unknown_atom(part: Parameter, kind: str) -> Atom:
    return (part.source, part.quoted, Unknown(kind, part.source), not part.quoted)


def _atom(part: Parameter, text: str | None) -> Atom:
    if text is None:
        return _unknown_atom(part, Kind.VARIABLE)
    return (text, part.quoted, None, not part.quoted)


def _with_default(
    run: Reading,
    part: Parameter,
    value: Scalar | None,
    name: str,
    state: State,
    frame: Frame,
    expand: Expand,
) -> list[Atom | None]:
    colon, operator = part.operator.startswith(":"), part.operator[-1]
    if value is MISSING and operator in "+?":
        atoms = expand(run, part.argument, state, frame)
        shown = "".join(atom[0] for atom in atoms if atom and operator == "+")
        why = Unknown(Kind.DEPENDS_ON_ENVIRONMENT, part.source)
        return [(shown or part.source, part.quoted, why, True)]
    present = value is not None and value is not MISSING and not (colon and value == "")
    if operator == "+":
        return expand(run, part.argument, state, frame) if present else _value_atoms(part, None)
    if present:
        return _value_atoms(part, value)
    if value is MISSING and run.sources.file is None:
        run.assumed_unset.add(name)
    atoms = expand(run, part.argument, state, frame)
    if operator == "?":
        return _value_atoms(part, value)
    if operator == "=":
        state.assign(name, _joined(atoms))
    return [
        (atom[0], atom[1], atom[2], not atom[1] and not part.quoted) if atom else None for atom in atoms
    ] or [("", part.quoted, None, False)]


def _joined(atoms: list[Atom | None]) -> Scalar:
    return concat(
        " " if atom is None else Partial(((atom[0], atom[2]),)) if atom[2] else atom[0] for atom in atoms
    )


def _many(
    run: Reading, part: Parameter, items: list[Scalar], state: State, frame: Frame, expand: Expand
) -> list[Atom | None]:
    """`$@`, `$*` and whole arrays."""
    if part.operator in _TESTS:
        present = bool(items)
        if present == (part.operator[-1] == "+"):
            return expand(run, part.argument, state, frame)
    elif part.operator == ":":
        items = _slice_items(run, part, items, state, frame, expand)
    elif part.operator:
        items = [_transform(run, part, item, state, frame, expand) for item in items]
    star = part.name == "*" or (part.index is not None and _index_text(part) == "*")
    if star and part.quoted and not items:
        return [("", True, None, False)]
    atoms: list[Atom | None] = []
    separator = _first_separator(run, state)
    for number, item in enumerate(items):
        if number:
            atoms.append((separator, True, None, False) if part.quoted and star else None)
        atoms += _value_atoms(part, item)
    return atoms


def _first_separator(run: Reading, state: State) -> str:
    value = lookup(run, state, "IFS")
    return value[:1] if isinstance(value, str) else " "


def _slice_items(
    run: Reading, part: Parameter, items: list[Scalar], state: State, frame: Frame, expand: Expand
) -> list[Scalar]:
    bounds = _slice_bounds(run, part, state, frame, expand)
    if bounds is None:
        return [unknown(part.source, Unknown(Kind.PART, part.source))]
    offset, length = bounds
    if part.index is None:
        items = [state.program, *items] if offset == 0 else items
        offset = offset - 1 if offset > 0 else offset
    offset = max(0, len(items) + offset) if offset < 0 else offset
    return items[offset:] if length is None else items[offset : offset + max(length, 0)]


def _index_text(part: Parameter) -> str:
    index = part.index or []
    return index[0].text if len(index) == 1 and isinstance(index[0], Literal) else ""


def _element(run: Reading, part: Parameter, state: State, frame: Frame, expand: Expand) -> list[Atom | None]:
    value = lookup(run, state, part.name)
    array = value if isinstance(value, Array) else None
    index = _index_text(part) if part.index is not None else "0"
    if index in ("@", "*"):
        items: list[Scalar] = (
            list(array.items.values()) if array else ([value] if isinstance(value, str) else [])
        )
        if value is not MISSING and isinstance(value, Partial):
            return _value_atoms(part, value)
        if value is MISSING:
            return [_unknown_atom(part, Kind.ARRAY)]
        if part.length:
            return [_atom(part, str(len(items)))]
        if part.indirect and array:
            items = [*array.items]
        return _many(run, part, items, state, frame, expand)
    key = index if part.index is None else _index(run, part.index, array, state, frame, expand)
    if isinstance(value, Partial) and value is not MISSING:
        return _value_atoms(part, value)  # one of what it may hold
    if key is None or (array is None and value is not None and not isinstance(value, str)):
        return [_unknown_atom(part, Kind.ELEMENT)]
    element = array.items.get(key) if array else (value if key == "0" and isinstance(value, str) else None)
    return _scalar_atoms(run, part, element, part.name, state, frame, expand)


def _index(
    run: Reading, parts: list[Part], array: Array | None, state: State, frame: Frame, expand: Expand
) -> str | None:
    text = _joined(expand(run, parts, state, frame))
    if not isinstance(text, str):
        return None
    if array and array.associative:
        return text
    number = compute_number(run, text, state, frame, expand)
    if number is None:
        return None
    if number < 0 and array:
        number += array.next_index()
    return str(number)


def _transform(
    run: Reading, part: Parameter, value: Scalar, state: State, frame: Frame, expand: Expand
) -> Scalar:
    """Trims, replacements, substrings and changes of case, on text that is known."""
    operator = part.operator
    why = _part_of(value, part)
    source = unknown(part.source, why)
    if isinstance(value, Partial):
        expand(run, [*part.argument, *part.replacement], state, frame)  # it may run something all the same
        return MISSING if value is MISSING else source
    from fairlead.shell.expansion.changed_text import (  # only where an operator changes text
        in_case,
        replaced,
        substring,
        trimmed,
    )

    if operator == ":":
        bounds = _slice_bounds(run, part, state, frame, expand)
        return substring(value, *bounds) if bounds else source
    if operator == "@P":
        return _joined(expand(run, parse_quoted(value, run.budget), state, frame))
    if operator == "@E":
        return decode_escapes(value)[0]
    if operator.startswith("@"):
        return {"U": value.upper(), "L": value.lower(), "u": value[:1].upper() + value[1:]}.get(
            operator[1], source if operator[1] == "A" else value
        )
    pattern = _pattern(run, part.argument, state, frame, expand)
    if pattern is None:
        return source
    if operator[0] in "^,":
        return in_case(value, operator)
    compiled = compile_pattern(pattern, len(value))
    if compiled is None:
        return source
    if operator[0] in "#%":
        return trimmed(value, compiled, operator) if len(value) <= _LONGEST_TRIMMED else source
    replacement = _joined(expand(run, part.replacement, state, frame))
    if not isinstance(replacement, str):
        return source
    return replaced(value, compiled, operator, replacement) if pattern else value


def _part_of(value: Scalar, part: Parameter) -> Unknown:
    """Of an output, all but the end that is cut off: `${x% }`; where more may go, nobody knows which part."""
    if not isinstance(value, Partial):
        return Unknown(Kind.PART_OF_TEXT, part.source)
    whole = part.operator in ("%", "#") and value is not MISSING and bool(value.unknown.commands())
    of = value.unknown.parts() if whole and value.unknown.kind is not Kind.PART_OF_TEXT else ()
    return Unknown(Kind.PART_OF_TEXT, part.source, of=of, network=value.network)


def _pattern(
    run: Reading, parts: list[Part], state: State, frame: Frame, expand: Expand
) -> list[tuple[str, bool]] | None:
    atoms = expand(run, parts, state, frame)
    if any(atom and atom[2] for atom in atoms):
        return None
    return [(atom[0], atom[1]) for atom in atoms if atom]


def _slice_bounds(
    run: Reading, part: Parameter, state: State, frame: Frame, expand: Expand
) -> tuple[int, int | None] | None:
    text = _joined(expand(run, part.argument, state, frame))
    if not isinstance(text, str):
        return None
    offset_text, _, length_text = text.partition(":")
    offset = compute_number(run, offset_text, state, frame, expand)
    if offset is None:
        return None
    if not length_text.strip():
        return offset, None if ":" not in text else 0
    length = compute_number(run, length_text, state, frame, expand)
    return None if length is None else (offset, length)

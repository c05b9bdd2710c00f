"""Words into arguments: braces, tildes, parameters, substitutions, field splitting and quote removal."""

from __future__ import annotations

import re
from collections.abc import Sequence as Items

from fairlead.shell.bounds import MAX_STEPS
from fairlead.shell.expansion.descriptors import new_sink
from fairlead.shell.expansion.parameters import Atom, compute_number, expand_parameter, lookup
from fairlead.shell.expansion.reading import Feed, Frame, Reading
from fairlead.shell.expansion.state import State
from fairlead.shell.expansion.values import Partial, Scalar, concat, pieces_of, strip_newlines, unknown
from fairlead.shell.language.braces import expand_braces, has_braces
from fairlead.shell.language.syntax_tree import (
    Arithmetic,
    Literal,
    Parameter,
    Part,
    Substitution,
    Unread,
    WordNode,
)
from fairlead.shell.lazy_pattern import lazy
from fairlead.shell.script import Word
from fairlead.shell.unknown import Kind, Unknown, several

_TILDE = lazy(r"~([A-Za-z0-9_.+-]*)(?=/|\Z)")
_ASSIGNED = lazy(r"[A-Za-z_]\w*=")
"""`dd of=~/x`: bash expands the tilde of whatever argument reads as an assignment."""
_GLOB = lazy(r"[*?]|[@+!]\(")
MAX_FIELDS = 5_000


def expand_word(run: Reading, node: WordNode, state: State, frame: Frame) -> list[Word]:
    """The arguments that one word becomes; none, one or many."""
    if node.plain is not None:
        return [Word(node.plain, None, "", False, *run.span(node.start, node.end, frame))]
    span = run.span(node.start, node.end, frame)
    lists = expand_braces(node.parts) if has_braces(node.parts) else [node.parts]
    if lists is None:
        return [_too_many(run, node.parts, state, frame, span)]
    words: list[Word] = []
    for parts in lists:
        run.budget.spend()
        atoms = expand_parts(run, parts, state, frame, tilde=True)
        fields = split_fields(atoms, field_separators(run, state))
        run.budget.spend(len(fields))
        for field in fields:
            words.append(as_word(field, span, noglob=state.noglob))
    return words


def _too_many(run: Reading, parts: list[Part], state: State, frame: Frame, span: tuple[int, int]) -> Word:
    """Braces that make too many words; what is substituted in them runs all the same."""
    atoms = expand_parts(run, parts, state, frame)
    shown = "".join(atom[0] for atom in atoms if atom)[:200]
    return Word(shown, Unknown(Kind.TOO_MANY_WORDS), shown.partition("{")[0], False, *span)


def expand_text(run: Reading, node: WordNode, state: State, frame: Frame) -> Scalar:
    """One word where the shell neither splits nor expands patterns: a value, a subject, a here-string."""
    if node.plain is not None:
        return node.plain
    return parts_text(run, node.parts, state, frame, tilde=True)


def parts_text(run: Reading, parts: list[Part], state: State, frame: Frame, *, tilde: bool = False) -> Scalar:
    atoms = expand_parts(run, parts, state, frame, tilde=tilde, colons=tilde)
    return concat(_scalar(atom) for atom in atoms)


def expand_parts(
    run: Reading,
    parts: Items[Part],
    state: State,
    frame: Frame,
    *,
    tilde: bool = False,
    colons: bool = False,
) -> list[Atom | None]:
    """Atoms, with None where `"$@"` starts a new field."""
    atoms: list[Atom | None] = []
    for index, part in enumerate(parts):
        if isinstance(part, Literal):
            text = part.text
            if tilde and not part.quoted and "~" in text:
                last = index == len(parts) - 1
                assigned = _ASSIGNED.match(text) if index == 0 and not colons else None
                head = assigned.group() if assigned else ""
                text = head + _expand_tildes(
                    run, text[len(head) :], state, first=index == 0, last=last, colons=colons or bool(head)
                )
            atoms.append((text, part.quoted, None, False))
        elif isinstance(part, Parameter):
            run.budget.spend()
            atoms += expand_parameter(run, part, state, frame, expand_parts)
        elif isinstance(part, Substitution):
            atoms += scalar_atoms(_substitute(run, part, state, frame), part.quoted or bool(part.direction))
        elif isinstance(part, Arithmetic):
            expression = parts_text(run, part.parts, state, frame)
            value = compute_number(run, expression, state, frame, expand_parts)
            result = (
                unknown(part.source, Unknown(Kind.ARITHMETIC, part.source)) if value is None else str(value)
            )
            atoms += scalar_atoms(result, part.quoted)
        elif isinstance(part, Unread) and part.index < len(run.pieces):
            shown, why = run.pieces[part.index]
            atoms.append((shown, part.quoted, why, True))
    return atoms


def scalar_atoms(value: Scalar, quoted: bool) -> list[Atom]:
    return [(shown, quoted, why, not quoted) for shown, why in pieces_of(value)]


def _scalar(atom: Atom | None) -> Scalar:
    if atom is None:
        return " "
    return Partial(((atom[0], atom[2]),)) if atom[2] else atom[0]


def _substitute(run: Reading, part: Substitution, state: State, frame: Frame) -> Scalar:
    run.budget.spend()
    if not run.enter():
        too_deep = Unknown(Kind.TOO_DEEP)
        run.note(too_deep, frame.span or (0, 0), executed=True)
        return unknown(part.source, too_deep)
    try:
        inner = frame.inside(f"{part.direction}()" if part.direction else "$()")
        inner.wrappers = ()
        inner.want = part.direction != ">"
        if part.direction == ">":
            return _sink(run, part, state.copy(), inner)
        output = run.capture(part.body, state.copy(), inner)
    finally:
        run.leave()
    if not part.direction:
        return strip_newlines(output)
    path = f"/dev/fd/{63 + sum(1 for name in state.files if name.startswith('/dev/fd/'))}"
    state.files[path] = output
    return path


def _sink(run: Reading, part: Substitution, state: State, inner: Frame) -> str:
    """`>(…)` runs with what the command around it writes there, which is known when that has run."""

    def fed(text: Scalar | None) -> None:
        unread = unknown(part.source, Unknown(Kind.WRITTEN_THERE))
        inner.feed = Feed("pipe", unread if text is None else text)
        run.capture(part.body, state, inner)

    return new_sink(run, fed)


def _expand_tildes(run: Reading, text: str, state: State, *, first: bool, last: bool, colons: bool) -> str:
    pieces = text.split(":") if colons else [text]
    for index, piece in enumerate(pieces):
        if not piece.startswith("~") or (index == 0 and not first):
            continue
        match = _TILDE.match(piece)
        if match and (match.end() < len(piece) or last or index < len(pieces) - 1):
            pieces[index] = _home_of(run, match.group(1), state) + piece[match.end() :]
    return ":".join(pieces)


def _home_of(run: Reading, user: str, state: State) -> str:
    if user == "":
        value = lookup(run, state, "HOME")
        return value if isinstance(value, str) else run.home
    if user == "+":
        return state.cwd or "~+"
    if user == "-":
        value = lookup(run, state, "OLDPWD")
        return value if isinstance(value, str) else "~-"
    if user == "root":
        return "/root"
    parent, _, name = run.home.rpartition("/")
    return run.home if name == user else f"{parent}/{user}"


def field_separators(run: Reading, state: State) -> str:
    if "IFS" not in state.variables and "IFS" not in run.environment:
        return " \t\n"
    value = lookup(run, state, "IFS")
    return value if isinstance(value, str) else " \t\n"


def split_fields(atoms: list[Atom | None], separators: str) -> list[list[Atom]]:
    """Atoms into fields; a field that is empty and was never quoted vanishes."""
    fields: list[list[Atom]] = []
    current: list[Atom] = []
    for atom in atoms:
        if atom is None:
            fields.append(current)
            current = []
        elif not atom[3] or atom[2] or not any(char in atom[0] for char in separators):
            current.append(atom)
        else:
            current = _split_atom(atom, separators, fields, current)
        if len(fields) > MAX_FIELDS:
            break
    fields.append(current)
    kept = []
    for field in fields:
        for atom in field:
            if atom[0] or atom[1] or atom[2]:
                kept.append(field)
                break
    return kept


def _split_atom(atom: Atom, separators: str, fields: list[list[Atom]], current: list[Atom]) -> list[Atom]:
    text, blanks = atom[0], "".join(char for char in separators if char in " \t\n")
    hard = "".join(char for char in separators if char not in " \t\n")
    around = f"[{re.escape(blanks)}]*" if blanks else ""
    expression = f"{around}[{re.escape(hard)}]{around}" if hard else ""
    soft = f"[{re.escape(blanks)}]+" if blanks else ""
    pieces = re.split("|".join(filter(None, (expression, soft))), text, maxsplit=MAX_STEPS)
    for index, piece in enumerate(pieces):
        if index:
            if current or hard:
                fields.append(current)
            current = []
        if piece:
            current.append((piece, False, None, True))
    return current


def _is_pattern(text: str) -> bool:
    bracket = text.find("[")
    return _GLOB.search(text) is not None or (bracket >= 0 and text.find("]", bracket + 2) > 0)


def as_word(field: list[Atom], span: tuple[int, int], *, noglob: bool = False) -> Word:
    text = prefix = ""
    glob = False
    found: list[Unknown] = []
    for shown, quoted, why, _ in field:
        if why is not None:
            if not found:
                prefix = text
            found.append(why)
        elif not (glob or noglob or quoted):
            glob = _is_pattern(shown)
        text += shown
    if not found:
        return Word(text, None, "", glob, *span)
    pieces = tuple([(atom[0], atom[2]) for atom in field])
    return Word(text, found[0] if len(found) == 1 else several(found), prefix, glob, *span, pieces)

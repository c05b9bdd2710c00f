"""Puts entries into a JSON settings file, and takes ours out again, touching nothing else."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from fairlead.errors import SettingsError
from fairlead.model.value import Value
from fairlead.settings.formats.json_text import parse, skip_blank, strings_in
from fairlead.settings.formats.text_tree import Node, indent_at, newline_of, place

MARK = "fairlead-hook"
"""Every entry of ours runs the client, whose name is its mark of ownership."""


class Item(Value):
    """An entry for the array at `pointer`; what is missing on the way is made."""

    pointer: tuple[str, ...]
    value: object


class Default(Value):
    """A member that the file must have, and that is left alone if it has one."""

    pointer: tuple[str, ...]
    value: object


class Beside(Value):
    """An entry for the array at `pointer`, if there is one: else the agent reads that array elsewhere."""

    pointer: tuple[str, ...]
    value: object


class Forced(Value):
    """A member that the file must have with this very value, whatever it said before."""

    pointer: tuple[str, ...]
    value: object


class Included(Value):
    """Texts that the list at `pointer` must have among its own; what is missing on the way is made."""

    pointer: tuple[str, ...]
    texts: tuple[str, ...]


Edit = Item | Default | Beside | Forced | Included


def with_entries(text: str, edits: Sequence[Edit]) -> str:
    """The document with all entries in it. Raises SettingsError where the file has another shape."""
    made = text if _has_value(text) else _new_document(text)
    for edit in edits:
        made = _edited(made, _as_forced(made, edit) if isinstance(edit, Included) else edit)
    return made


def _as_forced(text: str, edit: Included) -> Forced:
    found = value_in(text, edit.pointer)
    if found is not None and not isinstance(found, list):
        raise SettingsError(f"{'.'.join(edit.pointer)} is not a list")
    there = found or []
    return Forced(edit.pointer, [*there, *(each for each in edit.texts if each not in there)])


def without_included(text: str, before: str, edit: Included) -> str:
    """The list without our texts that it had not before; all of it, where there was none."""
    found, old = value_in(text, edit.pointer), value_in(before, edit.pointer)
    if not isinstance(found, list):
        return text
    had = old if isinstance(old, list) else []
    kept = [each for each in found if each not in edit.texts or each in had]
    if kept or isinstance(old, list):
        return _edited(text, Forced(edit.pointer, kept))
    return without_new_member(text, before, edit.pointer)


def without_new_member(text: str, before: str, pointer: Sequence[str]) -> str:
    """Without this member, and without each object above it that is empty now and was not there before."""
    text = without_member(text, pointer)
    for depth in range(len(pointer) - 1, 0, -1):
        above = pointer[:depth]
        if value_in(text, above) != {} or value_in(before, above) is not None:
            return text
        text = without_member(text, above)
    return text


def is_same(one: object, other: object) -> bool:
    """`1` is not `true`."""
    return type(one) is type(other) and one == other


def value_in(text: str, pointer: Sequence[str]) -> object:
    """None where there is no such member."""
    value = parse(text).value if _has_value(text) else None
    for key in pointer:
        value = value.get(key) if isinstance(value, dict) else None
    return value


def with_text_at(text: str, node: Node, literal: str) -> str:
    return text[: node.start] + literal + text[node.end :]


def without_member(text: str, pointer: Sequence[str]) -> str:
    """The document without this member; the object that it leaves empty stays."""
    node = parse(text)
    for key in pointer[:-1]:
        inner = node.child(key)
        if inner is None:
            return text
        node = inner
    at = next((index for index, child in enumerate(node.children) if child.key == pointer[-1]), None)
    return text if at is None or not isinstance(node.value, dict) else _removed(text, node, at)


def without_entries(text: str) -> str:
    """The document without any entry of ours, and without what is empty for that reason."""
    found = _find_ours(parse(text)) if _has_value(text) else None
    while found is not None:
        text = _pruned(text, found)
        found = _find_ours(parse(text))
    return text


def _has_value(text: str) -> bool:
    return skip_blank(text, 0) < len(text)


def _new_document(text: str) -> str:
    return f"{text}{{}}\n" if not text or text.endswith("\n") else f"{text}\n{{}}\n"


def _edited(text: str, edit: Item | Default | Beside | Forced) -> str:
    node = parse(text)
    for depth, key in enumerate(edit.pointer):
        if not isinstance(node.value, dict):
            raise _misshapen(text, node, edit.pointer[:depth], "an object")
        inner = node.child(key)
        if inner is None and isinstance(edit, Beside):
            return text
        if inner is None:
            return _appended(text, node, _member(edit, depth), key=key)
        node = inner
    if isinstance(edit, Default):
        return text
    if isinstance(edit, Forced):
        return text if is_same(node.value, edit.value) else with_text_at(text, node, json.dumps(edit.value))
    if not isinstance(node.value, list):
        raise _misshapen(text, node, edit.pointer, "a list")
    return text if edit.value in node.value else _appended(text, node, edit.value)


def _misshapen(text: str, node: Node, pointer: Sequence[str], wanted: str) -> SettingsError:
    name = ".".join(pointer) or "the document"
    return SettingsError(f"{place(text, node.start)}: {name} is not {wanted}")


def _member(edit: Item | Default | Beside | Forced, depth: int) -> object:
    """What has to stand under the first missing name: the rest of the way, with the value at its end."""
    value = [edit.value] if isinstance(edit, Item) else edit.value
    for key in reversed(edit.pointer[depth + 1 :]):
        value = {key: value}
    return value


# --- adding ---


def _appended(text: str, container: Node, value: object, *, key: str | None = None) -> str:
    newline = newline_of(text)
    unit = _indent_unit(text)
    base = indent_at(text, container.start)
    if not container.children:
        rendered = _rendered(value, key, base + unit, unit, newline)
        inside = f"{newline}{base}{unit}{rendered}{newline}{base}"
        return text[: container.start + 1] + inside + text[container.start + 1 :].lstrip(" \t\r\n")
    last = container.children[-1]
    if "\n" not in text[container.start : last.start]:
        rendered = json.dumps(value) if key is None else f"{json.dumps(key)}: {json.dumps(value)}"
        return f"{text[: last.node.end]}, {rendered}{text[last.node.end :]}"
    indent = indent_at(text, last.start)
    rendered = _rendered(value, key, indent, unit, newline)
    comma_at = last.node.end
    line_end = _end_of_comment(text, comma_at)
    had_comma = "," in _uncommented(text[comma_at:line_end])
    separated = text[comma_at:line_end] if had_comma else f",{text[comma_at:line_end]}"
    trailing = "," if had_comma else ""
    return f"{text[:comma_at]}{separated}{newline}{indent}{rendered}{trailing}{text[line_end:]}"


def _end_of_comment(text: str, at: int) -> int:
    """Past a comma and a comment that stand on the same line: they belong to what stands before them."""
    position = at
    while True:
        end = len(text) if (found := text.find("\n", position)) < 0 else found
        rest = text[position:end]
        stripped = rest.lstrip(" \t")
        start = position + len(rest) - len(stripped)
        if stripped.startswith("//"):
            return end - 1 if text[end - 1 : end] == "\r" else end
        if stripped.startswith("/*") and "*/" in stripped:
            position = start + stripped.index("*/") + 2
        elif stripped.startswith(","):
            position = start + 1
        else:
            return position


def _uncommented(text: str) -> str:
    kept, position = "", 0
    while position < len(text):
        after = skip_blank(text, position)
        if after > position:
            position = after
            continue
        kept += text[position]
        position += 1
    return kept


def _rendered(value: object, key: str | None, indent: str, unit: str, newline: str) -> str:
    body = json.dumps(value, indent=unit, ensure_ascii=False).replace("\n", f"{newline}{indent}")
    return body if key is None else f"{json.dumps(key)}: {body}"


def _indent_unit(text: str) -> str:
    for line in text.splitlines():
        indent = line[: len(line) - len(line.lstrip(" \t"))]
        if indent and line.strip():
            return "\t" if indent.startswith("\t") else indent
    return "  "


# --- removing ---


def _find_ours(node: Node, trail: tuple[tuple[Node, int], ...] = ()) -> tuple[tuple[Node, int], ...] | None:
    """The way to the innermost list item that holds our mark: containers, and the place in each."""
    for index, child in enumerate(node.children):
        if not any(MARK in text for text in strings_in(child.node.value)):
            continue
        here = (*trail, (node, index))
        deeper = _find_ours(child.node, here)
        if deeper is not None:
            return deeper
        if isinstance(node.value, list):
            return here
    return None


def _pruned(text: str, trail: tuple[tuple[Node, int], ...]) -> str:
    """Removes the item; a list that it leaves empty goes with the group or the name that it belongs to."""
    depth = len(trail) - 1
    while depth > 0 and len(trail[depth][0].children) == 1:
        depth -= 1
        if (
            isinstance(trail[depth][0].value, dict)
            and depth > 0
            and isinstance(trail[depth - 1][0].value, list)
        ):
            depth -= 1  # the list was all that a group was for
    container, index = trail[depth]
    return _removed(text, container, index)


def _removed(text: str, container: Node, index: int) -> str:
    child = container.children[index]
    if len(container.children) == 1:
        end = _past_comma(text, child.node.end)
        rest = text[end:]
        return (
            text[: container.start + 1]
            + _outside(text[container.start + 1 : child.start])
            + rest.lstrip(" \t\r\n")
        )
    if index > 0:
        before = container.children[index - 1].node.end
        comma = next(_commas(text, before))
        if text[comma + 1 : child.start].strip():
            return _removed_behind_comment(text, container, index, comma)
        return text[:comma] + text[child.node.end :]
    following = container.children[1].start
    return (
        text[: child.start] + _outside(text[_past_comma(text, child.node.end) : following]) + text[following:]
    )


def _removed_behind_comment(text: str, container: Node, index: int, comma: int) -> str:
    """A comment stands before the item, and stays; the end of its line too, or it would swallow the rest."""
    child = container.children[index]
    if index + 1 < len(container.children):
        return text[: child.start] + text[_past_comma(text, child.node.end) :].lstrip(" \t\r\n")
    past = _past_comma(text, child.node.end)
    before = text[: comma + 1] if past > child.node.end else text[:comma]
    gap, rest = text[comma + 1 : child.start], text[past:]
    ends_its_line = rest.lstrip(" \t").startswith(("\r", "\n"))
    return before + (gap.rstrip() if ends_its_line else gap.rstrip(" \t")) + rest


def _outside(text: str) -> str:
    """What stands between two items is kept only if it says something."""
    return text if text.strip() else ""


def _commas(text: str, at: int) -> Iterator[int]:
    position = skip_blank(text, at)
    while text[position : position + 1] == ",":
        yield position
        position = skip_blank(text, position + 1)


def _past_comma(text: str, at: int) -> int:
    return next((comma + 1 for comma in _commas(text, at)), at)

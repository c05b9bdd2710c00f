"""Changes the beginning of a list of words in a settings file; gives an entry a list, or takes it away.

What is put in stands where it can be cut out again, so that the rest of the text stays as it was.
"""

from __future__ import annotations

from collections.abc import Sequence

from fairlead.errors import SettingsError
from fairlead.settings.formats.json_text import skip_blank
from fairlead.settings.formats.notation import Notation
from fairlead.settings.formats.text_tree import Child, Node, Splice, indent_at, newline_of, place


def with_beginning(text: str, words: Node, drop: int, beginning: Sequence[str]) -> Splice:
    """`beginning`, as it is spelled in the file, instead of the first `drop` words of the list."""
    if _is_in_brackets(text, words):
        return _in_brackets(text, words, drop, beginning)
    return _by_dashes(text, words, drop, beginning)


def _is_in_brackets(text: str, node: Node) -> bool:
    """Else it is YAML with one item on each line."""
    return text[node.start : node.start + 1] in ("[", "{")


def _in_brackets(text: str, words: Node, drop: int, beginning: Sequence[str]) -> Splice:
    children = words.children
    joined = ", ".join(beginning)
    if not children:
        return Splice(words.start + 1, words.start + 1, joined)
    first = children[0].start
    if not drop:
        on_own_line = "\n" in text[words.start : first]
        gap = f"{newline_of(text)}{indent_at(text, first)}" if on_own_line else " "
        return Splice(first, first, f"{joined},{gap}")
    if beginning:
        return Splice(first, children[drop - 1].node.end, joined)
    if drop < len(children):
        return Splice(first, children[drop].start, "")
    return _emptied(text, words)


def _emptied(text: str, words: Node) -> Splice:
    end = skip_blank(text, words.children[-1].node.end)
    end = end + 1 if text[end : end + 1] == "," else words.children[-1].node.end
    left = text[words.start + 1 : words.children[0].start] + text[end : words.end - 1]
    if "\n" in left and not left.strip():
        return Splice(words.start, words.end, "[]")
    return Splice(words.children[0].start, end, "")


def _by_dashes(text: str, words: Node, drop: int, beginning: Sequence[str]) -> Splice:
    children = words.children
    if not text.startswith("-", words.start):
        raise SettingsError(
            f"{place(text, words.start)}: a list that is written in a way that cannot be changed"
        )
    dashes = [text.rindex("-", words.start, child.start) for child in children]
    column = " " * (words.start - text.rfind("\n", 0, words.start) - 1)
    gap = f"{newline_of(text)}{column}"
    if not drop:
        return Splice(dashes[0], dashes[0], "".join(f"- {word}{gap}" for word in beginning))
    if beginning:
        return Splice(children[0].start, children[drop - 1].node.end, f"{gap}- ".join(beginning))
    if drop < len(children):
        return Splice(dashes[0], dashes[drop], "")
    return Splice(len(text[: dashes[0]].rstrip()), children[-1].node.end, " []")


def with_member(
    text: str, container: Node, after: Child, *, key: str, words: Sequence[str], notation: Notation
) -> Splice:
    """A new member with these words, right behind another one."""
    written = f"{notation.between}[{', '.join(words)}]"
    at = after.node.end
    if _is_in_brackets(text, container) and not _is_header(text, container):
        on_own_line = "\n" in text[container.start : after.start]
        gap = f"{newline_of(text)}{indent_at(text, after.start)}" if on_own_line else " "
        return Splice(at, at, f",{gap}{notation.key(key)}{written}")
    line_start = text.rfind("\n", 0, after.start) + 1
    before = " " * (after.start - line_start)
    if _is_header(text, container):
        before = text[line_start : after.start + len(_dotted(text, after))]
    end = _line_end(text, at)
    return Splice(end, end, f"{newline_of(text)}{before}{key}{written}")


def _is_header(text: str, container: Node) -> bool:
    """A table of TOML whose members stand on lines of their own: it has no closing bracket."""
    return container.start == container.end


def _dotted(text: str, member: Child) -> str:
    """What comes before the last part of a dotted key."""
    return text[member.start : member.node.start].rpartition(str(member.key))[0].rstrip("\"'")


def _line_end(text: str, at: int) -> int:
    end = text.find("\n", at)
    end = len(text) if end < 0 else end
    return end - 1 if text[end - 1 : end] == "\r" else end


def without_member(text: str, container: Node, key: str) -> Splice | None:
    """What `with_member` has put in is cut out; None where it no longer stands behind another member."""
    ordered = sorted(container.children, key=lambda child: child.start)
    at = next(index for index, child in enumerate(ordered) if child.key == key)
    if at == 0:
        return None
    end = ordered[at].node.end
    if _is_in_brackets(text, container) and not _is_header(text, container):
        start = ordered[at - 1].node.end
        return None if text[start : ordered[at].start].strip(" \t\r\n,") else Splice(start, end, "")
    line_start = text.rfind("\n", 0, ordered[at].start)
    start = line_start - 1 if text[line_start - 1 : line_start] == "\r" else line_start
    return Splice(start, _line_end(text, end), "")

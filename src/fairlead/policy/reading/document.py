"""YAML text as plain values that know where they stand. Files are hostile: everything is bounded."""

from __future__ import annotations

from collections.abc import Iterator

from fairlead.errors import PolicyError
from fairlead.model.value import Value
from fairlead.policy.reading.problem import Problem
from fairlead.policy.reading.schema import FLAG, LIST, MAPPING, NOTHING_GIVEN, NUMBER, TEXT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from yaml.error import Mark
    from yaml.nodes import Node

MAX_BYTES = 256 * 1024
MAX_NODES = 10_000
MAX_DEPTH = 32

UNKNOWN_TAG = "tag"
_SCALARS = {
    "tag:yaml.org,2002:str": TEXT,
    "tag:yaml.org,2002:timestamp": TEXT,
    "tag:yaml.org,2002:value": TEXT,
    "tag:yaml.org,2002:merge": TEXT,
    "tag:yaml.org,2002:int": NUMBER,
    "tag:yaml.org,2002:float": NUMBER,
    "tag:yaml.org,2002:bool": FLAG,
    "tag:yaml.org,2002:null": NOTHING_GIVEN,
}


class UnreadableFileError(PolicyError):
    """The text is no document that could be looked into."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem.message, hint=problem.hint)
        self.problem = problem


class Marked(Value):
    """A value of a document. `items` are a list's values or a mapping's keys and values in turns."""

    kind: str
    line: int
    column: int
    value: object = None
    items: tuple[Marked, ...] = ()

    @property
    def pairs(self) -> Iterator[tuple[Marked, Marked]]:
        return zip(self.items[::2], self.items[1::2], strict=True)

    @property
    def plain(self) -> object:
        """The value without its places."""
        if self.kind == LIST:
            return [item.plain for item in self.items]
        if self.kind == MAPPING:
            return {_key_text(key): value.plain for key, value in self.pairs}
        return self.value


def _key_text(key: Marked) -> str:
    return key.value if isinstance(key.value, str) else str(key.plain)


def parse_document(content: bytes, path: str) -> Marked:
    """Raises UnreadableFileError with the one problem that kept it from being read."""
    text = _decode(content, path)
    import yaml  # a machine without policy files never pays for this import

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        _measure(yaml.parse(text, Loader=loader), path)
        node = yaml.compose(text, Loader=loader)
    except yaml.MarkedYAMLError as error:
        line, column = _spot(error.problem_mark or error.context_mark)
        problem = str(error.problem or error.context)
        raise _unreadable(path, line, column, f"this is not YAML: {problem}", _yaml_hint(problem)) from error
    except yaml.YAMLError as error:
        raise _unreadable(path, 1, 1, f"this is not YAML: {_first_line(error)}") from error
    if node is None:
        raise _unreadable(path, 1, 1, "the file is empty", "write an event and its middleware, or remove it")
    return _Composer(path).marked(node, MAX_DEPTH)


def _decode(content: bytes, path: str) -> str:
    if len(content) > MAX_BYTES:
        raise _unreadable(path, 1, 1, f"the file is larger than {MAX_BYTES // 1024} KiB", "split it")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = content[: error.start]
        line = before.count(b"\n") + 1
        column = error.start - (before.rfind(b"\n") + 1) + 1
        raise _unreadable(path, line, column, "the file is not UTF-8", "save it as UTF-8") from error


def _measure(events: Iterator[object], path: str) -> None:
    """Bound depth and size before anything recursive looks at the text."""
    depth = 0
    for count, event in enumerate(events):
        name = type(event).__name__
        depth += 1 if name.endswith("StartEvent") else -1 if name.endswith("EndEvent") else 0
        if depth > MAX_DEPTH or count > MAX_NODES:
            line, column = _spot(getattr(event, "start_mark", None))
            what = "too deeply nested" if depth > MAX_DEPTH else "too long"
            raise _unreadable(path, line, column, f"the document is {what}", "split it")


_YAML_HINTS = {
    "expected alphabetic or numeric": "put text that begins with * or & in quotes",
    "cannot start any token": "put text that begins with @, % or ` in quotes",
    "tab character": "indent with spaces",
    "mapping values are not allowed": "put text that holds a colon and a space in quotes",
    "end of stream": "a quote or a bracket is not closed",
    "expected ',' or": "a bracket is not closed, or a comma is missing",
    "'-' indicator": "is the line indented like its neighbours?",
    "block end": "is the line indented like its neighbours?",
    "node content": "a bracket is not closed, or a value is missing",
    "unknown escape": "use single quotes for text with backslashes",
}
"""What usually lies behind a parser's words. Such a file blocks, so its reader is in a hurry."""


def _yaml_hint(problem: str) -> str:
    return next((hint for words, hint in _YAML_HINTS.items() if words in problem), "")


def _spot(mark: Mark | None) -> tuple[int, int]:
    return (mark.line + 1, mark.column + 1) if mark else (1, 1)


def _first_line(error: Exception) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0]


def _unreadable(path: str, line: int, column: int, message: str, hint: str = "") -> UnreadableFileError:
    return UnreadableFileError(Problem(path, line, column, message, hint))


def _as_written(key: Marked, node: Node) -> Marked:
    """A key is the word that stands there: YAML takes a plain `on` for true."""
    return key if key.kind not in _SCALARS.values() else key.replace(kind=TEXT, value=node.value)


class _Composer:
    """Nodes to marked values. Aliases are expanded, so the count of values is bounded again."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.count = 0

    def marked(self, node: Node, depth: int) -> Marked:
        line, column = _spot(node.start_mark)
        self.count += 1
        if self.count > MAX_NODES or depth == 0:
            raise _unreadable(self.path, line, column, "aliases make this document too large", "write it out")
        if isinstance(node.value, str):
            return self._scalar(node, line, column)
        from yaml.nodes import SequenceNode

        is_list = isinstance(node, SequenceNode)
        if node.tag != f"tag:yaml.org,2002:{'seq' if is_list else 'map'}":
            return Marked(UNKNOWN_TAG, line, column, node.tag)  # also a mapping that calls itself a list
        if is_list:
            items = (self.marked(item, depth - 1) for item in node.value)
            return Marked(LIST, line, column, items=tuple(items))
        parts: list[Marked] = []
        for key, value in node.value:
            parts += (_as_written(self.marked(key, depth - 1), key), self.marked(value, depth - 1))
        return Marked(MAPPING, line, column, items=tuple(parts))

    def _scalar(self, node: Node, line: int, column: int) -> Marked:
        kind = _SCALARS.get(node.tag)
        if kind is None:
            return Marked(UNKNOWN_TAG, line, column, node.tag)
        if kind == TEXT:
            return Marked(TEXT, line, column, node.value)
        from yaml.constructor import SafeConstructor

        try:
            return Marked(kind, line, column, SafeConstructor().construct_object(node))
        except (ValueError, KeyError, IndexError, OverflowError):
            return Marked(TEXT, line, column, node.value)

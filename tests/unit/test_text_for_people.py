"""Text for people is never read back: no code of the guard compares, searches or takes it apart."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import fairlead
from fairlead.shell.word_sets import names

SOURCE = Path(fairlead.__file__).parent
ROOMS = ("shell", "packs")
MAKERS = frozenset({"describe", "shown"})
TEXTS = frozenset({"reason", "wording", "unseen", "expected", "what"})
"""Attributes that hold text for people: of rules, of what is unknown, of archives, of faults, of effects."""
TELLING = names(
    """
    startswith endswith find rfind index rindex count split rsplit splitlines partition rpartition
    removeprefix removesuffix isdigit isalpha isalnum isspace islower isupper isidentifier translate
    """
)
"""Methods of a text that tell what is in it."""
PATTERNS = frozenset({"search", "match", "fullmatch", "findall", "finditer", "fnmatch", "fnmatchcase"})


class Reader(ast.NodeVisitor):
    """Finds the lines of one scope that read a text for people; `texts` are the names that hold one there."""

    def __init__(self, texts: frozenset[str] = frozenset()) -> None:
        self.texts = set(texts)
        self.lines: list[int] = []

    def holds_text(self, node: ast.AST | None) -> bool:
        """Whether the expression is such a text, or is made of one."""
        match node:
            case ast.Name():
                return node.id in self.texts
            case ast.Attribute():
                return node.attr in TEXTS
            case ast.Call(func=ast.Name(id=name)):
                return name in MAKERS or (name in ("str", "repr") and any(map(self.holds_text, node.args)))
            case ast.Call(func=ast.Attribute() as method):
                joined = method.attr in ("join", "format") and any(map(self.holds_text, node.args))
                return joined or method.attr in MAKERS or self.holds_text(method.value)
            case ast.NamedExpr() | ast.FormattedValue() | ast.Subscript() | ast.Starred():
                return self.holds_text(node.value)
            case ast.JoinedStr() | ast.BoolOp():
                return any(map(self.holds_text, node.values))
            case ast.BinOp():
                return self.holds_text(node.left) or self.holds_text(node.right)
            case ast.IfExp():
                return self.holds_text(node.body) or self.holds_text(node.orelse)
            case ast.Tuple() | ast.List() | ast.Set():
                return any(map(self.holds_text, node.elts))
            case ast.ListComp() | ast.SetComp() | ast.GeneratorExp():
                return self.holds_text(node.elt)
        return False

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        inner = Reader(frozenset(self.texts))
        inner.lines = self.lines
        for each in (*ast.walk(node), *ast.walk(node)):  # twice: a name may be bound behind where it is used
            inner.remember(each)
        for statement in node.body:
            inner.visit(statement)

    def remember(self, node: ast.AST) -> None:
        """A name that is given such a text holds one from then on."""
        match node:
            case ast.Assign():
                for target in node.targets:
                    self.bind(target, node.value)
            case ast.AnnAssign() | ast.NamedExpr() | ast.AugAssign():
                self.bind(node.target, node.value)
            case ast.For() | ast.comprehension():
                self.bind(node.target, node.iter)

    def bind(self, target: ast.expr, value: ast.expr | None) -> None:
        if (
            isinstance(target, ast.Tuple)
            and isinstance(value, ast.Tuple)
            and len(target.elts) == len(value.elts)
        ):
            for each, given in zip(target.elts, value.elts, strict=True):
                self.bind(each, given)
        elif isinstance(target, ast.Name) and self.holds_text(value):
            self.texts.add(target.id)

    def visit_Compare(self, node: ast.Compare) -> None:
        identity = all(isinstance(operator, ast.Is | ast.IsNot) for operator in node.ops)
        if not identity and any(map(self.holds_text, (node.left, *node.comparators))):
            self.lines.append(node.lineno)
        self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> None:
        method = node.func.attr if isinstance(node.func, ast.Attribute) else ""
        taken_apart = isinstance(node.func, ast.Attribute) and self.holds_text(node.func.value)
        if (method in TELLING and taken_apart) or (
            method in PATTERNS and any(map(self.holds_text, node.args))
        ):
            self.lines.append(node.lineno)
        if isinstance(node.func, ast.Name) and node.func.id == "map" and len(node.args) > 1:
            told = node.args[0]
            tells = isinstance(told, ast.Attribute) and told.attr in TELLING | PATTERNS
            if tells and any(map(self.holds_text, node.args[1:])):
                self.lines.append(node.lineno)
        self.generic_visit(node)

    def visit_Match(self, node: ast.Match) -> None:
        if self.holds_text(node.subject):
            self.lines.append(node.lineno)
        self.generic_visit(node)


def readings(source: str) -> list[int]:
    """The lines of a module that read a text for people."""
    reader = Reader()
    reader.visit(ast.parse(source))
    return sorted(set(reader.lines))


def modules() -> Iterator[Path]:
    for room in ROOMS:
        yield from sorted((SOURCE / room).rglob("*.py"))


def test_no_code_of_the_guard_reads_text_that_is_made_for_people() -> None:
    found = {str(path.relative_to(SOURCE)): readings(path.read_text("utf-8")) for path in modules()}
    assert len(found) > 200
    assert {path: lines for path, lines in found.items() if lines} == {}


PLANTED = (
    'def f(part):\n    return "calls itself" in part.reason',
    "def f(part):\n    return part.reason == ENDLESS",
    'def f(word):\n    return describe(word.opaque).startswith("the output of")',
    "def f(word):\n    return _FILTERED.search(describe(word.opaque)) is not None",
    'def f(unknown):\n    return re.match("a path", unknown.wording)',
    'def f(part):\n    text = describe(part.unknown)\n    return "was not read" in text',
    'def f(word):\n    why = f"{word.text}: {describe(word.opaque)}"\n    return why.endswith("run")',
    'def f(words):\n    named = " ".join([describe(word.opaque) for word in words])\n    return "x" in named',
    'def f(parts):\n    return any("grep" in text for text in [part.reason for part in parts])',
    'def f(part):\n    match describe(part):\n        case "x":\n            return 1',
    "def f(parts):\n    return any(map(_BOMB.search, [describe(part) for part in parts]))",
    'def f(part):\n    return (describe(part) or "").partition(":")[2]',
    'def f(part):\n    if (text := describe(part)) and "x" in text.lower():\n        return 1',
    'def f(part):\n    def inner():\n        return "x" in part.reason\n    return inner',
    'def f(source):\n    return source.unseen == "it is broken"',
)


@pytest.mark.parametrize("source", PLANTED)
def test_a_planted_reading_of_text_for_people_is_found(source: str) -> None:
    assert readings(source), source


HARMLESS = (
    "def f(part):\n    return Effect(detail=describe(part.unknown))",
    'def f(part):\n    return f"unknown: {describe(part.unknown)}"[:80]',
    "def f(rule, words):\n    return rule.reason.format_map(words)",
    "def f(listing):\n    return LAID if listing.unseen else None",
    "def f(word):\n    return word.opaque is not None and word.opaque.kind == Kind.UNSET",
    'def f(part):\n    return "fairlead" in part.unknown.name',
)


@pytest.mark.parametrize("source", HARMLESS)
def test_showing_such_a_text_is_no_reading_of_it(source: str) -> None:
    assert readings(source) == []

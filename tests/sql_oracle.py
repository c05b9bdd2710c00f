"""What sqlglot, a parser of some thirty dialects, says of a statement: a second opinion for the tests."""

from __future__ import annotations

import logging
from collections.abc import Iterator

from sqlglot import exp, parse
from sqlglot.errors import ParseError, TokenError
from sqlglot.optimizer.simplify import simplify

logging.getLogger("sqlglot").setLevel(logging.CRITICAL)  # it says of each statement that it does not know


def loses_data(sql: str, dialect: str) -> bool | None:
    """Whether something is dropped, or rows are changed that no condition chooses; None: not readable."""
    try:
        trees = [tree for tree in parse(sql, dialect=dialect) if tree is not None]
    except (ParseError, TokenError):
        return None
    opinions = [_loses(tree) for tree in trees]
    if any(opinions):
        return True
    return None if None in opinions or not opinions else False


def _loses(tree: exp.Expression) -> bool | None:
    if isinstance(tree, exp.Command):
        return None
    return any(_drops(node) or _is_unbound(node) for node in _acting(tree))


def _acting(tree: exp.Expression) -> Iterator[exp.Expression]:
    """The statements in the tree that run when it runs."""
    if isinstance(tree, exp.Describe):
        return
    if isinstance(tree, exp.Create) and str(tree.args.get("kind")).upper() in (
        "TRIGGER",
        "FUNCTION",
        "PROCEDURE",
    ):
        return
    yield from tree.walk()


def _drops(node: exp.Expression) -> bool:
    if isinstance(node, exp.Drop):
        return not node.args.get("temporary")
    if isinstance(node, exp.Create):
        return bool(node.args.get("replace")) and str(node.args.get("kind")).upper() in ("DATABASE", "SCHEMA")
    if isinstance(node, exp.Insert):
        return bool(node.args.get("overwrite"))
    return isinstance(node, exp.TruncateTable | exp.DropPartition)


def _is_unbound(node: exp.Expression) -> bool:
    if isinstance(node, exp.When):
        return str(node.args.get("then")).upper() == "DELETE"
    if not isinstance(node, exp.Delete | exp.Update) or isinstance(node.parent, exp.OnConflict | exp.When):
        return False
    where = node.args.get("where")
    return where is None or _holds_always(where.this)


def _holds_always(condition: exp.Expression) -> bool:
    simple = simplify(condition.copy())
    if isinstance(simple, exp.Literal):
        return simple.is_int and int(simple.this) != 0
    return isinstance(simple, exp.Boolean) and bool(simple.this)

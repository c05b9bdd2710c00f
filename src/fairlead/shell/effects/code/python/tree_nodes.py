"""The nodes of a syntax tree, and the names that its expressions spell out."""

from __future__ import annotations

import ast


def nodes_of(tree: ast.AST, *, enough: int) -> list[ast.AST]:
    """As `ast.walk`, in one call and to be walked often; no further once there are more than enough."""
    nodes = [tree]
    for node in nodes:
        for field in node._fields:
            value = getattr(node, field, None)
            if isinstance(value, ast.AST):
                nodes.append(value)
            elif type(value) is list:
                nodes += [each for each in value if isinstance(each, ast.AST)]
        if len(nodes) > enough:
            break
    return nodes


def dotted(node: ast.expr) -> str:
    """`a.b.c` of an expression, as it is written."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        return f"{dotted(node.value)}.{node.attr}"
    return dotted(node.func) if isinstance(node, ast.Call) else ""

"""The nodes of a tree are those that the standard library walks through, in its order."""

import ast

import pytest

from fairlead.shell.effects.code.python.tree_nodes import nodes_of

CODE = "for f in os.listdir('x'):\n    if f.endswith(('.a', '.b')) and not 1:\n        print(*[f], sep='')"


@pytest.mark.parametrize("code", ["", "1", "def f(a, *b, c=1, **d): return {**d, 'x': a if b else c}", CODE])
def test_nodes_are_walked_in_the_usual_order(code: str) -> None:
    tree = ast.parse(code)
    assert nodes_of(tree, enough=1000) == list(ast.walk(tree))


def test_of_a_large_tree_a_part_is_enough() -> None:
    tree = ast.parse("f(1)\n" * 500)
    assert 20 < len(nodes_of(tree, enough=20)) < 1000

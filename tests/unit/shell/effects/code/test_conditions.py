"""Code that deletes what fits a condition deletes nothing else."""

import ast

import pytest

from fairlead.shell.effects.code.python.conditions import conditions_in
from fairlead.shell.effects.code.python.python_code import python_acts

WALK = "import os\nfor r, d, fs in os.walk('src'):\n    for f in fs:\n        {}"
LIST = "import os\nfor f in os.listdir('src'):\n    {}"


def deleted(code: str) -> set[str]:
    return {act.text for act in python_acts(code, "/home/me", "/p") if act.kind == "delete"}


@pytest.mark.parametrize(
    ("code", "paths"),
    [
        (LIST.format("os.remove('src/' + f)"), {"src/*"}),
        (LIST.format("os.remove(f'src/{f}')"), {"src/*"}),
        (LIST.format("os.remove(f) if 0 else None"), {"src/*"}),
        (LIST.format("if f.endswith('.tmp'): os.remove(os.path.join('src', f))"), {"src/*.tmp"}),
        (LIST.format("if f.endswith(('.a', '.b')): os.remove('src/' + f)"), {"src/*.a", "src/*.b"}),
        (LIST.format("if f.startswith('t_') and f: os.remove('src/' + f)"), {"src/t_*"}),
        (LIST.format("if f.endswith('.a') or x: os.remove('src/' + f)"), {"src/*"}),
        (LIST.format("if not f.endswith('.a'): os.remove('src/' + f)"), {"src/*"}),
        (WALK.format("os.remove(os.path.join(r, f))"), {"src/*", "src/*/*"}),
        (WALK.format("if f.endswith('.o'): os.remove(os.path.join(r, f))"), {"src/*.o", "src/*/*.o"}),
        ("import os\n[os.remove(f) for f in os.listdir('.') if f.endswith('.o')]", {"./*.o"}),
    ],
)
def test_what_a_loop_deletes_is_told_by_its_condition(code: str, paths: set[str]) -> None:
    assert deleted(code) == paths


def test_the_other_branch_is_not_under_the_condition() -> None:
    tree = ast.parse("if f.endswith('.a'):\n    one()\nelse:\n    two()")
    nodes = list(ast.walk(tree))
    found = [ast.unparse(node) for node in nodes if id(node) in conditions_in(nodes)]
    assert found == ["one()"]

"""The runner of mutants: what it changes and remembers, and that it tells a good test from a bad one."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from textwrap import dedent

import pytest

from benchmarks.mutants.changes import mutants, mutated
from benchmarks.mutants.records import Record, Records, proof, read_accepted
from benchmarks.mutants.rooms import ROOMS, ROOT, module_name
from benchmarks.mutants.trial import Coverage


def names(source: str) -> list[str]:
    return [each.name for each in mutants(dedent(source))]


def behaviour(source: str, name: str, *given: object) -> object:
    """What `f` gives with the one change of that name made."""
    (found,) = [each for each in mutants(dedent(source)) if each.name == name]
    space: dict[str, object] = {}
    exec(mutated(dedent(source), found.ordinal, "<module>"), space)
    function = space["f"]
    assert callable(function)
    return function(*given)


@pytest.mark.parametrize(
    ("body", "change", "given", "result"),
    [
        ("return a == 1", "comparison: a == 1 -> a != 1", (1,), False),
        ("return a < 1", "comparison: a < 1 -> a <= 1", (1,), True),
        ("return a and 0", "and/or: a and 0 -> a or 0", (5,), 5),
        ("return not a", "not: not a -> a", (True,), True),
        ("return a + 2", "arithmetic: a + 2 -> a - 2", (3,), 1),
        ("return a + 2", "constant: 2 -> 3", (3,), 6),
        ("return True", "constant: True -> False", (0,), False),
        ("return 'word'", "constant: 'word' -> ''", (0,), ""),
        ("return a", "return: return a -> return None", (3,), None),
        ("return 1 if a else 2", "condition: a -> not a", (True,), 2),
        ("return 1 if a else 2", "condition: a -> False", (True,), 2),
        ("return [x for x in (1, 2) if a]", "condition: a -> True", (False,), [1, 2]),
        ("a.append(1)\n    return a", "removed: a.append(1) -> pass", ([],), []),
        ("a[0] = 1\n    return a", "removed: a[0] = 1 -> pass", ([7],), [7]),
        ("for x in a:\n        break\n    return x", "loop: break -> continue", ([1, 2],), 2),
    ],
)
def test_each_kind_of_change_is_made(
    body: str, change: str, given: tuple[object, ...], result: object
) -> None:
    assert behaviour(f"def f(a):\n    {body}\n", f"f: {change}", *given) == result


def test_what_says_nothing_at_run_time_is_left_alone() -> None:
    source = '''
        """A module."""
        from typing import TYPE_CHECKING, cast
        __all__ = ["f"]
        if TYPE_CHECKING:
            import os
        def f(a: "int" = None) -> "str":
            """A function."""
            print("two words", f"{a}x")
            raise ValueError("word")
        '''
    assert names(source) == ["f: removed: print('two words', f'{a}x') -> pass"]


def test_two_equal_changes_in_one_function_have_two_names() -> None:
    assert names("def f():\n    g(1)\n    h(1)\n") == [
        "f: removed: g(1) -> pass",
        "f: constant: 1 -> 2",
        "f: removed: h(1) -> pass",
        "f: constant: 1 -> 2 #2",
    ]


def test_a_name_does_not_change_with_what_stands_above_it() -> None:
    source = "class C:\n    def f(self):\n        self.x = 1\n"
    assert names(source) == names("import os\n\n\n" + source)
    assert names(source)[0] == "C.f: removed: self.x = 1 -> pass"


def test_a_change_belongs_to_the_lines_that_run_with_it() -> None:
    found = mutants("def f(a):\n    if a:\n        g(\n            1,\n        )\n")
    assert {each.name: each.lines for each in found} == {
        "f: condition: a -> not a": range(2, 3),
        "f: condition: a -> True": range(2, 3),
        "f: condition: a -> False": range(2, 3),
        "f: removed: g(1) -> pass": range(3, 6),
        "f: constant: 1 -> 2": range(3, 6),
    }


def test_tests_are_chosen_by_line_and_the_quickest_runs_first() -> None:
    seconds = {"slow": 2.0, "quick": 0.1, "other": 0.2}
    coverage = Coverage(seconds, {"m.py": {1: [""], 5: ["slow", "quick"], 6: ["quick"]}})
    assert coverage.of("m.py", range(5, 7)) == ["quick", "slow"]
    assert coverage.of("m.py", range(9, 10)) == []
    assert coverage.of("m.py", range(1, 2)) == ["quick", "other", "slow"]  # an import runs it


def test_results_outlive_the_run_that_found_them_and_a_line_that_was_cut_short(tmp_path: Path) -> None:
    file = tmp_path / "new" / "results.jsonl"
    Records(file).add(Record("engine", "m.py f: x", "survived", "p1"))
    Records(file).add(Record("engine", "m.py f: x", "killed", "p2", by="t.py::test"))
    with file.open("a") as open_file:
        open_file.write('{"room": "eng')
    found = Records(file).find("engine", "m.py f: x")
    assert found == Record("engine", "m.py f: x", "killed", "p2", by="t.py::test")
    assert Records(file).find("model", "m.py f: x") is None


def test_a_kill_rests_on_its_test_and_a_survival_on_all_of_them(tmp_path: Path) -> None:
    module, one, two = (tmp_path / name for name in ("m.py", "one.py", "two.py"))
    for each in (module, one, two):
        each.write_text(each.name)
    killed, survived = proof(module, [one, two], f"{one}::test_it"), proof(module, [one, two])
    two.write_text("more")
    assert proof(module, [one, two], f"{one}::test_it") == killed
    assert proof(module, [one, two]) != survived
    module.write_text("changed")
    assert proof(module, [one, two], f"{one}::test_it") != killed


def test_the_list_of_accepted_survivors_has_a_reason_for_each() -> None:
    text = "# why\n\na.py f: not: not x -> x\n    one\n    reason\nb.py g: y\n    another\n"
    assert read_accepted(text) == {"a.py f: not: not x -> x": "one reason", "b.py g: y": "another"}
    ours = read_accepted((ROOT / "benchmarks/mutants/accepted.txt").read_text())
    assert [mutant for mutant, reason in ours.items() if not reason] == []


def test_every_room_is_there_with_its_tests() -> None:
    for room in ROOMS.values():
        assert room.modules()
        assert all(file.is_file() for file in room.test_files())
    assert module_name(ROOT / "src/fairlead/engine/order.py") == "fairlead.engine.order"
    assert module_name(ROOT / "src/fairlead/engine/__init__.py") == "fairlead.engine"


TRIAL = """
import sys
from pathlib import Path
from benchmarks.mutants.changes import mutants, mutated
from benchmarks.mutants.rooms import PACKAGE
from benchmarks.mutants.trial import Replacement, try_out, watch

path = PACKAGE / "engine" / "order.py"
tests = [Path("tests/unit/engine/test_order.py").absolute()]
coverage = watch(tests, [path], 120)
(mutant,) = [each for each in mutants(path.read_text()) if each.name == "ordered: constant: 1 -> 2"]
code = mutated(path.read_text(), mutant.ordinal, str(path))
chosen = [each for each in coverage.of(str(path), mutant.lines) if "same_thing" in each]
result = try_out(Replacement("fairlead.engine.order", str(path), code), chosen, 60)
print(result.outcome, result.by)
loop = Replacement("fairlead.engine.order", str(path), compile("while True: pass", "x", "exec"))
print(try_out(loop, list(coverage.seconds), 0.3).outcome)
print(try_out(None, list(coverage.seconds), 60).outcome, "fairlead" in sys.modules)
"""


@pytest.mark.slow
def test_a_trial_tells_a_fault_that_is_noticed_from_one_that_is_not() -> None:
    done = subprocess.run(
        [sys.executable, "-c", TRIAL], cwd=ROOT, capture_output=True, text=True, timeout=300
    )
    assert done.stdout.splitlines() == [
        "killed tests/unit/engine/test_order.py::test_before_and_after_say_the_same_thing",
        "timed out",
        "survived False",
    ], done.stderr

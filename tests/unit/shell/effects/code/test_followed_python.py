"""Python that hides what it does behind functions, classes, lists and libraries is followed to it.

The programs are in `followed_python.txt`. The line above each says what it does: an action with its target
or name, an action with any, `not` and actions that it does not take, or `inside`: it deletes where it may.
"""

from pathlib import Path

import pytest

from fairlead.shell.effects.effect import Action
from fairlead.shell.effects.script_effects import effects_of
from fairlead.shell.places.surroundings import Surroundings
from fairlead.shell.reader import read_script

HOME = "/home/no-one"
ROOT = f"{HOME}/project"
PROGRAMS = [
    (told, code)
    for part in Path(__file__).with_name("followed_python.txt").read_text().split("### ")[1:]
    for told, _, code in [part.partition("\n")]
]


def effects(code: str) -> set[tuple[str, str]]:
    text = f"python3 - <<'END'\n{code}\nEND\n"
    script = read_script(text, cwd=ROOT, home=HOME, environment={"HOME": HOME})
    found = effects_of(script, Surroundings(ROOT, HOME))
    return {
        (str(e.action), e.target.path if e.target else e.name) for e in found if e.action is not Action.LIST
    }


def actions(code: str) -> set[str]:
    return {action for action, _ in effects(code)}


def _kind(told: str) -> str:
    first = told.split()[0]
    return first if first in ("not", "inside") else "does"


def programs(kind: str) -> pytest.MarkDecorator:
    chosen = [each for each in PROGRAMS if _kind(each[0]) == kind]
    assert chosen
    return pytest.mark.parametrize(("told", "code"), chosen)


@programs("does")
def test_what_a_program_does_is_followed_through_its_code(told: str, code: str) -> None:
    action, _, target = told.partition(" ")
    assert (action, target) in effects(code) if target else action in actions(code)


@programs("not")
def test_what_stays_on_the_machine_or_is_ones_own_is_let_be(told: str, code: str) -> None:
    assert not set(told.split()[1:]) & actions(code)


@programs("inside")
def test_a_deletion_in_the_project_or_of_temporary_files_stays_there(told: str, code: str) -> None:
    targets = {path for action, path in effects(code) if action == "delete"}
    assert targets
    assert all(path.startswith((ROOT, "/tmp/")) for path in targets)


def test_work_is_bounded_where_functions_and_loops_multiply_it() -> None:
    defined = "".join(f"def f{i}(x):\n    f{i + 1}(x)\n    f{i + 1}(x)\n    f{i + 1}(x)\n" for i in range(30))
    loops = "".join(f"{'    ' * i}for a{i} in range(99):\n" for i in range(12)) + "    " * 12 + "pass\n"
    code = f"import shutil\n{defined}def f30(x):\n    shutil.rmtree('/srv')\nf0(1)\n{loops}"
    assert ("delete", "/srv") in effects(code)


def test_a_function_that_calls_itself_ends() -> None:
    code = "import shutil\ndef f(p):\n    shutil.rmtree(p)\n    f(p + '/x')\nf('/srv')"
    assert ("delete", "/srv") in effects(code)


def test_a_script_knows_where_it_lies() -> None:
    code = "import shutil, pathlib\nshutil.rmtree(pathlib.Path(__file__).resolve().parent.parent / 'build')"
    text = f"cat > tools/clean.py <<'END'\n{code}\nEND\npython3 tools/clean.py"
    script = read_script(text, cwd=ROOT, home=HOME, environment={"HOME": HOME})
    found = effects_of(script, Surroundings(ROOT, HOME))
    assert {e.target.path for e in found if e.action is Action.DELETE and e.target} == {f"{ROOT}/build"}

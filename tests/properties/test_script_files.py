"""Laws of reading whole files: it never raises, its work grows with the size of the files, and what is
dangerous in a line is dangerous wherever a script holds it."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.guard.lines import HOME, PROJECT, VISIBLE, read_folder
from benchmarks.guard.planted import PLACES, stops
from fairlead.model.installation import NOWHERE
from fairlead.packs.judging.call_effects import surroundings
from fairlead.shell.normal_form import command_text
from fairlead.shell.reader import read_script
from fairlead.shell.script import Script
from fairlead.shell.script_view import as_data, as_text
from fairlead.shell.unknown import Kind

BAD = "rm -rf /srv"
_LINES = (
    "f() {", "g() {", "}", 'f "$@"', "g a b", "f", "g", "if f; then", "else", "fi", "for x in a b c; do",
    "done", "while read -r l; do", "case $1 in", "a) shift ;;", "*) x=$1 ;;", "esac", 'x="$x $1"', "cd sub",
    "x=$(f)", "local y=$x", "exit 1", "return", "shift", ". ./b.sh", "./b.sh $x", "bash c.sh", "eval $x",
    "trap 'f' EXIT", "cat <<E", "E", "rm -rf $x", '"$@"', "set -e", "[ -n \"$x\" ] || exit", "(", ")",
    "f | g", "f & g", "${x", "'", "$((x+1))", "source c.sh a", "exec ./b.sh", "a=(1 2 $x)",
    'for i in "${a[@]}"; do',
)  # fmt: skip
scripts = st.lists(st.sampled_from(_LINES), max_size=30).map("\n".join)


def read(call: str, **files: str) -> Script:
    content = {f"/p/{name}.sh": text for name, text in files.items()}
    return read_script(call, cwd="/p", home="/h", files=content.get)


@settings(max_examples=200, deadline=None)
@given(scripts, scripts, scripts)
def test_any_files_are_read_without_an_error(first: str, second: str, third: str) -> None:
    found = read("bash a.sh x; . ./b.sh", a=first, b=second, c=third)
    json.dumps(as_data(found))
    as_text(found)


def _calls(size: int) -> str:
    """Every function calls the one before it twice: read call by call, the work would double each time."""
    functions = [f'f{n}() {{\n  f{n - 1} "$1" a\n  f{n - 1} "$2" b\n}}' for n in range(1, size)]
    return "\n".join(["f0() { echo $1; }", *functions, f"f{size - 1} x y"])


def _loops(size: int) -> str:
    words = " ".join(f"w{number}" for number in range(20))
    inner = "\n".join(
        f"for v{n} in {words}; do\nfor u in {words}; do echo $v{n} $u; done\ndone" for n in range(size)
    )
    return f"{inner}\n"


def _branches(size: int) -> str:
    return "\n".join(
        f'if [ -f f{n} ]; then a{n}=1; else a{n}=2; fi\nrm -r $a{n} "$a{n // 2}"' for n in range(size)
    )


def _nested(size: int) -> str:
    return "\n".join(
        "if a; then\nwhile b; do\nx=$x$1\ncase $x in a) y=1 ;; b) y=2 ;; esac\ndone\nfi" for _ in range(size)
    )


def _options(size: int) -> str:
    cases = "\n".join(f'--o{n}) O{n}="$2"; shift 2 ;;' for n in range(size))
    return f'while [ $# -gt 0 ]; do\ncase "$1" in\n{cases}\n*) break ;;\nesac\ndone\n' + "".join(
        f"tool --o $O{n}\n" for n in range(size)
    )


def _moves(size: int) -> str:
    return "\n".join(f"if [ -d d{n} ]; then cd d{n}; fi\nmake all" for n in range(size))


def _recursion(size: int) -> str:
    body = "\n".join(f"f{n}" for n in range(size))
    return "\n".join(f"f{n}() {{\n{body}\n}}" for n in range(size)) + "\nf0\n"


GROWING = {
    "calls": (_calls, 25), "loops": (_loops, 15), "branches": (_branches, 60), "nested": (_nested, 40),
    "options": (_options, 40), "moves": (_moves, 60), "recursion": (_recursion, 8),
}  # fmt: skip
MOST_PER_CHARACTER = 5
"""Steps beyond the allowance that every reading has."""
ALLOWANCE = 40_000


@pytest.mark.parametrize("shape", GROWING)
def test_the_work_grows_with_the_size_of_a_script_whatever_calls_whatever(shape: str) -> None:
    make, size = GROWING[shape]
    for factor in (1, 2, 4):
        text = make(size * factor) + f"\n{BAD}\n"
        found = read("bash a.sh", a=text)
        assert found.steps <= ALLOWANCE + MOST_PER_CHARACTER * len(text)
        assert BAD in [command_text(command) for command in found.commands[-50:]]
        assert Kind.TOO_MANY_STEPS not in {part.unknown.kind for part in found.opaque}


def test_a_script_that_runs_often_is_read_a_last_time_for_whatever_it_is_given() -> None:
    text = _branches(60) + '\nrm -rf "$1"\n'
    found = read("for n in {1..100}; do ./a.sh $n; done; ./a.sh /srv", a=text)
    assert found.steps <= 2 * (ALLOWANCE + MOST_PER_CHARACTER * len(text))
    assert Kind.TOO_MANY_STEPS not in {part.unknown.kind for part in found.opaque}
    last = [command for command in found.commands if command.name == "rm" and len(command.argv) == 3][-1]
    assert last.argv[2].opaque is not None and last.argv[2].opaque.kind == Kind.ARGUMENT


def test_what_a_function_is_given_to_run_is_found_however_often_it_was_called() -> None:
    calls = "\n".join(f"run echo {number} && work {number}" for number in range(2_000))
    work = "work() {\n" + "\n".join(f"echo {n} $1" for n in range(50)) + "\n}\n"
    found = read("bash a.sh", a=f'run() {{ echo "+ $*"; "$@"; }}\n{work}{calls}\nrun {BAD}\n')
    assert BAD in [command_text(command) for command in found.commands]


_EVERY = 400
_SAMPLE = [line for line in read_folder(VISIBLE) if line.dangerous and line.tool == "Bash" and not line.cwd]


@pytest.mark.parametrize("line", _SAMPLE[::_EVERY], ids=lambda line: line.id)
def test_a_dangerous_line_is_found_wherever_a_script_holds_it(line: object) -> None:
    command = line.command  # type: ignore[attr-defined]
    where = surroundings(PROJECT, HOME, NOWHERE)
    if stops(command, {}, where):
        places = [
            place
            for place, plant in PLACES.items()
            if not stops("bash scripts/build.sh", plant(command), where)
        ]
        assert places == []


def test_the_script_that_holds_them_is_harmless_itself() -> None:
    where = surroundings(PROJECT, HOME, NOWHERE)
    for plant in PLACES.values():
        assert not stops("bash scripts/build.sh", plant("true"), where)

"""Files read as a whole: what is known in them of arguments, tests, functions and loops."""

from __future__ import annotations

import pytest

from fairlead.shell.bounds import MAX_FILE_STEPS
from fairlead.shell.normal_form import command_text
from fairlead.shell.reader import read_script
from fairlead.shell.running import whole_files
from fairlead.shell.script import Command, Script
from fairlead.shell.unknown import Kind


def read(text: str, call: str = "bash a.sh", **files: str) -> Script:
    content = {"/p/a.sh": text, **{f"/p/{name}.sh": other for name, other in files.items()}}
    return read_script(call, cwd="/p", home="/h", environment={"HOME": "/h"}, files=content.get)


def deleted(text: str, call: str = "bash a.sh", **files: str) -> list[str]:
    script = read(text, call, **files)
    return [command_text(command) for command in script.commands if command.name == "rm"]


def unknown_words(command: Command) -> list[str]:
    return [word.opaque.kind for word in command.argv if word.opaque is not None]


def test_arguments_that_the_call_does_not_give_are_unknown_and_not_empty() -> None:
    script = read('rm -rf "/$1"\nrm -rf "$2/x"\nrm -rf "${3:-build}"\n', "bash a.sh srv")
    words = [command.argv[2] for command in script.commands if command.name == "rm"]
    assert words[0].text == "/srv" and words[0].known
    assert words[1].opaque is not None and words[1].opaque.kind == Kind.UNSET
    assert words[2].text == "build" and words[2].known


def test_arguments_of_a_function_that_its_call_does_not_give_are_unknown() -> None:
    script = read('clean() { rm -rf "$1" "$2/"; }\nclean a\n')
    removal = next(command for command in script.commands if command.name == "rm")
    assert removal.argv[2].text == "a" and unknown_words(removal) == [Kind.UNSET]


GUARDS = [
    '[ -n "$X" ]', '[ "$X" ]', '[ "x$X" != "x" ]', '[ "$X" != "" ]', '[[ -n $X ]]', 'test -n "$X"',
    '[ ! -z "$X" ]', '! [ -z "$X" ]', '[ -d "$X" ]', '[[ -n "${X:-}" ]]', '[ -n "$X" ] && true',
]  # fmt: skip


@pytest.mark.parametrize("guard", GUARDS)
def test_a_variable_that_was_tested_is_not_empty_behind_the_test(guard: str) -> None:
    text = f'X=""\nwhile read -r l; do X=""; done\nif {guard}; then\n  rm -rf "$X"/a\nfi\n'
    assert "rm -rf /a" not in deleted(text)
    assert deleted(text)


@pytest.mark.parametrize(
    "guard", ['[ -z "$X" ]', '[ "$X" = "" ]', '[ "x$X" = x ]', 'test -z "$X"', '! [ -n "$X" ]']
)
def test_a_variable_is_not_empty_behind_a_test_that_leaves_where_it_is(guard: str) -> None:
    begin = 'die() { echo "$*"; exit 1; }\nX=""\n[ -f a ] && X=b\n'
    for text in (f"if {guard}; then exit 1; fi", f"{guard} && exit 1", f"if {guard}; then die no; fi"):
        assert set(deleted(f'{begin}{text}\nrm -rf "$X"/a\n')) == {"rm -rf b/a"}


def test_a_function_that_returns_does_not_leave_the_script() -> None:
    begin = 'warn() { echo "$*"; return 1; }\nX=""\n[ -f a ] && X=b\n'
    assert "rm -rf /a" in deleted(f'{begin}[ -n "$X" ] || warn no\nrm -rf "$X"/a\n')


def test_a_variable_that_nobody_tested_may_be_empty() -> None:
    assert "rm -rf /a" in deleted('X=""\n[ -f a ] && X=b\nrm -rf "$X"/a\n')


def test_a_test_says_nothing_about_another_variable() -> None:
    assert "rm -rf /a" in deleted('X=""\nif [ -n "$Y" ]; then rm -rf "$X"/a; fi\n')
    assert "rm -rf /a" in deleted('X=""\nif [ -n "$X" ] || true; then rm -rf "$X"/a; fi\n')
    assert "rm -rf /a" in deleted('X=""\nif [ -z "$X" ]; then rm -rf "$X"/a; fi\n')


def test_every_branch_is_read_with_what_it_finds() -> None:
    text = "case $1 in\na) D=/srv ;;\nb) D=/opt ;;\nesac\nrm -rf $D/x\n"
    assert {"rm -rf /srv/x", "rm -rf /opt/x"} <= set(deleted(text))


def test_a_script_goes_on_from_the_branch_that_its_arguments_choose_and_reads_the_others() -> None:
    text = "case $1 in\na) D=/srv ;;\nb) D=/opt ;;\n*) rm -rf /other ;;\nesac\nrm -rf $D/x\n"
    assert deleted(text, "bash a.sh b") == ["rm -rf /other", "rm -rf /opt/x"]
    text = "case $1 in\n$X) D=/srv ;;\nb) D=/opt ;;\nesac\nrm -rf $D/x\n"
    assert {"rm -rf /srv/x", "rm -rf /opt/x"} <= set(deleted(text, "bash a.sh b"))


def test_each_of_the_few_values_of_a_loop_is_tried() -> None:
    assert deleted("for d in a b /srv; do rm -rf $d; done\n") == ["rm -rf a", "rm -rf b", "rm -rf /srv"]


def test_options_are_read_with_their_values() -> None:
    text = 'while getopts "d:v" o; do\ncase $o in\nd) D=$OPTARG ;;\nesac\ndone\nrm -rf "$D"\n'
    script = read(text, 'bash a.sh "$@" $X')
    removals = [command for command in script.commands if command.name == "rm"]
    assert [Kind.OPTION_VALUE] in [unknown_words(command) for command in removals]


def test_options_that_the_call_gives_are_known_where_a_script_shifts_through_them() -> None:
    cases = '--dir) D="$2"; shift 2 ;;\n--dir=*) D="${1#*=}"; shift ;;\n*) shift ;;'
    text = f'while [ $# -gt 0 ]; do\ncase "$1" in\n{cases}\nesac\ndone\nrm -rf "$D"\n'
    for given in ("--dir /srv", "-v --dir /srv x", "a b --dir=/srv"):
        assert deleted(text, f"bash a.sh {given}")[0] == "rm -rf /srv"


def test_what_never_runs_is_not_read() -> None:
    assert deleted("clean() { rm -rf /srv; }\necho done\n") == []


def test_places_that_branches_lead_to_are_all_kept_in_mind() -> None:
    script = read("if [ -d b ]; then cd b; else cd /srv; fi\nrm -rf x\n")
    places = {(c.cwd, *c.cwd_else) for c in script.commands if c.name == "rm"}
    assert any({"/p/b", "/srv"} <= set(each) for each in places)


def _large(body: str) -> str:
    """Long enough to use up what is there to read things twice."""
    noise = "\n".join(f"  echo {number} $1" for number in range(100))
    calls = "\n".join(f"noise {number}" for number in range(MAX_FILE_STEPS // 100))
    return f"noise() {{\n{noise}\n}}\n{calls}\n{body}\n"


@pytest.mark.parametrize(
    "body",
    [
        "rm -rf /srv", "f() { rm -rf /srv; }\nf", "if a; then rm -rf /srv; fi",
        "for x in 1 2; do rm -rf /srv; done",
        "while a; do rm -rf /srv; done", "x=$(rm -rf /srv)", 'run() { "$@"; }\nrun rm -rf /srv',
        'run() { if a; then sudo "$@"; fi; }\nrun rm -rf /srv', 'run() { eval "$*"; }\nrun rm -rf /srv',
        "trap 'rm -rf /srv' EXIT", "D=/srv\nrm -rf $D",
    ],
)  # fmt: skip
def test_what_is_dangerous_is_found_where_nothing_is_read_twice_any_more(body: str) -> None:
    script = read(_large(body))
    assert "rm -rf /srv" in [command_text(command) for command in script.commands if command.name == "rm"]
    assert Kind.TOO_MANY_STEPS not in {part.unknown.kind for part in script.opaque}


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        ('f() { rm -rf "$1"; }\nf a', Kind.ARGUMENT),
        ("for x in a b; do rm -rf $x; done", Kind.ONE_OF_VALUES),
        ("X=a\n[ -f a ] && X=b\nrm -rf $X", Kind.ONE_OF_VALUES),
    ],
)  # fmt: skip
def test_what_differs_is_unknown_where_nothing_is_read_twice_any_more(body: str, kind: str) -> None:
    removals = [command for command in read(_large(body)).commands if command.name == "rm"]
    assert [unknown_words(command) for command in removals] == [[kind]]


def test_what_a_function_sets_is_known_from_its_first_reading() -> None:
    body = "g() { D=/srv; cd /opt; }\ng\nD=\ncd /p\ng\nrm -rf $D\n"
    removal = next(command for command in read(_large(body)).commands if command.name == "rm")
    assert command_text(removal) == "rm -rf /srv" and removal.cwd == "/opt"


def test_a_function_that_starts_itself_beside_itself_has_no_end() -> None:
    for text in ("f() { f | f & }\nf\n", "f() {\n  f &\n  f &\n}\nf\n"):
        assert Kind.ENDLESS in {part.unknown.kind for part in read(text).opaque}
    assert Kind.ENDLESS not in {part.unknown.kind for part in read("f() { f; }\nf\n").opaque}


def test_a_name_that_is_not_known_is_no_fault() -> None:
    script = read('eval "x=\\${a_$1+set}"\neval "y=\\${b_$1:-$(rm -rf /srv)}"\n')
    assert Kind.SYNTAX not in {part.unknown.kind for part in script.opaque}
    assert "rm -rf /srv" in [command_text(command) for command in script.commands]


OPTIONS = (
    'dir=/var/log/app\nwhile getopts "d:s:nh" o; do\n  case "$o" in\n    d) dir="$OPTARG" ;;\n'
    '    s) size="$OPTARG" ;;\n'
    '    n) dry=1 ;;\n    *) exit 2 ;;\n  esac\ndone\nrm -rf "$dir"\n'
)


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        ("bash a.sh -d /tmp/x -s 10", ["rm -rf /tmp/x"]),
        ("bash a.sh -s 10 -d/tmp/x", ["rm -rf /tmp/x"]),
        ("bash a.sh -nd /tmp/x rest", ["rm -rf /tmp/x"]),
        ("bash a.sh", ["rm -rf /var/log/app"]),
        ("bash a.sh -s -d", ["rm -rf /var/log/app"]),
        ("bash a.sh -n -- -d /tmp/x", ["rm -rf /var/log/app"]),
        ("bash a.sh rest -d /tmp/x", ["rm -rf /var/log/app"]),
    ],
)
def test_an_option_that_the_call_gives_replaces_the_default(call: str, expected: list[str]) -> None:
    assert deleted(OPTIONS, call) == expected


def test_an_option_that_is_not_known_may_leave_the_default() -> None:
    assert "rm -rf /var/log/app" in deleted(OPTIONS, 'bash a.sh "$X" /tmp/x')


def test_what_an_option_does_that_the_call_does_not_give_is_seen() -> None:
    text = (
        'while getopts "ax" o; do\n  case "$o" in\n    a) rm -rf /a ;;\n    x) rm -rf /x ;;\n  esac\ndone\n'
    )
    assert set(deleted(text, "bash a.sh -a")) == {"rm -rf /a", "rm -rf /x"}
    assert set(deleted(text, "bash a.sh")) == {"rm -rf /a", "rm -rf /x"}


def test_a_file_that_two_calls_run_is_parsed_once_and_read_anew_by_each(monkeypatch) -> None:
    text = 'f() { rm -rf "$1"; }\nfor each in a b; do f "$each-$1"; done  # parsed once\n'
    first, again, other = (deleted(text, f"bash a.sh {word}") for word in ("x", "x", "y"))
    assert first == again == ["rm -rf a-x", "rm -rf b-x"]
    assert other == ["rm -rf a-y", "rm -rf b-y"]
    monkeypatch.setattr(whole_files, "parse", lambda *_: pytest.fail("it was parsed again"))
    assert deleted(text, "bash a.sh z") == ["rm -rf a-z", "rm -rf b-z"]


def test_a_file_that_cost_its_steps_once_costs_them_again() -> None:
    text = "rm -rf a\n" * 20
    assert read(text).steps == read(text).steps


@pytest.mark.parametrize(
    "text",
    [
        'd=/d\nwhile getopts "d:" o; do\n  d=$OPTARG\n  break\ndone\nrm -rf "$d"\n',
        'd=/d\nOPTIND=3\nwhile getopts "d:" o; do\n  d=$OPTARG\ndone\nrm -rf "$d"\n',
        'd=/d\nwhile getopts "d:" o; do\n  d=$OPTARG\n  OPTIND=1\n  set -- -d /x\ndone\nrm -rf "$d"\n',
        'd=/d\ngetopts() { return 1; }\nwhile getopts "d:" o; do\n  d=$OPTARG\ndone\nrm -rf "$d"\n',
        'd=/d\nwhile getopts "d:" o && [ -n "$X" ]; do\n  d=$OPTARG\ndone\nrm -rf "$d"\n',
    ],
)
def test_options_that_are_not_taken_one_by_one_may_leave_the_default(text: str) -> None:
    assert "rm -rf /d" in deleted(text, "bash a.sh -d /tmp/x -d /tmp/y")

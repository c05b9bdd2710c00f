"""Statements: what runs, in which folder, with which state."""

from __future__ import annotations

import subprocess

import pytest

from fairlead.shell.unknown import Kind
from shell_kit import PROJECT, executed, last, lines, read


def folder(text: str) -> str | None:
    return last(text).cwd


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("cd /tmp; ls", "/tmp"),
        ("cd; ls", "/home/no-one"),
        ("cd a/../b; ls", f"{PROJECT}/b"),
        ("cd /a; cd -; ls", PROJECT),
        ("(cd /tmp); ls", PROJECT),
        ("{ cd /tmp; }; ls", "/tmp"),
        ("cd /tmp | cat; ls", PROJECT),
        ("cd /tmp & ls", PROJECT),
        ("pushd /a; pushd /b; popd; ls", "/a"),
        ("x=$(cd /tmp; pwd); ls", PROJECT),
        ("f() { cd /tmp; }; f; ls", "/tmp"),
        ("cd $UNKNOWN; ls", None),
        ("cd /tmp; bash -c 'cd /'; ls", "/tmp"),
        ("env -C /srv ls", "/srv"),
        ("sudo -D /srv ls", "/srv"),
        ("chroot /mnt ls", "/"),
        ("ssh host ls", None),
        ("cd() { :; }; cd /tmp; ls", PROJECT),
        ("CDPATH=/; cd home; ls", "/home"),
    ],
)
def test_the_folder_is_followed(text: str, expected: str | None) -> None:
    assert folder(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "p=/tmp; [ -d x ] && p=/; rm -rf $p",
        "p=/; false && p=/tmp; rm -rf $p",
        "if a; then p=/; else p=/tmp; fi; rm -rf $p",
        "case $x in a) p=/;; *) p=/tmp;; esac; rm -rf $p",
        "p=/; while read l; do p=$l; done; rm -rf $p",
        "a || p=/; rm -rf ${p:-/}",
        "for p in a b /; do rm -rf $p; done",
        "set -- a /; for p; do rm -rf $p; done",
        "while read p; do rm -rf $p; done <<< $'a\\n/'",
        "echo / | while read p; do rm -rf $p; done",
        "set -- a b c /; while [ $# -gt 0 ]; do rm -rf $1; shift; done",
        "until a; do rm -rf /; done",
        "select x in a b; do rm -rf /; done",
        "for ((i=0;i<3;i++)); do rm -rf /; done",
        "time { rm -rf /; }",
        "! rm -rf /",
        "coproc N { rm -rf /; }",
        "[[ $(rm -rf /) ]]",
        "case $(rm -rf /) in a) ;; esac",
        "x=$(rm -rf /)",
        "cat <<E\n$(rm -rf /)\nE",
        "cat <<< $(rm -rf /)",
        "cat < <(rm -rf /)",
        "ls > >(rm -rf /)",
        "echo ${x:-$(rm -rf /)}",
        "a=($(rm -rf /))",
        "a[$(rm -rf /)]=1",
        "{ rm -rf /; } 2>/dev/null",
        "rm -rf / &",
        "true;rm -rf /",
        "if rm -rf /; then :; fi",
        "while rm -rf /; do :; done",
        "cat <<A <<B\na\nA\nb\nB\nrm -rf /",
        "cat <<-E\n\tx\n\tE\nrm -rf /",
        "cat <<'E F'\nx\nE F\nrm -rf /",
        "cat <<E\nx\\\nE\ny\nE\nrm -rf /",
        "x='a[$(rm -rf /)]'; (( x ))",
    ],
)
def test_a_command_is_found_wherever_it_stands(text: str) -> None:
    assert "rm -rf /" in lines(text)


@pytest.mark.parametrize(
    "text",
    [
        "cat <<E\nrm -rf /\nE",
        "cat <<'E'\n$(rm -rf /)\nE",
        "f() { rm -rf /; }",
        "echo '$(rm -rf /)'",
        ": # `rm -rf /`",
        "x='rm -rf /'",
        "[[ x == 'rm -rf /' ]]",
        "cat <<\\E\n`rm -rf /`\nE",
        "cat <<E\n\\$(rm -rf /)\nE",
        "rm() { :; }; rm -rf /",
    ],
)
def test_what_is_not_run_is_not_a_command(text: str) -> None:
    assert "rm -rf /" not in lines(text)


@pytest.mark.parametrize(
    "text",
    [
        "alias rm=echo; rm -rf /",
        "false && rm() { :; }; rm -rf /",
        "rm() { :; }; unset -f rm; rm -rf /",
        "rm() { :; }; command rm -rf /",
        "rm() { :; }; env rm -rf /",
        "rm() { :; }; /bin/rm -rf /",
        "rm() { :; }; bash -c 'rm -rf /'",
        "(rm() { :; }); rm -rf /",
    ],
)
def test_a_shadow_hides_nothing_that_would_run(text: str) -> None:
    assert any(line.endswith("rm -rf /") for line in lines(text))


def test_a_child_sees_only_what_was_exported() -> None:
    assert "rm -rf /" in lines("X=/tmp; bash -c 'rm -rf $X/'")
    assert "rm -rf /tmp/" in lines("export X=/tmp; bash -c 'rm -rf $X/'")
    assert "rm -rf /tmp/" in lines("X=/tmp bash -c 'rm -rf $X/'")


def test_a_local_variable_is_gone_after_its_function() -> None:
    assert "ls /a" in lines("p=/a; f() { local p=/b; }; f; ls $p")


def test_pipelines_have_a_normal_form() -> None:
    found = read("curl  -s 'https://x' |   sh ; echo 'a b' > f")
    assert found.pipelines == ("curl -s https://x | sh", "echo 'a b' > f")


def test_stages_of_a_pipeline_share_its_number() -> None:
    commands = read("a | b | c; d").commands
    assert len({command.pipeline for command in commands[:3]}) == 1
    assert [command.position for command in commands] == [0, 1, 2, 0]
    assert commands[3].pipeline != commands[0].pipeline


@pytest.mark.parametrize(
    "text", ["echo 'a", 'echo "a', "echo $(ls", "if x; then y", "ls &&", "ls | ", "( ls", "{ ls", "fi", ")"]
)
def test_text_that_bash_refuses_runs_nothing_that_is_not_known(text: str) -> None:
    assert subprocess.run(["bash", "-n", "-c", text], capture_output=True, check=False).returncode
    assert not executed(text)


@pytest.mark.parametrize(
    "text",
    [
        'rm -rf / "',
        'echo "; rm -rf /',
        "echo '; rm -rf / #",
        '"; rm -rf / #',
        "'\nrm -rf /\n",
        "echo `rm -rf /",
        "echo $(rm -rf /",
        "echo $'a; rm -rf /",
        "ls; fi; rm -rf /",
        ") rm -rf /",
        "if x; then rm -rf /",
        "( rm -rf /",
        "bash -c 'echo \"; rm -rf /'",
        'echo "a\nrm -rf / ||',
    ],
)
def test_what_stands_before_in_or_behind_what_bash_refuses_is_read(text: str) -> None:
    assert any(line.startswith("rm -rf /") for line in lines(text))


@pytest.mark.parametrize("text", ['cat << "$(x)"\na\n', "echo ${x"])
def test_text_that_only_this_reader_may_not_know_is_opaque_and_executed(text: str) -> None:
    assert executed(text)


def test_what_stands_before_a_mistake_is_read() -> None:
    assert "rm -rf /" in lines("rm -rf / ; $($($(")


def test_redirections_are_kept_with_their_targets() -> None:
    redirects = last("make 2> err >> log < in &> all 3>&1").redirects
    shown = [(each.descriptor, each.operator, each.target.text) for each in redirects]
    assert shown == [
        (2, ">", "err"),
        (None, ">>", "log"),
        (None, "<", "in"),
        (None, "&>", "all"),
        (3, ">&", "1"),
    ]


def test_a_bare_redirection_is_a_command_without_words() -> None:
    command = last("> /etc/passwd")
    assert (command.argv, command.redirects[0].target.text) == ((), "/etc/passwd")


def test_a_function_that_calls_itself_ends() -> None:
    assert "rm -rf a" in lines('f() { rm -rf "$1"; f b; }; f a')
    assert any(each.unknown.kind == Kind.RECURSION for each in read(":(){ :|:& };:").opaque)


@pytest.mark.parametrize(
    "text",
    [
        "f() { rm -rf /; }; false && f() { :; }; f",
        'set -- /; false && set -- /tmp; rm -rf "$1"',
        "echo 'rm -rf /' > x; false && echo ok > x; sh x",
        "if a; then set -- b; else set -- /; fi; rm -rf $1",
        "for i in 1 2; do [ $i = 1 ] && p=/ || p=/tmp; done; rm -rf $p",
        "p=/; p=/tmp | true; rm -rf $p",
        "p=/; (p=/tmp); rm -rf $p",
        "declare -n r=p; p=/; rm -rf $r",
    ],
)
def test_a_way_not_taken_hides_nothing(text: str) -> None:
    assert "rm -rf /" in lines(text)


@pytest.mark.parametrize(
    "text",
    [
        "x=$(cat <<E\nfoo\nE) ; rm -rf /",
        "x=$(cat <<'E'\na)b\nE\n); rm -rf /",
        "git commit -m \"$(cat <<'E'\nit's (ok) `x`\nE\n)\"; rm -rf /",
        "cat <<A $(echo\n)\nrm\nA\nrm -rf /",
    ],
)
def test_a_here_document_in_a_substitution_ends_where_bash_ends_it(text: str) -> None:
    assert lines(text)[-1] == "rm -rf /"


@pytest.mark.parametrize(
    "text",
    [
        "mapfile -C 'rm -rf /' -c 1 < f",
        "compgen -C 'rm -rf /'",
        "jobs -x rm -rf /",
        "command_not_found_handle() { rm -rf /; }; nope",
        "cmake -E rm -rf /",
        "GIT_CONFIG_KEY_0=alias.x GIT_CONFIG_VALUE_0='!rm -rf /' git x",
        "c() { \"$@\"; }; c rm -rf /",
        "eval set -- rm -rf /; \"$@\"",
    ],
)  # fmt: skip
def test_rare_ways_to_run_something_are_known(text: str) -> None:
    assert "rm -rf /" in lines(text)

"""The reader as a whole: what would run, where, through what."""

from __future__ import annotations

import pytest

from fairlead.shell.reader import read_script
from fairlead.shell.script import Script
from fairlead.shell.unknown_text import describe

HOME = "/home/no-one"
PROJECT = "/home/no-one/project"


def read(text: str) -> Script:
    return read_script(text, cwd=PROJECT, home=HOME)


def lines(text: str) -> list[str]:
    """Every command as its words, joined."""
    return [" ".join(word.text for word in command.argv) for command in read(text).commands]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("rm -rf /", "rm -rf /"),
        (r"$'\x72\x6d' -rf /", "rm -rf /"),
        ('r""m -rf ~/Documents', "rm -rf /home/no-one/Documents"),
        (r"g\it re\set --\hard", "git reset --hard"),
        ("X=rm; $X -rf /", "rm -rf /"),
        ("rm${IFS}-rf${IFS}/", "rm -rf /"),
        ("{rm,-rf,/}", "rm -rf /"),
        ("set -- -rf /; rm \"$@\"", "rm -rf /"),
        ("p=/tmp; printf -v p /; rm -rf $p", "rm -rf /"),
        ("read -r p <<< /; rm -rf $p", "rm -rf /"),
        ("a=(x rm); ${a[1]} -rf /", "rm -rf /"),
        ("v=p; p=/; rm -rf ${!v}", "rm -rf /"),
        ("x=/etc/passwd; rm ${x%/*}", "rm /etc"),
        ("rm -rf $(echo /)", "rm -rf /"),
        ("/bin/r? -rf /", "/bin/rm -rf /"),
        ("eval 'rm -rf /'", "rm -rf /"),
        ("bash -lc 'rm -rf /'", "rm -rf /"),
        ("echo 'rm -rf /' | sh", "rm -rf /"),
        ("cat <<'E' | sh\nrm -rf /\nE", "rm -rf /"),
        ("echo cm0gLXJmIC8K | base64 -d | sh", "rm -rf /"),
        ("echo 'rm -rf /' > x.sh && bash x.sh", "rm -rf /"),
        ("cat > x.sh <<E\nrm -rf /\nE\nchmod +x x.sh; ./x.sh", "rm -rf /"),
        ("f() { rm -rf \"$1\"; }; f /", "rm -rf /"),
        ("alias z='rm -rf'; z /", "rm -rf /"),
        ("for x in a /; do rm -rf $x; done", "rm -rf /"),
        ("trap 'rm -rf /' EXIT", "rm -rf /"),
        ("sudo -u root -- rm -rf /", "rm -rf /"),
        ("nohup nice -n 19 ionice -c3 rm -rf /", "rm -rf /"),
        ("printf '%s\\0' / | xargs -0 rm -rf", "rm -rf /"),
        ("echo $(( 1 + $(rm -rf /) ))", "rm -rf /"),
        ("cat > \"$(rm -rf /)\"", "rm -rf /"),
        ("cat <<E\n`rm -rf /`\nE", "rm -rf /"),
    ],
)  # fmt: skip
def test_a_command_is_found_however_it_is_written(text: str, expected: str) -> None:
    assert expected in lines(text)


@pytest.mark.parametrize(
    "text",
    [
        "echo 'rm -rf /'",
        'git commit -m "drop rm -rf / from the docs"',
        "cat > notes.txt <<E\nrm -rf /\nE",
        "ls # rm -rf /",
        "grep -r 'rm -rf /' .",
    ],
)
def test_text_that_nothing_runs_is_data(text: str) -> None:
    assert not [line for line in lines(text) if line.startswith("rm")]


def test_a_directory_change_counts_until_its_subshell_ends() -> None:
    commands = read("(cd /tmp && ls); ls; cd / && ls").commands
    assert [command.cwd for command in commands if command.name == "ls"] == ["/tmp", PROJECT, "/"]


def test_code_off_the_network_is_opaque_and_executed() -> None:
    for text in ("curl https://x | sh", 'eval "$(curl https://x)"', "bash <(curl https://x)"):
        (found,) = [each for each in read(text).opaque if each.executed]
        assert found.network, text


def test_nul_bytes_are_gone_from_the_words_and_told_also_in_a_plain_line() -> None:
    found = read("grep 'a\0b' file")
    assert [word.text for word in found.commands[0].argv] == ["grep", "ab", "file"]
    assert [describe(opaque.unknown) for opaque in found.opaque] == ["the text has NUL bytes"]


def test_a_command_tells_where_it_stands_in_bytes() -> None:
    text = "echo 'é'; rm x"
    command = read(text).commands[1]
    assert text.encode()[command.start : command.end] == b"rm x"


def test_a_directory_change_that_may_fail_is_told_unless_the_line_checks_it() -> None:
    def others(text: str) -> tuple[str, ...]:
        return read(text).commands[-1].cwd_else

    assert others("cd /tmp/x; ls") == (PROJECT,)
    assert others("cd /tmp/x && ls") == ()
    assert others("cd /tmp/x || exit 1; ls") == ()
    assert others("set -e; cd /tmp/x; ls") == ()
    assert others("cd /tmp/x && make; ls") == (PROJECT,)

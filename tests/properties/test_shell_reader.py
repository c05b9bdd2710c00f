"""Laws of the shell reader: it never raises, its work is bounded, and a disguise changes nothing."""

from __future__ import annotations

import base64
import json
import sys
from collections.abc import Callable
from shlex import quote
from types import FrameType

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairlead.shell.bounds import MAX_STEPS, MAX_TEXT
from fairlead.shell.reader import read_script
from fairlead.shell.script import Script
from fairlead.shell.script_view import as_data, as_text
from shell_scripts import Scripts

TOKENS = (
    "$(", "${", "$((", "))", "}", ")", "`", '"', "'", "$'", '$"', "|", "||", "&", "&&", ";", ";;", ";&",
    "<", ">", "<<", "<<<", "<<-E", "<(", ">(", "(", "{", "((", "[[", "]]", "!", "#", "~", "*", "?", "[",
    "]", "@(", "!(", "{a,b}", "{1..9}", "rm", "-rf", "/", "eval", "bash", "-c", "sudo", "xargs", "find",
    "-exec", "if", "then", "elif", "else", "fi", "for", "x", "in", "do", "done", "while", "until",
    "case", "esac", "select", "function", "f()", "coproc", "time", "x=", "x+=", "a[1]=", "a=(", "$x",
    "$@", '"$@"', "$1", "${x:-y}", "${x#y}", "${x//a/b}", "${!x}", "${#x}", "${x:1:2}", "${x@Q}", "set",
    "--", "read", "cd", "pushd", "popd", "printf", "%s", "-v", "env", "-S", "awk", "sed", "git",
    "base64", "-d", "echo", "cat", "trap", "alias", "source", ".", "/dev/stdin", "let", "declare",
    "export", "local", "unset", "shift", "mapfile", "hash", "-p", "ssh", "h", "docker", "run", "kubectl",
    "exec", "p", "parallel", ":::", "make", "-f", "-", "tmux", "vim", "crontab", "2>&1", ">/dev/null",
    "&>", "{fd}>", "1", "99999999999999999999", "**", "0x", '\xe9', '\ue000', '\ue0000\ue001', '\x00',
    '\ufffd', '\\', '\udc80',
)  # fmt: skip
soup = st.lists(st.sampled_from([*TOKENS, "\n", " ", "\t", "E\n", "\\\n"]), max_size=60).map(" ".join)
PLAIN_WORDS = (
    "rm", "-rf", "/", "eval", "bash", "-c", "sudo", "xargs", "find", "-exec", "exec", "command", "x=1", "cd",
    "'rm -rf /'", '"a b"', "''", '"exec 3>x"', "'trap \"rm y\" EXIT'", "trap", "EXIT", "alias", "time", "git",
    "-C", "env", "-S", "python3", "'print(1)'", "./run", "/bin/ls", "docker", "run", "read", "set", "--",
    "export", "source", "2", "a@b", "tool@5", "x.exe", "'>(cat)'", "'cat > /tmp/x <<E'", "npx",
)  # fmt: skip
plain = st.lists(st.sampled_from(PLAIN_WORDS), min_size=1, max_size=8).map(" ".join)
glued = st.lists(st.sampled_from([*TOKENS, "\n", " "]), max_size=40).map("".join)


def read(text: str | bytes) -> Script:
    return read_script(text, cwd="/home/no-one/project", home="/home/no-one")


@settings(max_examples=300, deadline=None)
@given(st.one_of(st.text(max_size=200), soup, glued))
def test_any_text_is_read_without_an_error(text: str) -> None:
    found = read(text)
    json.dumps(as_data(found))
    as_text(found)
    assert len(found.commands) <= MAX_STEPS


@settings(max_examples=300, deadline=None)
@given(plain)
def test_a_line_of_plain_words_means_the_same_without_a_tree(line: str) -> None:
    alone, as_text = (read(text).replace(text="", steps=0) for text in (line, f"{line}\n"))
    assert alone == as_text


@settings(max_examples=100, deadline=None)
@given(st.binary(max_size=200))
def test_any_bytes_are_read_without_an_error(data: bytes) -> None:
    read(data)


@settings(max_examples=100, deadline=None)
@given(glued)
def test_offsets_lie_inside_the_text(text: str) -> None:
    size = len(text.encode("utf-8", "surrogatepass"))
    found = read(text)
    for part in (*found.commands, *found.opaque):
        assert 0 <= part.start <= part.end <= size


def test_text_above_the_bound_is_opaque_and_not_parsed() -> None:
    found = read("rm -rf / #" + "x" * MAX_TEXT)
    assert not found.commands
    assert [each.executed for each in found.opaque] == [True]


def test_a_command_behind_long_padding_is_still_found() -> None:
    found = read("true " + "#" * 200_000 + "\nrm -rf /")
    assert "rm" in [command.name for command in found.commands]


FAMILIES: dict[str, Callable[[int], str]] = {
    "open substitutions": lambda n: "$(" * n,
    "open arithmetic": lambda n: "$((" * n,
    "open groups": lambda n: "{ " * n,
    "open parentheses": lambda n: "((" * n,
    "here-documents without end": lambda n: "<<A " * n,
    "here-documents, one a line": lambda n: "<<A\n" * n,
    "open cases": lambda n: "case x in " * n,
    "open expansions": lambda n: "${a:-" * n,
    "backquotes": lambda n: "`" * n,
    "escaped backquotes": lambda n: "`" + "\\`" * n,
    "conditions": lambda n: "[[ a && " * n,
    "jobs": lambda n: "a & " * n,
    "quotes": lambda n: "'\"" * n,
    "braces": lambda n: "{a,b}" * n,
    "nested braces": lambda n: "{a," * n + "}" * n,
    "doubling": lambda n: "a=xx;" + "a=$a$a;" * n,
    "forks": lambda n: "f() { f | f & }; f;" * n,
    "words": lambda n: "echo " + "word " * n,
    "stars": lambda n: "x=" + "a" * n + "; echo ${x//a*a*a*b/c} ${x%%*a*b}",
    "branches": lambda n: "[ $x ] && a=1 || a=2; " * n + "echo $a",
    "evals": lambda n: "eval " * n + "ls",
    "wrappers": lambda n: "sudo " * n + "ls",
    "vim escapes": lambda n: "vim -c '" + "system(" * n + "'",
    "make rules": lambda n: "make -f - <<'E'\n" + "a:" * n + "\nE\n",
    "schedules": lambda n: "crontab - <<'E'\n" + "* " * n + "\nE\n",
    "sql escapes": lambda n: "psql <<'E'\n" + "\n" * n + "\nE\n",
    "awk calls": lambda n: "awk '" + 'system("' * n + "'",
    "sed": lambda n: "sed '" + "s/a" * n + "'",
    "brackets": lambda n: "echo " + "[" * n,
    "widths": lambda n: "x=$(printf '%" + "0" * n + "')",
    "awk quotes": lambda n: "awk '\"" + '\\"' * n + "'",
    "awk names": lambda n: "awk '" + "a" * n + "'",
    "sed brackets": lambda n: "sed 's/" + "[" * n + "'",
    "m4 calls": lambda n: "m4 <<'E'\n" + "syscmd(" * n + "\nE\n",
    "expect lines": lambda n: "expect <<'E'\n" + "\n" * n + "\nE\n",
    "vim marks": lambda n: "vim -c '" + ":" * n + "'",
    "digits": lambda n: "echo $((" + "1" * n + "))",
    "long trims": lambda n: "x=" + "ab" * n + "; echo ${x##*b} ${x%%a*} ${x//ab/c}",
    "spaces": lambda n: "echo a" + " " * n + "b",
    "separators": lambda n: f"IFS=:; x={':' * n}; echo $x",
}


def work(text: str) -> int:
    """Calls of functions, ours and the library's: a measure that does not depend on the machine's load."""
    calls = 0

    def count(frame: FrameType, event: str, argument: object) -> None:
        nonlocal calls
        calls += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        read(text)
    finally:
        sys.setprofile(before)
    return calls


@pytest.mark.parametrize("family", FAMILIES)
def test_work_grows_no_faster_than_the_text(family: str) -> None:
    small, large = work(FAMILIES[family](300)), work(FAMILIES[family](1_200))
    assert large <= 5 * small + 20_000


@pytest.mark.slow
@pytest.mark.parametrize("family", FAMILIES)
def test_the_longest_text_of_a_family_is_read_within_its_steps(family: str) -> None:
    make = FAMILIES[family]
    text = make(max(1, MAX_TEXT // max(1, len(make(1_000)) // 1_000) - 200))[: MAX_TEXT - 10]
    assert work(text) < 3_000_000


BASES = (
    "rm -rf /home/no-one/x",
    "git push --force origin main",
    "dd if=/dev/zero of=/dev/sda",
    "chmod -R 777 /etc",
    "kubectl delete ns prod",
    "cat .env",
)
TEXTUAL: dict[str, Callable[[str], str]] = {
    "extra spaces": lambda text: "   " + text.replace(" ", "   ") + "  ",
    "tabs": lambda text: text.replace(" ", "\t"),
    "line continuations": lambda text: text.replace(" ", " \\\n  "),
    "quoted words": lambda text: " ".join(f"'{word}'" for word in text.split()),
    "double quotes": lambda text: " ".join(f'"{word}"' for word in text.split()),
    "split quotes": lambda text: " ".join(f"{word[:1]}''{word[1:]}" for word in text.split()),
    "backslashes": lambda text: " ".join("\\" + word for word in text.split()),
    "hex": lambda text: " ".join(
        "$'" + "".join(f"\\x{ord(c):02x}" for c in word) + "'" for word in text.split()
    ),
    "true before": lambda text: f"true && {text}",
    "true after": lambda text: f"{text}; true",
    "in a group": lambda text: f"{{ {text}; }}",
    "in a subshell": lambda text: f"( {text} )",
    "a comment": lambda text: f"{text} # only a test\n",
    "a newline before": lambda text: f"\n\n{text}\n",
    "in the background": lambda text: f"{text} &",
    "negated": lambda text: f"! {text}",
    "in a branch": lambda text: f"if false; then :; else {text}; fi",
    "in a loop": lambda text: f"for i in 1; do {text}; done",
    "in a function": lambda text: f"f() {{ {text}; }}; f",
    "in a variable": lambda text: f"c='{text}'; $c",
    "by IFS": lambda text: text.replace(" ", "${IFS}"),
    "by braces": lambda text: "{" + text.replace(" ", ",") + "}",
    "by positional parameters": lambda text: f'set -- {text}; "$@"',
    "by an array": lambda text: f'a=({text}); "${{a[@]}}"',
    "redirected": lambda text: f"{text} > /dev/null 2>&1",
    "an assignment before": lambda text: f"A=1 B='2 3' {text}",
}
SHELLS: dict[str, Callable[[str], str]] = {
    "bash -c": lambda text: f"bash -c {quote(text)}",
    "sh -ec": lambda text: f"sh -ec {quote(text)}",
    "eval": lambda text: f"eval {quote(text)}",
    "eval words": lambda text: f"eval {text}",
    "su": lambda text: f"su - root -c {quote(text)}",
    "script": lambda text: f"script -qc {quote(text)} /dev/null",
    "watch": lambda text: f"watch -n 1 {quote(text)}",
    "ssh": lambda text: f"ssh -p 22 host {quote(text)}",
    "flock": lambda text: f"flock /tmp/l -c {quote(text)}",
    "nix-shell": lambda text: f"nix-shell --run {quote(text)}",
    "trap": lambda text: f"trap {quote(text)} EXIT",
    "a pipe": lambda text: f"echo {quote(text)} | sh",
    "a here-document": lambda text: f"bash <<'E{len(text)}'\n{text}\nE{len(text)}\n",
    "a here-string": lambda text: f"bash <<< {quote(text)}",
    "a process substitution": lambda text: f"bash <(echo {quote(text)})",
    "source": lambda text: f". /dev/stdin <<< {quote(text)}",
    "base64": lambda text: f"echo {base64.b64encode(text.encode()).decode()} | base64 -d | bash",
    "a written script": lambda text: f"echo {quote(text)} > /tmp/x.sh; bash /tmp/x.sh",
    "awk": lambda text: f"awk 'BEGIN{{system(\"{text}\")}}'",
    "make": lambda text: f"make -f - <<'E'\nall:\n\t{text}\nE\n",
    "git alias": lambda text: f"git -c alias.z={quote('!' + text)} z",
    "vim": lambda text: f"vim -es -c {quote('!' + text)} -c q",
    "at": lambda text: f"echo {quote(text)} | at now",
    "tmux": lambda text: f"tmux new -d {quote(text)}",
}
PREFIXES = (
    "sudo", "sudo -u root -E --", "doas -u root", "env", "env -i A=1 -u B", "command", "command -p",
    "builtin", "exec -a x", "nohup", "nice", "nice -n 10", "nice -10", "ionice -c 3", "timeout 5",
    "timeout -k 5 -s KILL 5m", "time", "time -p", "stdbuf -oL", "setsid -w", "chrt -f 1", "taskset -c 0",
    "busybox", "strace -f -o /tmp/t", "xargs -r", "find . -exec", "chroot /mnt", "unshare -r",
    "systemd-run --user --scope", "flock /tmp/lock", "uv run", "poetry run", "npx",
    "docker run --rm -it alpine", "docker exec -it web", "kubectl exec -it pod --", "bundle exec",
    "xvfb-run -a", "proxychains4 -q", "faketime yesterday", "git bisect run", "coproc",
)  # fmt: skip


def inner(text: str) -> set[tuple[str, ...]]:
    return {tuple(word.text for word in command.argv) for command in read(text).commands if command.argv}


@pytest.mark.parametrize("base", BASES)
@pytest.mark.parametrize("change", [*TEXTUAL, *SHELLS])
def test_a_change_that_keeps_the_meaning_keeps_the_command(base: str, change: str) -> None:
    disguise = {**TEXTUAL, **SHELLS}[change]
    assert tuple(base.split()) in inner(disguise(base)), disguise(base)


@pytest.mark.parametrize("base", BASES)
@pytest.mark.parametrize("prefix", PREFIXES)
def test_a_wrapper_keeps_the_command_inside_it(base: str, prefix: str) -> None:
    wanted = tuple(base.split())
    found = inner(f"{prefix} {base}" + (" \\;" if "-exec" in prefix else ""))
    assert any(argv[: len(wanted)] == wanted for argv in found), found


@settings(max_examples=150, deadline=None)
@given(
    st.sampled_from(BASES),
    st.lists(st.sampled_from([*TEXTUAL, *SHELLS]), min_size=2, max_size=3),
)
def test_disguises_can_be_stacked(base: str, changes: list[str]) -> None:
    plain = {"extra spaces", "tabs", "line continuations", "quoted words", "double quotes", "split quotes"}
    wordwise = plain | {"backslashes", "hex", "by IFS", "by braces", "in a variable", "awk", "eval words"}
    wordwise |= {"by positional parameters", "by an array", "an assignment before", "make", "vim"}
    text = base
    for index, change in enumerate(changes):
        if index and change in wordwise:
            continue  # these take the words of a simple command, or one line
        text = {**TEXTUAL, **SHELLS}[change](text)
        if change == "awk":
            break  # a string inside awk has quotes of its own
    assert tuple(base.split()) in inner(text), text


@settings(max_examples=40, deadline=None)
@given(st.integers(min_value=10_000, max_value=1_000_000))
def test_reading_twice_gives_the_same(seed: int) -> None:
    script = Scripts(seed).script()
    assert read(script) == read(script)

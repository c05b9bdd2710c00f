"""Ways to speak of a command without running it. None of them may make the guard object."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable, Iterator

from benchmarks.guard.lines import PROJECT, Line

END = "END_OF_MENTION"
KEY_RULES = frozenset(("secrets/key-in-content",))
"""A text may hold a key, and that is no matter of who speaks of it."""


def mentioned(command: str) -> Iterator[tuple[str, Line]]:
    """Every listed mention of the command, with its name."""
    if END in command:
        return
    for name, mention in SHELL.items():
        yield name, Line(name, mention(command), "pass")
    for name, tool, path, content in FILES:
        yield name, Line(name, f"{PROJECT}/{path}", "pass", tool=tool, content=content(command))


def _quoted(text: str) -> str:
    return shlex.quote(text)


def _commented(text: str) -> str:
    return "ls src\n" + "\n".join(f"# {line}" for line in text.splitlines())


def _document(target: str) -> Callable[[str], str]:
    return lambda text: f"cat >> {target} <<'{END}'\n{text}\n{END}"


def _python_list(text: str) -> str:
    return f"python3 - <<'{END}'\nfor line in [{text!r}]:\n    print(len(line), line)\n{END}"


SHELL: dict[str, Callable[[str], str]] = {
    "echo": lambda text: f"echo {_quoted(text)}",
    "printf into a file": lambda text: f"printf '%s\\n' {_quoted(text)} >> docs/danger.md",
    "a commit message": lambda text: f"git commit -m {_quoted('docs: warn of ' + text)}",
    "a commit message alone": lambda text: f"git commit -am {_quoted(text)}",
    "grep": lambda text: f"grep -rnF -- {_quoted(text)} docs src | head",
    "rg": lambda text: f"rg -n -F {_quoted(text)} src",
    "a document": _document("docs/danger.md"),
    "a list for tests": _document("tests/lines.txt"),
    "a comment": _commented,
    "printed by Python": lambda text: f"python3 -c {_quoted(f'print({text!r})')}",
    "a list in Python": _python_list,
    "printed by node": lambda text: f"node -e {_quoted(f'console.log({json.dumps(text)})')}",
    "an argument of jq": lambda text: f"jq -n --arg c {_quoted(text)} '{{command: $c}}'",
    "a variable": lambda text: f'note={_quoted(text)}; echo "${{#note}}"',
    "an array": lambda text: f'lines=({_quoted(text)} ls); echo "${{#lines[@]}}"',
    "an issue": lambda text: f"gh issue create --title 'It ran this' --body {_quoted(text)}",
    "a case": lambda text: f"case {_quoted(text)} in rm*) echo yes;; *) echo no;; esac",
    "a check": lambda text: f"fairlead check {_quoted(text)}",
    "counted": lambda text: f"wc -c <<< {_quoted(text)}",
    "the name of a test": lambda text: f"pytest -q -k {_quoted(text)}",
    "sent to this machine": lambda text: (
        f"curl -s localhost:8080/check -d {_quoted(json.dumps({'command': text}))}"
    ),
}
FILES: tuple[tuple[str, str, str, Callable[[str], str]], ...] = (
    ("a written document", "Write", "docs/danger.md", lambda text: f"# Danger\n\n    {text}\n"),
    ("a written test", "Write", "tests/test_guard.py", lambda text: f"LINES = [\n    {text!r},\n]\n"),
    ("an edited script", "Edit", "scripts/deploy.sh", lambda text: text),
    ("a searched text", "Grep", "src", lambda text: text),
)

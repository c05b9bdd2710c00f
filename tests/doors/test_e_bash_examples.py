"""What the 72 examples of e-bash's own specification ask for, one by one, of our door with its helpers."""

import tomllib
from pathlib import Path

import pytest
from bash_shell import HOOKS, Shell

HELPERS = HOOKS.parent / "e-bash.bash"
EXAMPLES = tomllib.loads(Path(__file__).with_name("e_bash_examples.toml").read_text())["example"]
SHORT = {
    "MODES": "hooks:declare h; hooks:middleware h _hooks:middleware:modes",
    "PATTERNS": "hooks:pattern:source 'config-*.sh'; hooks:pattern:script 'notify-*.sh'",
}


def played(example, folder):
    shell = Shell(folder, DOOR=str(HOOKS), PARTS=str(folder))
    for name, body in example.get("files", {}).items():
        shell.script(name, body)
    for name, body in example.get("idle_files", {}).items():
        shell.script(name, body, mode=0o644)
    for name, body in example.get("parts", {}).items():
        (folder / name).write_text(f"{body}\n")
        (folder / name).chmod(0o755)
    body = example["script"]
    for word, meaning in SHORT.items():
        body = body.replace(f"{word};", f"{meaning};")
    main = folder / "main.sh"
    main.write_text(f'#!/usr/bin/env bash\nsource {HELPERS}\nsource "$DOOR"\n{body}\n')
    return shell.run_file(main, DEBUG="hooks,error")


@pytest.mark.slow
@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example["what"])
def test_an_example_of_e_bash_holds(tmp_path, example):
    done = played(example, tmp_path)
    assert done.returncode == example.get("code", 0), done.stderr
    if "out" in example:
        assert done.stdout == example["out"]
    if "in_order" in example:
        assert done.stdout.splitlines() == example["in_order"]
    assert [piece for piece in example.get("out_has", []) if piece not in done.stdout] == []
    assert [piece for piece in example.get("err_has", []) if piece not in done.stderr] == []


def test_there_are_seventy_two_of_them():
    assert len(EXAMPLES) == 72

"""Files that a call runs: which of them are read, and where in them a command stands."""

from __future__ import annotations

import pytest

from fairlead.shell.bounds import MAX_ASKED, MAX_FILE, MAX_FILES
from fairlead.shell.normal_form import command_text
from fairlead.shell.reader import read_script
from fairlead.shell.script import NoText, Origin, Script, Why

BAD = "rm -rf /srv"
FILES = {
    "/p/bad.sh": f"#!/bin/sh\n\n{BAD}\n",
    "/p/plain": f"{BAD}\n",
    "/p/bin/tool": f"#!/usr/bin/env bash\n{BAD}\n",
    "/p/env.sh": f"#!/usr/bin/env -S A=1 bash -e\n{BAD}\n",
    "/p/calls.sh": '#!/bin/bash\n\n"$(dirname "$0")/bad.sh"\n',
    "/p/here.sh": 'SCRIPT_DIR="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"\n. "$SCRIPT_DIR/plain"\n',
    "/p/beside.sh": "source ${BASH_SOURCE[0]%/*}/plain\n",
    "/p/code.py": "import shutil\nshutil.rmtree('/srv')\n",
    "/p/script.py": "#!/usr/bin/env python3\nimport shutil\nshutil.rmtree('/srv')\n",
    "/p/pkg/mod.py": "import shutil\n",
    "/p/pkg/__main__.py": "import os\n",
    "/p/lib/inner/tool.py": "import sys\n",
    "/p/code.js": "#!/usr/bin/env node\nrequire('fs').rmSync('/srv')\n",
    "/p/code.ts": "#!/usr/bin/env -S deno run -A\nDeno.removeSync('/srv')\n",
    "/p/code.rb": "#!/usr/bin/ruby -w\nFileUtils.rm_rf('/srv')\n",
    "/p/code.pl": "#!/usr/bin/perl\nunlink('/srv/a');\n",
    "/p/code.php": "<?php unlink('/srv/a');\n",
    "/p/code.awk": 'BEGIN { system("rm -rf /srv") }\n',
    "/p/list": "/srv /opt\n",
}


def read(text: str, files: dict[str, str | bytes | NoText] | None = None, **how: object) -> Script:
    return read_script(text, cwd="/p", home="/h", files=({**FILES, **(files or {})}).get, **how)  # type: ignore[arg-type]


def place(script: Script) -> Origin | None:
    found = [command.origin for command in script.commands if command_text(command) == BAD]
    assert found, [command_text(command) for command in script.commands]
    return found[0]


SHELL_WAYS = [
    "bash bad.sh", "sh ./bad.sh", "./bad.sh", "bash -x bad.sh", "bash -eu ./bad.sh a b", "zsh bad.sh",
    "source bad.sh", ". ./bad.sh", "cat bad.sh | bash", "cat < bad.sh | sh", "bash < bad.sh", "< bad.sh bash",
    'eval "$(cat bad.sh)"', 'eval "$(<bad.sh)"', 'bash -c "$(<bad.sh)"', 'sh -c "`cat bad.sh`"',
    "bash <(cat bad.sh)", "source <(cat bad.sh)", '. /dev/stdin <<< "$(cat bad.sh)"', "bash -s < bad.sh",
    'bash <<< "$(cat bad.sh)"', "nohup ./bad.sh &", "timeout 9 bash bad.sh", "env A=1 ./bad.sh",
    "sudo -u root ./bad.sh", "exec ./bad.sh", "exec bash bad.sh", "command ./bad.sh", "nice -n 3 ./bad.sh",
    "find . -name a -exec ./bad.sh {} \\;", "parallel ./bad.sh ::: a b", "echo a | xargs ./bad.sh",
    "echo a | xargs -n1 bash bad.sh", "time ./bad.sh", "if ./bad.sh; then true; fi", "x=$(./bad.sh)",
    "(cd bin && bash ../bad.sh)", "cd /; /p/bad.sh", "cp bad.sh new.sh && bash new.sh",
    "mv bad.sh new.sh; chmod +x new.sh; ./new.sh", "ln -s bad.sh new.sh; . new.sh",
    "BASH_ENV=bad.sh bash -c :",
    "bash --rcfile bad.sh -i",
]  # fmt: skip


@pytest.mark.parametrize("text", SHELL_WAYS)
def test_a_script_is_read_whichever_way_it_runs(text: str) -> None:
    assert place(read(text)) == Origin("/p/bad.sh", 3)


@pytest.mark.parametrize("text", ["bash bad.sh", "./bad.sh", "cat bad.sh | bash", "source bad.sh"])
def test_without_a_reader_a_script_is_a_program_like_any_other(text: str) -> None:
    script = read_script(text, cwd="/p", home="/h")
    assert BAD not in [command_text(command) for command in script.commands]
    assert script.files == script.unread == ()


@pytest.mark.parametrize(
    ("text", "line"), [("./plain", 1), ("./env.sh", 2), ("bin/tool", 2), ("PATH=./bin:$PATH tool", 2)]
)
def test_a_script_says_itself_who_runs_it(text: str, line: int) -> None:
    found = place(read(text))
    assert found is not None and found.line == line and found.by is None


@pytest.mark.parametrize(
    "text",
    ["PATH=./bin:$PATH tool", "PATH=/p/bin tool", "export PATH=$PWD/bin:$PATH; tool a", "PATH+=:bin tool"],
)
def test_a_program_is_searched_where_the_line_puts_it_on_the_path(text: str) -> None:
    assert place(read(text)) == Origin("/p/bin/tool", 2)


def test_a_program_is_searched_in_the_folders_of_the_project_that_stand_on_the_path() -> None:
    assert place(read("tool", searched=("/p/bin",))) == Origin("/p/bin/tool", 2)
    assert read("tool").files == ()
    assert read("other", searched=("/p/bin",)).unread == ()


@pytest.mark.parametrize(
    ("text", "first", "file"),
    [
        ("bash calls.sh", "/p/calls.sh:3", "/p/bad.sh:3"),
        ("cd /; bash /p/calls.sh", "/p/calls.sh:3", "/p/bad.sh:3"),
        ("./here.sh", "/p/here.sh:2", "/p/plain:1"),
        ("cd bin && . ../here.sh", "/p/here.sh:2", "/p/plain:1"),
        ("bash ./beside.sh", "/p/beside.sh:1", "/p/plain:1"),
    ],
)
def test_a_script_finds_its_neighbours_and_the_way_to_them_is_told(text: str, first: str, file: str) -> None:
    found = place(read(text))
    assert found is not None
    assert [f"{each.path}:{each.line}" for each in found.chain] == [first, file]


CODE_WAYS = {
    "python code.py": ("python", "/p/code.py"),
    "python3 -u ./code.py a": ("python", "/p/code.py"),
    "./script.py": ("python", "/p/script.py"),
    "cat code.py | python3": ("python", "/p/code.py"),
    "python3 - < code.py": ("python", "/p/code.py"),
    "python -m pkg.mod a": ("python", "/p/pkg/mod.py"),
    "python3 -mpkg": ("python", "/p/pkg/__main__.py"),
    "PYTHONPATH=lib python -m inner.tool": ("python", "/p/lib/inner/tool.py"),
    "python pkg": ("python", "/p/pkg/__main__.py"),
    'python -c "$(cat code.py)"': ("python", "/p/code.py"),
    "timeout 9 python code.py": ("python", "/p/code.py"),
    "node code.js": ("javascript", "/p/code.js"),
    "node code": ("javascript", "/p/code.js"),
    "./code.js": ("javascript", "/p/code.js"),
    "./code.ts": ("javascript", "/p/code.ts"),
    "deno run -A code.ts": ("javascript", "/p/code.ts"),
    "deno run code.ts": ("javascript", "/p/code.ts"),
    "bun code.ts": ("javascript", "/p/code.ts"),
    "bun run code.ts": ("javascript", "/p/code.ts"),
    "tsx code.ts": ("javascript", "/p/code.ts"),
    "npx tsx code.ts": ("javascript", "/p/code.ts"),
    "tsx watch code.ts": ("javascript", "/p/code.ts"),
    "ts-node code.ts": ("javascript", "/p/code.ts"),
    "ruby code.rb": ("ruby", "/p/code.rb"),
    "./code.rb": ("ruby", "/p/code.rb"),
    "perl code.pl": ("perl", "/p/code.pl"),
    "php code.php": ("php", "/p/code.php"),
    "awk -f code.awk list": ("awk", "/p/code.awk"),
    "uv run code.py": ("python", "/p/code.py"),
    "poetry run python code.py": ("python", "/p/code.py"),
}


@pytest.mark.parametrize("text", CODE_WAYS)
def test_code_of_other_languages_is_read_whichever_way_it_runs(text: str) -> None:
    language, path = CODE_WAYS[text]
    script = read(text)
    assert [(code.language, code.text, code.origin) for code in script.code][:1] == [
        (language, FILES[path], Origin(path))
    ]
    assert [(file.path, file.language) for file in script.files] == [(path, language)]
    assert not [part for part in script.opaque if part.executed]


def test_the_items_of_a_list_are_read() -> None:
    assert [command_text(each) for each in read("xargs -a list rm -rf").commands] == ["rm -rf /srv /opt"]


@pytest.mark.parametrize(
    "text",
    [
        "cat bad.sh", "cat bad.sh | grep rm", "cp bad.sh new.sh", "grep -r rm bad.sh", "wc -l < bad.sh",
        "x=$(cat bad.sh)", "bash -n bad.sh", "/usr/bin/python3 --version", "diff bad.sh code.py",
        "echo $(<list)",
        "tar xf bad.sh", "head bad.sh | tail -1", "sed -n 1p bad.sh", "shellcheck bad.sh",
    ],
)  # fmt: skip
def test_a_file_that_does_not_run_is_not_asked_for(text: str) -> None:
    asked: list[str] = []
    read_script(text, cwd="/p", home="/h", files=asked.append)  # type: ignore[arg-type, func-returns-value]
    assert asked == []


def test_what_stands_in_the_call_has_no_origin() -> None:
    script = read("rm -rf /srv; bash bad.sh; echo $(date)")
    assert [command.origin for command in script.commands if command.name != "rm"] == [None] * 3
    assert [command.origin for command in script.commands if command.name == "rm"] == [
        None,
        Origin("/p/bad.sh", 3),
    ]


def test_a_function_stands_where_it_is_written() -> None:
    files: dict[str, str | bytes | NoText] = {
        "/p/a.sh": f"clean() {{\n  true\n  {BAD}\n}}\n. ./lib\n\nclean\nother\n",
        "/p/lib": "other() {\n  echo a; touch /b\n}\n",
    }
    script = read("bash a.sh", files)
    assert place(script) == Origin("/p/a.sh", 3)
    touches = [each.origin for each in script.commands if each.name == "touch"]
    assert touches == [Origin("/p/lib", 2, Origin("/p/a.sh", 5))]


def test_a_function_of_the_call_has_no_origin_even_when_a_file_calls_it() -> None:
    script = read(f"f() {{ {BAD}; }}; . ./lib", {"/p/lib": "\nf\n"})
    assert place(script) is None


def test_what_a_file_makes_stands_where_it_makes_it() -> None:
    script = read("bash a.sh", {"/p/a.sh": f"true\n\neval 'x=1\n\n{BAD}'\n"})
    assert place(script) == Origin("/p/a.sh", 3)


def test_a_trap_stands_where_it_is_set() -> None:
    script = read("bash a.sh; true", {"/p/a.sh": f"true\ntrap '{BAD}' EXIT\ntrue\n"})
    assert place(script) == Origin("/p/a.sh", 2)
    assert script.commands[-1].origin == Origin("/p/a.sh", 2)


def test_what_cannot_be_known_says_where_it_stands() -> None:
    script = read("bash a.sh", {"/p/a.sh": "true\n$(curl http://x/y)\nif\n"})
    origins = {part.origin for part in script.opaque if part.executed}
    assert Origin("/p/a.sh", 2) in origins
    assert all(origin is not None and origin.path == "/p/a.sh" for origin in origins)


def test_arguments_that_the_call_gives_are_known() -> None:
    script = read("bash a.sh -f /srv", {"/p/a.sh": 'rm -rf "$2"\nshift\nrm -rf $1 $#\n'})
    assert [command_text(each) for each in script.commands if each.name == "rm"] == [BAD, "rm -rf /srv 1"]


def test_texts_of_several_files_together_are_the_calls_own() -> None:
    script = read("cat plain bad.sh | bash")
    assert place(script) is None
    assert [file.path for file in script.files] == ["/p/plain", "/p/bad.sh"]


WHY: dict[str, str | bytes | NoText] = {
    "/p/big.sh": "#" * (MAX_FILE + 1),
    "/p/program": b"\x7fELF\0\0",
    "/p/closed.sh": NoText(),
    "/p/many.sh": NoText(Why.TOO_MANY),
}


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("bash nothing.sh", Why.MISSING), ("bash big.sh", Why.TOO_BIG), ("./program", Why.BINARY),
        ("source closed.sh", Why.UNREADABLE), ("./many.sh", Why.TOO_MANY), ("python gone.py", Why.MISSING),
        ("cat nothing.sh | sh", Why.MISSING), ("cp nothing.sh new.sh; bash new.sh", Why.MISSING),
    ],
)  # fmt: skip
def test_what_would_run_and_could_not_be_read_is_said(text: str, why: str) -> None:
    script = read(text, WHY)
    assert [file.why for file in script.unread] == [why]
    assert script.files == ()


def test_a_file_is_asked_for_once_and_missed_wherever_it_runs() -> None:
    asked: list[str] = []

    def files(path: str) -> str | None:
        asked.append(path)
        return {"/p/a.sh": "./gone.sh\n\n./gone.sh\n"}.get(path)

    script = read_script("bash a.sh; ./gone.sh", cwd="/p", home="/h", files=files)
    assert asked == ["/p/a.sh", "/p/gone.sh"]
    assert [(file.path, file.by and file.by.line) for file in script.unread] == [
        ("/p/gone.sh", 1),
        ("/p/gone.sh", 3),
        ("/p/gone.sh", None),
    ]


def test_only_so_many_files_are_read() -> None:
    numbers = range(MAX_FILES + 2)
    files: dict[str, str | bytes | NoText] = {f"/p/{number}.sh": "true\n" for number in numbers}
    script = read("bash a.sh", {**files, "/p/a.sh": "".join(f"./{number}.sh\n" for number in numbers)})
    assert [file.why for file in script.unread] == [Why.TOO_MANY] * 3


def test_files_that_are_not_there_are_asked_for_only_so_often() -> None:
    text = "".join(f"./{number}.sh\n" for number in range(MAX_ASKED + 1))
    script = read("bash a.sh", {"/p/a.sh": text})
    assert {file.why for file in script.unread} == {Why.MISSING, Why.TOO_MANY}


def test_the_top_of_the_repository_is_looked_for_when_somebody_asks() -> None:
    asked: list[str] = []

    def top() -> str:
        asked.append("")
        return "/p"

    content = {"/p/a.sh": 'cd "$(git rev-parse --show-toplevel)"\n./bad.sh\n', **FILES}
    read_script("echo a | sort", cwd="/p", home="/h", top=top, files=content.get)
    assert asked == []
    script = read_script("cd bin; bash ../a.sh", cwd="/p", home="/h", top=top, files=content.get)
    assert place(script) == Origin("/p/bad.sh", 3, Origin("/p/a.sh", 2))
    assert asked == [""]


def test_a_script_that_runs_itself_ends() -> None:
    script = read("bash a.sh", {"/p/a.sh": f"{BAD}\n./a.sh\n"})
    assert place(script) == Origin("/p/a.sh", 1)


def test_a_module_that_somebody_installed_is_not_missed() -> None:
    assert read("python -m pytest -q").unread == ()


def test_a_program_of_the_system_is_not_asked_for() -> None:
    assert read("/usr/bin/env A=1 /bin/ls").unread == ()
